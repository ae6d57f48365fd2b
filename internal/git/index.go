package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// IndexEntry is a path of an index.
type IndexEntry struct {
	Path string
	Entry
}

// IndexEntries asks git for the entries of its index, those in conflict left out.
func (g Client) IndexEntries(ctx context.Context) ([]IndexEntry, error) {
	out, err := g.Run(ctx, Call{Args: []string{"ls-files", "-s", "-z"}})
	if err != nil {
		return nil, err
	}
	var list []IndexEntry
	for _, line := range SplitNul(out) {
		meta, path, ok := strings.Cut(line, "\t")
		f := strings.Fields(meta) // mode hash stage
		if !ok || len(f) != 3 || f[2] != "0" {
			continue
		}
		if mode, err := strconv.ParseUint(f[0], 8, 32); err == nil {
			list = append(list, IndexEntry{path, Entry{uint32(mode), f[1]}})
		}
	}
	return list, nil
}

// Tracked tells which of the paths the index knows.
func (g Client) Tracked(ctx context.Context, paths []string) (map[string]bool, error) {
	tracked := map[string]bool{}
	if len(paths) == 0 {
		return tracked, nil
	}
	args := []string{"--literal-pathspecs", "ls-files", "-z", "--cached", "--"}
	out, err := g.Run(ctx, Call{Args: append(args, paths...)})
	if err != nil {
		return nil, errors.Join(errors.New("ask git which files it tracks"), err)
	}
	for _, path := range SplitNul(out) {
		tracked[path] = true
	}
	return tracked, nil
}

// Ignored tells which of the paths git ignores; flags are those of git check-ignore.
func (g Client) Ignored(ctx context.Context, paths []string, flags ...string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var in strings.Builder
	for _, path := range paths {
		in.WriteString("./" + path + "\x00") // else a leading colon would be magic
	}
	out, err := g.Run(ctx, Call{
		Args:  append([]string{"check-ignore", "-z", "--stdin"}, flags...),
		Stdin: strings.NewReader(in.String()),
	})
	if err != nil && ExitCode(err) != 1 { // 1: none is ignored
		return nil, fmt.Errorf("ask git which files it ignores: %w", err)
	}
	ignored := SplitNul(out)
	for i, path := range ignored {
		ignored[i] = strings.TrimPrefix(path, "./")
	}
	return ignored, nil
}

// Skipped gives the files that a sparse checkout need not have, by the index.
func (g Client) Skipped(ctx context.Context, settings []Setting) ([]string, error) {
	if !IsTrue(ValueOf(settings, "core.sparsecheckout")) {
		return nil, nil
	}
	out, err := g.Run(ctx, Call{Args: []string{"ls-files", "-t", "-z"}})
	var list []string
	for _, entry := range SplitNul(out) {
		if path, ok := strings.CutPrefix(entry, "S "); ok {
			list = append(list, path)
		}
	}
	return list, err
}

// Pair is what was at a path, and what is.
type Pair struct{ Was, Is Entry }

// ParseRaw reads git's --raw -z output without renames.
func ParseRaw(out []byte) (map[string]Pair, error) {
	f := SplitNul(out)
	m := make(map[string]Pair, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		meta := strings.Fields(strings.TrimPrefix(f[i], ":"))
		if len(meta) != 5 {
			return nil, fmt.Errorf("read git's list of changes: odd entry %q", f[i])
		}
		was, err1 := strconv.ParseUint(meta[0], 8, 32)
		is, err2 := strconv.ParseUint(meta[1], 8, 32)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("read git's list of changes: odd entry %q", f[i])
		}
		p := Pair{Entry{uint32(was), meta[2]}, Entry{uint32(is), meta[3]}}
		if was == ModeAbsent {
			p.Was.Hash = ""
		}
		if is == ModeAbsent {
			p.Is.Hash = ""
		}
		m[f[i+1]] = p
	}
	return m, nil
}
