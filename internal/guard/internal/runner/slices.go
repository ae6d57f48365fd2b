package runner

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/linkflags"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// registrations are the lines of a build file that speak of tests. Lines that
// merely register one more may join them.
type registrations []string

// bazelLoad takes rules by their own names from where Bazel's makers keep them.
var bazelLoad = pattern.Lazy(`^load\("@rules_(cc|java|python|shell|rust|kotlin|proto)//[\w/]*:[\w/]+\.bzl"(,\s*"\w+")+\s*,?\)$`)

// cmakeMessage is a text that CMake prints, which may end it, and no more.
var cmakeMessage = pattern.Lazy(`(?i)^message\s*\((FATAL_ERROR|WARNING|STATUS|SEND_ERROR|NOTICE)\s+"[^"$]*"\)$`)

// needsOfTests are the modules that a target of tests is made with.
var needsOfTests = pattern.Lazy(`\.testTarget\(\s*name:\s*("[^"]*"),\s*dependencies:\s*\[[^\[\]]*\](,?)\s*(\)?)`)

var (
	// helpOfOption is what an option of CMake says of itself to people.
	helpOfOption = pattern.Lazy(`(?i)^(option\s*\(\s*\w+)\s+"[^"$]*"`)
	// lastRemark is a remark of mere words behind code of Swift.
	lastRemark = pattern.Lazy(`\s+//[\w\s.,:-]*$`)
)

func lineSlice(words string) func(*Rules, string, string, string) any {
	re := pattern.Lazy(words)
	return func(_ *Rules, p, text, _ string) any {
		out := registrations{}
		if path.Ext(p) == ".swift" {
			text = needsOfTests().ReplaceAllString(withoutLastRemarks(text), ".testTarget(name: $1$2$3")
		}
		for _, line := range strings.Split(text, "\n") {
			line = strings.TrimSpace(linkflags.StripComment(line, "#", "//"))
			line = helpOfOption().ReplaceAllString(line, "$1")
			if path.Ext(p) == ".swift" {
				line = strings.TrimSuffix(line, ",")
			}
			if bazelLoad().MatchString(line) || cmakeMessage().MatchString(line) {
				continue
			}
			if re().MatchString(line) {
				out = append(out, line)
			}
		}
		return out
	}
}

// withoutLastRemarks leaves out remarks behind code.
func withoutLastRemarks(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = lastRemark().ReplaceAllString(line, "")
	}
	return strings.Join(lines, "\n")
}

var dotnetVersion = pattern.Lazy(`\s*\bVersion(Override)?="[^"$]*"|<Version>[^<$]*</Version>|` +
	`<\w*Version>[\w.*+\[\](),-]*</\w*Version>`)

var (
	// csharpProject is the kind of a project of C#, which has had two numbers.
	csharpProject = pattern.Lazy(`Project\("\{(?:FAE04EC0-301F-11D3-BF4B-00C04F79EFBC|` +
		`9A19103F-16F7-4668-BE54-9A1E7A4F7556)\}"\)`)
	// besideProduct is a project that neither is the product nor tests it.
	besideProduct = pattern.Lazy(`(?im)^Project\("[^"]*"\)\s*=\s*"[^"]*",\s*"(samples?|examples?|benchmarks?|` +
		`demos?|docs?)[\\/][^"]*".*$`)
	tagEnd = pattern.Lazy(`\s*/?>`)
	// folderOfSolution only groups projects for people.
	folderOfSolution = pattern.Lazy(`(?m)^Project\("\{2150E333-8FDC-42A3-9474-1A3956D46DE8\}"\).*$`)
	noWarnings       = pattern.Lazy(`<NoWarn>[\w\s;,$()]*</NoWarn>`)
	speaksOfTests    = pattern.Lazy(`(?i)test|spec|check`)
)

