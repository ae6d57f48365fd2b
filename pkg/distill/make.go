package distill

import "strings"

var (
	reMakeDir   = lazy(`^\w*make(?:\[\d+\])?: Entering directory [` + "`" + `'"](.+)['"]$`)
	reMakeFail  = lazy(`^\w*make(?:\[\d+\])?: \*\*\* (.+)$`)
	reMakeFile  = lazy(`^([\w./-]*(?:[Mm]akefile|\.mk)):(\d+): \*\*\* (.+)$`)
	reShellCd   = lazy(`^(?:\$ |\+ |> )?(?:cd|pushd) ([\w./@-]+)(?: *(?:&&|;).*)?$`)
	reCMake     = lazy(`^CMake Error(?: at ([^:\s]+):(\d+) \(([^)]*)\))?:?(.*)$`)
	reUndefined = lazy(`(?:^|: )(?:ld(?:\.\w+)?: )?(?:error: )?(undefined (?:reference to|symbol:?) .+|duplicate symbol:? .+|multiple definition of .+)$`)
	reLnk       = lazy(`^(\S+) : (?:fatal )?error (LNK\d+): (.+)$`)
	reShellErr  = lazy(`^(?:/bin/|/usr/bin/)?(?:ba|da|z|k|a)?sh: (?:line )?(\d+): (.+)$|^(\S+\.(?:sh|bash|bats)): (?:line )?(\d+): (.+)$`)
)

// readFolders notes the folders that a command changed into, since tools print
// paths relative to theirs.
func readFolders(d *doc, f *found) {
	for i := range d.lines {
		s := d.lines[i].s
		if strings.Contains(s, "Entering directory") {
			if m := reMakeDir().FindStringSubmatch(s); m != nil {
				f.root.entered(m[1])
			}
		} else if strings.HasPrefix(s, "cd ") || strings.HasPrefix(s, "$ cd ") || strings.HasPrefix(s, "+ cd ") || strings.HasPrefix(s, "pushd ") {
			if m := reShellCd().FindStringSubmatch(s); m != nil {
				f.root.entered(m[1])
			}
		} else if strings.HasPrefix(s, "> ") && strings.HasSuffix(s, " test") {
			// npm workspaces: "> pkg@1.0.0 test"
			name, _, _ := strings.Cut(s[2:], "@")
			if strings.HasPrefix(s, "> @") {
				name, _, _ = strings.Cut(s[3:], "@")
				name = name[strings.LastIndexByte(name, '/')+1:]
			}
			if name != "" && !strings.ContainsAny(name, " ") {
				for _, dir := range []string{"packages/", "apps/", "libs/", ""} {
					f.root.entered(dir + name)
				}
			}
		}
	}
}

// readLinker reads what linkers say, which comes in lines that name an object
// file at best.
func readLinker(d *doc, f *found) {
	for i := range d.lines {
		l := &d.lines[i]
		if l.used {
			continue
		}
		if strings.Contains(l.s, "LNK") {
			if m := reLnk().FindStringSubmatch(l.s); m != nil {
				l.used = true
				f.fail(Failure{Message: m[2] + ": " + m[3], detail: []string{l.s}, Kind: KindCompile, runner: "MSVC"})
			}
			continue
		}
		if !strings.Contains(l.s, "undefined ") && !strings.Contains(l.s, "duplicate symbol") && !strings.Contains(l.s, "multiple definition") && !strings.HasPrefix(l.s, "Undefined symbols") {
			continue
		}
		x := Failure{Kind: KindCompile, runner: "ld"}
		if strings.HasPrefix(l.s, "Undefined symbols for architecture") {
			x.Message = l.s
		} else if m := reUndefined().FindStringSubmatch(l.s); m != nil {
			x.Message = m[1]
			// "/usr/bin/ld: main.c:11: undefined reference": the place before it.
			head := strings.TrimSuffix(strings.TrimSuffix(l.s, m[1]), ": ")
			if _, rest, ok := strings.Cut(head, "ld: "); ok {
				head = rest
			}
			if g, ok := cutPlace(head, f.root); ok {
				x.File, x.Line = g.file, g.line
			} else if strings.Contains(head, ".o:") || strings.HasSuffix(head, ".o") {
				x.detail = append(x.detail, l.s)
			}
		} else {
			continue
		}
		l.used = true
		for k := i + 1; k < len(d.lines) && k < i+12; k++ {
			s := d.lines[k].s
			if !strings.HasPrefix(s, ">>>") && !strings.HasPrefix(s, "  ") {
				break
			}
			x.detail = append(x.detail, s)
			d.lines[k].used = true
			t := strings.TrimSpace(strings.TrimPrefix(s, ">>>"))
			t = strings.TrimPrefix(t, "referenced by ")
			if g, ok := cutPlace(t, f.root); ok && x.File == "" {
				x.File, x.Line = g.file, g.line
			}
		}
		f.fail(x)
	}
}

// readMake reads make, CMake and the shell. Make mostly passes on that
// something else failed; that is told only if nothing else is known.
func readMake(d *doc, f *found) {
	for i := range d.lines {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case strings.HasPrefix(s, "CMake Error"):
			m := reCMake().FindStringSubmatch(s)
			if m == nil {
				continue
			}
			x := Failure{File: m[1], Line: atoi(m[2]), Kind: KindCompile, Message: strings.TrimSpace(m[4]), runner: "CMake"}
			for k := i + 1; k < len(d.lines) && k < i+40 && (d.lines[k].s == "" || d.lines[k].s[0] == ' '); k++ {
				x.detail = append(x.detail, d.lines[k].s)
				d.lines[k].used = true
			}
			x.detail = trimBlock(x.detail)
			if x.Message == "" && len(x.detail) > 0 {
				x.Message, x.detail = x.detail[0], x.detail[1:]
			}
			l.used = true
			f.fail(x)
		case strings.Contains(s, ": *** "):
			if m := reMakeFile().FindStringSubmatch(s); m != nil {
				l.used = true
				f.fail(Failure{File: m[1], Line: atoi(m[2]), Message: m[3], Kind: KindError, runner: "make"})
			} else if m := reMakeFail().FindStringSubmatch(s); m != nil {
				l.used = true
				f.saw("make")
				x := Failure{Message: s, Kind: KindError, runner: "make"}
				for k := max(0, i-8); k < i; k++ { // what failed stands above
					if !d.lines[k].used && d.lines[k].s != "" {
						x.detail = append(x.detail, d.lines[k].s)
					}
				}
				f.wrapped = append(f.wrapped, x)
			}
		case strings.HasPrefix(s, "No tests were found!!!") || strings.HasSuffix(s, "No tests to run.") || strings.HasPrefix(s, "error: No test modules found"):
			f.noTests = true
			l.used = true
		case strings.Contains(s, "sh: ") || strings.Contains(s, ".sh: "):
			if m := reShellErr().FindStringSubmatch(s); m != nil {
				x := Failure{Message: s, Kind: KindError, runner: "shell"}
				if m[3] != "" {
					x.File, x.Line = m[3], atoi(m[4])
				}
				f.loose = append(f.loose, x)
			}
		}
	}
}
