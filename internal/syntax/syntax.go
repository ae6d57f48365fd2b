// Package syntax asks a language's own interpreter whether a file still parses,
// before anything is written into the work tree. In come a file's path and its
// text before and after; out goes a sentence that says what does not parse, or "".
//
// It must never run the file: every row of the table names a flag that only
// parses. Perl is the exception, whose BEGIN blocks run: it is asked only where
// the caller says that commands are caged. And it must never refuse what it does
// not understand: an interpreter that is missing, too old or of another dialect
// than the project says so by not parsing the text as it was, and then nothing is
// said.
package syntax

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/booty-cli/booty/internal/regular"
)

// Ran is how a command ended.
type Ran struct {
	ExitCode int
	Output   string
}

// Runner runs a command of the shell with the root of the work tree as its
// folder, caged as checks are.
type Runner func(ctx context.Context, command string) (Ran, error)

// Checker looks at files of one work tree.
type Checker struct {
	Root string
	Run  Runner
	// Temp is where the commands may read what booty puts there; "" is the
	// system's.
	Temp string
	// Caged says that what runs can do no harm outside of the work tree.
	Caged bool
	// Quote makes a text one word of the shell; false where that cannot be.
	Quote func(string) (string, bool)
}

// File is a file as a proposal leaves it.
type File struct {
	Path string
	// Old is the text before, New the one after.
	Old, New []byte
	Created  bool
}

// maxFile bounds what is looked at.
const maxFile = 1 << 20

// Check says why the file no longer parses, "" where it does, or where that
// cannot be told. The error is for the context's end and booty's own trouble.
func (c Checker) Check(ctx context.Context, f File) (string, error) {
	l := languageOf(f.Path, f.New)
	if l == nil || len(f.New) > maxFile || l.runs && !c.Caged || f.Created && onPurpose(f.Path) {
		return "", nil
	}
	said, err := c.ask(ctx, l, f.Path, f.New)
	if err != nil || said == "" {
		return "", err
	}
	before, ok := f.Old, !f.Created
	if f.Created {
		before, ok = c.sibling(f.Path)
	}
	if ok && strings.TrimSpace(string(before)) != "" {
		// Where the text as it was does not parse either, it is no such language
		// to this interpreter.
		if broken, err := c.ask(ctx, l, f.Path, before); err != nil || broken != "" {
			return "", err
		}
	}
	return fmt.Sprintf("the new %s does not parse: %s", f.Path, said), nil
}

// onPurpose tells places whose files may be broken on purpose, or are templates.
func onPurpose(name string) bool {
	p := "/" + strings.ToLower(name)
	for _, dir := range []string{"/testdata/", "/fixtures/", "/__fixtures__/", "/templates/", "/template/"} {
		if strings.Contains(p, dir) {
			return true
		}
	}
	return false
}

// sibling is the text of another file of the same kind in the same folder.
func (c Checker) sibling(name string) ([]byte, bool) {
	dir := filepath.Join(c.Root, filepath.FromSlash(path.Dir(name)))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, false
	}
	for _, e := range entries {
		if e.Type().IsRegular() && path.Ext(e.Name()) == path.Ext(name) && e.Name() != path.Base(name) {
			if data, err := regular.Read(filepath.Join(dir, e.Name()), regular.MaxSize); err == nil &&
				len(data) > 0 &&
				len(data) <= maxFile {
				return data, true
			}
		}
	}
	return nil, false
}

// ask gives what the interpreter says of a text, "" where it parses or where the
// interpreter cannot be had.
func (c Checker) ask(ctx context.Context, l *language, name string, text []byte) (string, error) {
	dir, err := os.MkdirTemp(c.Temp, "booty-parse-")
	if err != nil {
		return "", fmt.Errorf("look whether %s parses: %w", name, err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Chmod(dir, 0o755); err != nil { // commands may run as another user
		return "", fmt.Errorf("look whether %s parses: %w", name, err)
	}
	forms := l.forms
	if len(forms) == 0 {
		forms = []string{""}
	}
	for i, form := range forms {
		said, err := c.askAs(ctx, l, form, filepath.Join(dir, fmt.Sprint(i)), name, text)
		if err != nil || said == "" {
			return "", err
		}
		if i == len(forms)-1 {
			return said, nil
		}
	}
	return "", nil
}

// askAs asks about the text in a file with the ending form, "" for its own.
func (c Checker) askAs(
	ctx context.Context, l *language, form, dir, name string, text []byte,
) (string, error) {
	base := path.Base(name)
	if form != "" {
		base = strings.TrimSuffix(base, path.Ext(base)) + form
	}
	file := filepath.Join(dir, base)
	err := os.Mkdir(dir, 0o755)
	if err == nil {
		err = os.WriteFile(file, text, 0o644)
	}
	if err != nil {
		return "", fmt.Errorf("look whether %s parses: %w", name, err)
	}
	word, ok := c.Quote(file)
	if !ok {
		return "", nil
	}
	ran, err := c.Run(ctx, strings.ReplaceAll(l.command, "FILE", word))
	if err != nil {
		return "", err
	}
	if ran.ExitCode == 0 {
		return "", nil
	}
	return l.said(ran.Output, file), nil
}

// said finds the interpreter's word about the syntax in its output. Patterns are
// compiled here, since this is seldom reached.
func (l *language) said(output, file string) string {
	re := regexp.MustCompile(l.pattern)
	for line := range strings.Lines(output) {
		m := re.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		text := strings.TrimSpace(strings.ReplaceAll(m[1], file, filepath.Base(file)))
		if l.line == "" || strings.Contains(text, "line ") {
			return text
		}
		at := regexp.MustCompile(
			strings.ReplaceAll(l.line, "FILE", regexp.QuoteMeta(file))).FindStringSubmatch(output)
		if at != nil {
			text = "line " + at[1] + ": " + text
		}
		return text
	}
	return ""
}