// dotnetLines are the lines about tests without the versions of packages, and without
// projects that are only to be looked at.
func dotnetLines(r *Rules, p, text, other string) any {
	text = besideProduct().ReplaceAllStringFunc(text, func(line string) string {
		if speaksOfTests().MatchString(line) {
			return line
		}
		return ""
	})
	text = noWarnings().ReplaceAllString(folderOfSolution().ReplaceAllString(withoutRemarks(text), ""), "")
	if r.isProductProject(p, text, other) {
		text = compiledSource().ReplaceAllString(text, "")
	}
	text = tagEnd().ReplaceAllString(text, ">")
	text = csharpProject().ReplaceAllString(text, `Project("{C#}")`)
	return lineSlice(dotnetWords)(r, p, dotnetVersion().ReplaceAllString(text, ""), other)
}

var newCase = pattern.Lazy(`(?i)^(add_test|gtest_discover_tests|gtest_add_tests|catch_discover_tests|` +
	`doctest_discover_tests|cc_test|py_test|go_test|java_test|test|\.testTarget|\(test|Project\("\{)\s*\(?`)

// ownCase registers a case by a function of the build's own.
var ownCase = pattern.Lazy(`(?i)^(\w*add\w*_tests?\()[^$;]*\)$`)

// isOneMore tells a line that registers one more case, in the words of an old one.
func (before registrations) isOneMore(line string) bool {
	if newCase().MatchString(line) {
		return true
	}
	m := ownCase().FindStringSubmatch(line)
	return m != nil &&
		slices.ContainsFunc(before, func(old string) bool { return strings.HasPrefix(old, m[1]) })
}

// extends tells whether the old registrations all stand, and the new ones do no
// more than add a test.
func (before registrations) extends(after registrations) bool {
	i := 0
	for _, line := range after {
		if i < len(before) && before[i] == line {
			i++
			continue
		}
		if !before.isOneMore(line) || strings.Contains(line, "DISABLED") ||
			strings.Contains(line, "WILL_FAIL") {
			return false
		}
	}
	return i == len(before)
}

var (
	// prose is a line that is, or only prints, a text.
	prose = pattern.Lazy(`^(puts|print|warn|desc|raise|abort|echo|` +
		`println)?\b[\s(]*["'][^"']*["'][\s,)\\.]*$`)
	// taskProse is a line of a Taskfile that is for people to read.
	taskProse = pattern.Lazy(`^-?\s*(desc|summary|prompt|msg)\s*:\s*(['"]?[\w{]|$)`)
	// documentName is that of a file to be read by people, whatever it is about.
	documentName = pattern.Lazy(`[\w/-]+\.(rdoc|md|markdown|adoc|rst|html)\b`)
	// startsTask is in lines of Ruby in which a text can name or start a task of tests.
	startsTask = pattern.Lazy(`(?i)\b(task|namespace|sh|system|exec|spawn|ruby|rspec|minitest|invoke|` +
		`pattern|` +
		`test_files|filelist|load|require\w*|import|default|env)\b|` + "`")
	// gemNeed is what a gem says of itself, and a package of some version that it needs.
	gemNeed = pattern.Lazy(`^\w+\.(?:required_ruby_version|summary|homepage|license)\s*=\s*["'][^"'#]*["']$|` +
		`^\w+\.add_(?:runtime_|development_)?dependency\s*\(?\s*["'][\w-]+["']` +
		`(?:\s*,\s*["'][~<>=!\s\w.]+["'])*\s*\)?$`)
	// requirement is a package of some version, in a list.
	requirement = pattern.Lazy(`^["'][\w.-]+(\[[\w,-]*\])?\s*([=<>!~]=?\s*[\w.*]+\s*,?\s*)+["'],?$`)
)

