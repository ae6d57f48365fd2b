package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// What a line of a form means to others, in languages that are known by their layout alone.

var (
	// ofModule sets a part of what bears a name in capital letters, as modules do.
	ofModule = pattern.Lazy(`^\s*([A-Z]\w*)(?:\.\w+)+\s*(?:<-|:=|=)(?:[^=>~]|$)`)
	// extends is a method of another module, in Julia.
	extends = pattern.Lazy(`^\s*(?:function\s+[A-Z][\w.]*\.:?\(?[\w!=<>+*/-]+\)?\(|` +
		`[A-Z][\w.]*\.:?\(?[\w!=<>+*/-]+\)?\(.*\)\s*(?:where\b[^=]*)?=(?:[^=]|$))`)
	// definesInLisp binds a name for all, wherever it stands.
	definesInLisp = pattern.Lazy(`\((?:[\w.-]+/)?(?:def|cl-def|ert-def|define)\S*\s+\(?([^\s()\[\]{}"]+)`)
	// setsForAll does so by a function.
	setsForAll = pattern.Lazy(`\bassign\s*\(.*(?:[gG]lobal|parent|envir)|\(intern\s|\breset!|\bswap!`)
)

// reachesOut tells a line that changes what stands outside of it, wherever that is.
func (a *forms) reachesOut(i int) bool {
	code := strings.TrimRight(a.new.Code[i], "\r\n")
	if m := ofModule().FindStringSubmatch(code); m != nil && a.words[m[1]] || a.lang == "r" && setsForAll().MatchString(code) {
		return true
	}
	if a.lang == "julia" && extends().MatchString(code) {
		return !a.isOfNewType(i)
	}
	if isLisp(a.lang) {
		for _, m := range definesInLisp().FindAllStringSubmatch(code, -1) {
			if width(code) > 0 && a.words[m[1]] {
				return true
			}
		}
		return width(code) == 0 && setsForAll().MatchString(code)
	}
	return false
}

// declaresType tells, in Haskell, a type or a class that the file declares.
func (a *forms) declaresType(name string) bool {
	return slices.ContainsFunc(a.new.Code, func(code string) bool {
		words := a.wordsOf(code)
		return width(code) == 0 && len(words) > 1 && slices.Contains(words[1:], name) &&
			(words[0] == "data" || words[0] == "newtype" || words[0] == "class")
	})
}

var (
	methodOfJulia = pattern.Lazy(`^\s*(?:function\s+)?[A-Za-z][\w.]*\.:?\(?[\w!=<>+*/-]+\)?\(`)
	exitsInJulia  = pattern.Lazy(`\bexit\s*\(`)
	// onlyWarns is an order to the compiler about its warnings, or to take forms that it did not.
	onlyWarns = pattern.Lazy(`^\{-#\s*(?:OPTIONS_GHC(?:\s+-(?:W[\w-]+|f(?:no-)?warn-[\w-]+))+|` +
		`LANGUAGE\s+(?:(?:Deriv\w+|Flexible\w+|Standalone\w+|Generali[sz]edNewtypeDeriving|ScopedTypeVariables|TypeApplications|` +
		`LambdaCase|BangPatterns|TupleSections|RecordWildCards|NamedFieldPuns|MultiWayIf|DataKinds|KindSignatures|RankNTypes|` +
		`MultiParamTypeClasses|GADTs|NumericUnderscores|BlockArguments|PatternSynonyms|ViewPatterns|ImportQualifiedPost|` +
		`EmptyCase|EmptyDataDeriving|InstanceSigs|ExistentialQuantification|FunctionalDependencies|TypeOperators|ConstraintKinds|` +
		`AllowAmbiguousTypes|PolyKinds)\s*,?\s*)+)\s*#-\}\s*$`)
	usesModules  = pattern.Lazy(`^using\s+[\w.]+(?:,\s*[\w.]+)*\s*$`)
	definesSpec  = pattern.Lazy(`^\w+/def$`)
	tellsInJulia = pattern.Lazy(`^@(?:info|warn|debug|show|test\w*)\b`)
	typeOfJulia  = pattern.Lazy(`::\s*(?:Type\{)?(?:<:\s*)?([A-Z]\w*)`)
)

// isOfNewType tells, in Julia, a method of another module for a type that was added as well.
func (a *forms) isOfNewType(i int) bool {
	return extendsForOwn(a.new, i, func(name string) bool { return a.words[name] })
}

// extendsForOwn tells, in Julia, a method of another module for a type that the file declares, and no
// old line names.
func extendsForOwn(t *source.Text, i int, isOld func(name string) bool) bool {
	code := t.Code[i]
	if !methodOfJulia().MatchString(code) {
		return false
	}
	for _, m := range typeOfJulia().FindAllStringSubmatch(code, -1) {
		if !isOld(m[1]) && slices.ContainsFunc(t.Code, func(line string) bool {
			line = strings.TrimPrefix(strings.TrimSpace(line), "mutable ")
			return strings.HasPrefix(line, "struct "+m[1]) || strings.HasPrefix(line, "abstract type "+m[1])
		}) {
			return true
		}
	}
	return false
}
