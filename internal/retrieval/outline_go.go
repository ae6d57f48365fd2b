package retrieval

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// goOutline marks the declarations of a Go file. It returns false if too little of the file
// can be parsed.
func (e *excerpt) goOutline(text string) bool {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil || len(f.Decls) == 0 || err != nil && len(f.Decls) < 2 {
		return false
	}
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line - 1 }
	e.mark(line(f.Package), line(f.Package)+1, topLine)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			end := d.End()
			if d.Body != nil {
				end = d.Body.Lbrace
			}
			e.mark(line(d.Pos()), min(line(end), line(d.Pos())+maxSignature)+1, topLine)
			e.doc(d.Doc, line)
		case *ast.GenDecl:
			e.goGroup(d, line)
		}
	}
	return true
}

// maxFields is how many lines of a type's body an outline shows.
const maxFields = 14

func (e *excerpt) goGroup(d *ast.GenDecl, line func(token.Pos) int) {
	if d.Tok == token.IMPORT {
		e.mark(line(d.Pos()), line(d.End())+1, innerLine)
		return
	}
	e.doc(d.Doc, line)
	e.mark(line(d.Pos()), line(d.Pos())+1, topLine)
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			e.mark(line(s.Pos()), line(s.Pos())+1, topLine)
			e.mark(line(s.Pos())+1, min(line(s.End())+1, line(s.Pos())+maxFields), innerLine)
		case *ast.ValueSpec:
			e.mark(line(s.Pos()), line(s.Pos())+1, innerLine)
		}
	}
}

func (e *excerpt) doc(c *ast.CommentGroup, line func(token.Pos) int) {
	if c != nil {
		e.mark(line(c.Pos()), line(c.Pos())+1, docLine)
	}
}