// blockSlice keeps the lines that speak of tests together with the blocks that
// they open, and the headers of blocks around them; not those of which one of aside
// says that they are about something else.
func blockSlice(words string, aside ...func(t *source.Text, i int, line string) bool,
) func(*Rules, string, string, string) any {
	re := pattern.Lazy(words)
	return func(_ *Rules, p, text, _ string) any {
		lang := lexer.Of(p)
		if lang == nil {
			lang = lexer.Of(sliceLanguage(p))
		}
		text = coordinates().ReplaceAllString(text, "$1$2")
		if path.Ext(p) == ".properties" {
			text = ofProperties().ReplaceAllString(text, "")
		}
		if path.Ext(p) == ".sbt" {
			text = brokenInterface().ReplaceAllString(releaseOfSBT().ReplaceAllString(text, "$1"), "")
		}
		t := source.Read(lang, diff.Split(text))
		out, isTasks := []string{}, strings.HasPrefix(path.Base(p), "Taskfile")
		for i, line := range t.Live {
			line = strings.TrimSpace(line)
			if line == "" || isTasks && taskProse().MatchString(line) || isPlain(line) || saysNothing(t, i, line) ||
				prose().MatchString(strings.TrimSpace(t.Code[i])) || toPeople(t, i) || isOfPackage(p, line) ||
				requirement().MatchString(line) || gemNeed().MatchString(line) || !re().MatchString(line) && setsCompiler(t, i, line) ||
				slices.ContainsFunc(aside, func(is func(*source.Text, int, string) bool) bool { return is(t, i, line) }) {
				continue
			}
			line = documentName().ReplaceAllString(line, "")
			hit := re().MatchString(line) && (lang.Name != "ruby" || re().MatchString(t.Code[i]) ||
				startsTask().MatchString(t.Code[i]))
			for b := t.Outline.At[i]; b != nil && !hit; b = b.Parent {
				hit = re().MatchString(documentName().ReplaceAllString(strings.TrimSpace(t.Live[b.Line]),
					""))
			}
			if hit {
				out = append(out, conditionsOf(t, i, p)+inOneQuote(lang, strings.Join(strings.Fields(line), " ")))
			}
		}
		return out
	}
}

var (
	benchTask = pattern.Lazy(`^(?:multi)?task\s*\(?\s*:?["']?bench\w*["']?\)?\s*do$`)
	benchFile = pattern.Lazy(`^(?:require|require_relative|load|ruby)\s*\(?\s*["'][\w./-]*bench[\w./-]*["']\s*\)?$`)
)

// measures tells, in a task of Rake that measures, what is measured with: it may lie beside tests.
func measures(t *source.Text, i int, line string) bool {
	b := t.Outline.At[i]
	return b != nil && b.Parent == nil && benchTask().MatchString(strings.TrimSpace(t.Live[b.Line])) &&
		benchFile().MatchString(line)
}

var (
	// hoeHead is that of a block in which a gem is described, hoeLine what that says of it.
	hoeHead = pattern.Lazy(`^Hoe\.spec\b[^{]*\bdo$`)
	hoeLine = pattern.Lazy(`^(?:self\.)?(?:dependency|developer|license|require_ruby_version|rdoc_locations|urls|` +
		`summary|description|changes|readme_file|history_file|email|cov_filter|extra_dev_deps|extra_deps|post_install_message)\b[^#` + "`" + `]*$`)
)

// toInstaller begins such a text.
var toInstaller = pattern.Lazy(`^(?:self\.)?post_install_message\s*=\s*<<[~-]["']?\w+["']?$`)

// describesGem tells a line that says of a gem who makes it and what it needs.
func describesGem(t *source.Text, i int, line string) bool {
	b := t.Outline.At[i]
	if i > 0 && t.EndsInString(i-1) && strings.TrimSpace(t.Code[i]) == "" {
		for first := i; first > 0; first-- { // a text that is shown when the gem is installed
			if !t.EndsInString(first - 1) {
				return toInstaller().MatchString(strings.TrimSpace(t.Live[first]))
			}
		}
	}
	return b != nil && b.Parent == nil && b.Line < i && hoeHead().MatchString(strings.TrimSpace(t.Live[b.Line])) &&
		hoeLine().MatchString(line) && !startsTask().MatchString(t.Code[i])
}

