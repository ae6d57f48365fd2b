package b

import _ "embed"

//go:embed list.txt
var List string

const B = 1
