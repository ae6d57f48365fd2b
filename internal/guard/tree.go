package guard

import "github.com/booty-cli/booty/internal/guard/internal/checkout"

// Tree gives facts about the checkout.
type Tree = checkout.Tree

// DirTree is the checkout in a directory.
func DirTree(root string) Tree { return checkout.DirTree(root) }