// toPeople tells a line that is for people to read: in Elixir one within a text, in Python one of
// what a function or a file says of itself.
func toPeople(t *source.Text, i int) bool {
	switch t.Source.Lang.Name {
	case "elixir":
		return i > 0 && t.EndsInString(i-1) && strings.TrimSpace(t.Code[i]) == ""
	case "python":
		return t.InDocstring(i)
	}
	return false
}

// ofPackage is what setup.py says of a package to people, and what goes into it.
var ofPackage = pattern.Lazy(`^(version|description|long_description\w*|author(_email)?|maintainer(_email)?|url|license|` +
	`keywords|platforms|python_requires|download_url)\s*=\s*\(?["'][^"']*["']\s*\)?,?$|` +
	`^(install_requires|setup_requires|packages)\s*=\s*\[(["'][\w.<>=!~,;\[\] -]*["'],?\s*)*\],?$|` +
	`^packages\s*=\s*find_packages\((\w+=)?[(\[]?(["'][\w.*]+["'],?\s*)*[)\]]?\),?$`)

func isOfPackage(p, line string) bool {
	return path.Base(p) == "setup.py" && ofPackage().MatchString(line)
}

// inOneQuote gives a line of Ruby or Python with the one kind of quotation marks for the other,
// where they mean the same.
func inOneQuote(lang *lexer.Language, line string) string {
	if lang.Name != "ruby" && lang.Name != "python" || strings.ContainsAny(line, "\\#") ||
		strings.Contains(line, "'") && strings.Contains(line, `"`) {
		return line
	}
	return strings.ReplaceAll(line, "'", `"`)
}

// conditionsOf gives the heads of the conditions and loops of Gradle in which line i stands.
func conditionsOf(t *source.Text, i int, p string) (heads string) {
	if !strings.Contains(p, ".gradle") {
		return ""
	}
	for b := t.Outline.At[i]; b != nil; b = b.Parent {
		if s := b.Sort(); s == source.Condition || s == source.Loop {
			heads = strings.TrimSpace(t.Live[b.Line]) + " " + heads
		}
	}
	return heads
}

// coordinates are a package of some release, as Gradle writes them.
var coordinates = pattern.Lazy(`(['"][\w-]+(?:\.[\w-]+)*:[\w.-]+):\d[\w.+-]*(['"])`)

// brokenInterface is a change of what a library gives that a tool of Scala's lets pass.
var brokenInterface = pattern.Lazy(`(?m)^\s*ProblemFilters\.exclude\[\w+\]\("[\w.$*<>]+"\),?\s*$`)

// ofProperties are remarks among properties, and which warnings a plugin of Kotlin's keeps to itself.
var ofProperties = pattern.Lazy(`(?m)^[ \t]*(?:[#!].*|kotlin\.suppressGradlePluginWarnings=[\w,]*[ \t]*)$`)

// releaseOfSBT is which release of a package is used, as sbt has it.
var releaseOfSBT = pattern.Lazy(`("[\w.-]+"\s*%{1,3}\s*"[\w.-]+"\s*%\s*)"\d[\w.+-]*"`)

var (
	compilerOptions = pattern.Lazy(`^(kotlin|compiler)Options\s*(\{|$)`)
	plainValue      = pattern.Lazy(`^\w+\s*=\s*(true|false|["'][\w.-]*["'])$`)
)

// setsCompiler tells a plain option of Kotlin's compiler, which leaves no test out,
// whichever sources it is for.
func setsCompiler(t *source.Text, i int, line string) bool {
	b := t.Outline.At[i]
	return b != nil && b.Line < i && plainValue().MatchString(line) &&
		compilerOptions().MatchString(strings.TrimSpace(t.Live[b.Line]))
}

// sliceLanguage is a name by whose language a build file can be read.
func sliceLanguage(p string) string {
	switch base := path.Base(p); {
	case strings.Contains(base, "ake") && !strings.HasSuffix(base, ".py"), base == "Guardfile":
		return "x.rb"
	case strings.HasPrefix(base, "Taskfile"):
		return "x.py"
	}
	return "x.kt"
}

// mixVersion is which releases of a package may be used.
var mixVersion = pattern.Lazy(`(\{:\w+,)\s*"[~<>=! \w.+-]*\d[\w.+-]*"`)

// mixPackage is a package of some release, and in which surroundings it is needed.
var mixPackage = pattern.Lazy(`(?m)^\s*\{:\w+,,(\s*(only|optional|runtime|override|manager):\s*` +
	`(\[[:\w,\s]*\]|:\w+|true|false),?)*\s*\},?\s*$`)

// mixPlain is in which surroundings a task runs that has nothing to do with tests.
var mixPlain = pattern.Lazy(`(?m)(^|\[)\s*["']?(docs|credo|dialyzer|format|hex\.\w+|inch\.\w+|sobelow)` +
	`["']?:\s*:(docs|dev)(,\s*|\s*$)`)

// mixDocs is a task of documentation by another name, alone.
var mixDocs = pattern.Lazy(`(?m)^\s*aliases:\s*\[\s*docs:\s*[&\w/."]+\s*\],?\s*$`)

// mixLines are the lines about tests without the packages of some release.
func mixLines(r *Rules, p, text, other string) any {
	text = mixDocs().ReplaceAllString(mixPlain().ReplaceAllString(text, "$1"), "")
	text = mixVersion().ReplaceAllString(text, "$1")
	return blockSlice(mixWords)(r, p, mixPackage().ReplaceAllString(text, ""), other)
}

var pomWords = pattern.Lazy(`(?is)<plugin>(?:[^<]|<[^/]|</[^p]|</p[^l])*?(surefire|maven-failsafe|jacoco|` +
	`antrun|exec-maven|gmavenplus|build-helper|groovy|testng)(?:.*?)</plugin>|<(skip\w*|` +
	`maven\.test\.\w+|testFailureIgnore|testSourceDirectory|testResources|failIfNoTests|argLine|` +
	`surefire\.\w+|test|groups|excludedGroups|sourceDirectory)>.*?</`)

var (
	// skipsOther leaves out what is done when all is built and tested.
	skipsOther = pattern.Lazy(`^<skip(Staging|Nexus|Publish|Deploy|Sign|Javadoc|Source|Assembly|Site|Install|Remote|Local)\w*>`)
	// pomVersion is which release of a plugin is used.
	pomVersion = pattern.Lazy(`<version>[\w.-]+</version>`)
	// pomRelease sets a release by a name.
	pomRelease = pattern.Lazy(`<[\w-]+(\.[\w-]+)*\.version>[\w.-]+</[\w.-]+\.version>`)
	// ofProject is what a project says of itself, by its longer name.
	ofProject = pattern.Lazy(`\$\{(?:project|pom)\.(groupId|artifactId|version)\}`)
	// xmlRemark is a remark, or a text in which none can be.
	xmlRemark = pattern.Lazy(`(?s)<!\[CDATA\[.*?\]\]>|<!--.*?-->`)
)

// withoutRemarks leaves out the remarks of a document of XML.
func withoutRemarks(text string) string {
	body := strings.TrimPrefix(text, "\ufeff")
	if strings.Contains(strings.TrimPrefix(body, "<?xml "), "<?") || strings.Contains(text, "<!DOCTYPE") {
		return text // where what looks like a remark may be none
	}
	return xmlRemark().ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "<!--") {
			return ""
		}
		return found
	})
}

func pomXML(_ *Rules, _, text, _ string) any {
	out := []string{}
	text = withoutRemarks(text)
	text = ofProject().ReplaceAllString(pomRelease().ReplaceAllString(text, ""), "$${$1}")
	for _, m := range pomWords().FindAllString(text, -1) {
		if skipsOther().MatchString(m) {
			continue
		}
		out = append(out, strings.Join(strings.Fields(pomVersion().ReplaceAllString(m, "")), " "))
	}
	return out
}
