package runner

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	// gradlePlain is a line that says nothing of how tests run, wherever it stands: which
	// packages are needed, of which release, what goes into an archive, an option of Kotlin's
	// compiler that leaves tests as they are.
	gradlePlain = pattern.Lazy(`^(["']?(testImplementation|testRuntimeOnly|testCompileOnly|` +
		`testFixturesImplementation|androidTestImplementation|testAnnotationProcessor|testCompile|` +
		`kaptTest)\b.*|` +
		`(implementation|api|compileOnly|runtimeOnly)(\(\s*|\s)(["'][\w.:$\-{}]+["']|` +
		`(libs|projects)\.[\w.]+|` +
		`["'][\w.:-]+:\$\{[\w.()\["\]]*\}["']|(project|kotlin)\(["'][\w:-]+["']\))\s*\)?|` +
		`((sourceSets\["main"\]|sourceSets\.main)\.)?manifest\.srcFile[( ]\s*["'][\w./-]+["']\)?|` +
		`(it\.)?excludes?(\(|\s*\+?=?\s*)["']/?META-INF/[\w./*-]*["']\)?|namespace\s*=?\s*["'][\w.]+["']|` +
		`include[( ]\s*(["']:?[\w:.-]+["'],?\s*)+\)?|(["']:[\w:.-]+["'],?\s*)+|` +
		`(languageSettings\.)?(optIn|useExperimentalAnnotation)\(["'][\w.]+["']\)|` +
		`publishing\.onlyIf\b.*|toolVersion\s*=\s*["'][\w.-]+["']|` +
		`version\(\s*["']\w+["'],\s*["']\d[\w.+-]*["']\s*\)|` +
		`freeCompilerArgs(\.add\(|\s*\+=\s*)["']-X(return-value-checker|explicit-api|` +
		`expect-actual-classes|context-receivers|context-parameters|jvm-default|suppress-version-warnings|` +
		`skip-(runtime-version|metadata-version|prerelease)-check)(=[\w-]+)?["']\)?|` +
		`from\(?\s*sourceSets(\.main|\.named\("main"\)|\["main"\])(\.get\(\))?(\.map \{ it)?` +
		`\.(allSource|allJava|output)( \})?\)?)$`)
	// mainOnMain lets sources of the product be made of others.
	mainOnMain = pattern.Lazy(`^((named|getByName|get)\(["'](\w|\$\{?\w+\}?)*Main["']\)\.|\w+Main\.)?` +
		`dependsOn\(\w+Main\)$`)
	// plainBlock is the head of a block that says nothing itself: for which sources, or in
	// which case, what stands in it holds.
	plainBlock = pattern.Lazy(`^(sourceSets|all|configureEach|languageSettings(\.apply)?|` +
		`(kotlin|compiler)Options|kotlin|dependencies|\w+(Main|Test)(\.dependencies)?|val main by sourceSets\.getting|` +
		`(sourceSets|getByName|named)[(\[]"\w+(Main|Test)"[)\]](\.dependencies)?|val \w+Main by (sourceSets\.)?(creating|getting)|` +
		`val \w+Test by (sourceSets\.)?getting|if \(\w+\)|` +
		`for \(\w+ in \w+\))\s*\{$`)
)

var (
	// plainPackage is a package by a name that the build or a plugin gives it, or one of
	// npm's, and plainExclusion one that no other brings along.
	plainPackage = pattern.Lazy(`^(implementation|api|compileOnly|runtimeOnly)\(([a-z]\w*(\.\w+)+|` +
		`npm\(["'][\w@/.-]+["'],\s*["'][\w^~.-]+["']\))\)$`)
	plainExclusion = pattern.Lazy(`^exclude\(?\s*group\s*[=:]\s*["'][\w.-]+["'](,\s*module\s*[=:]\s*["'][\w.-]+["'])?\s*\)?$`)
	// targetName is one of Kotlin's targets, targetList the head of a list of them.
	targetName    = pattern.Lazy(`^(["']\w+["'],?\s*)+$`)
	targetList    = pattern.Lazy(`^val\s+\w*([tT]arget|[pP]latform)\w*\s*=\s*listOf\($`)
	ofTestLibrary = pattern.Lazy(`(?i)test|spec|junit|jupiter|spock|spek|mock|assert|hamcrest|cucumber|jqwik|platform`)
	// namedSet only gives a name to sources that are there.
	namedSet = pattern.Lazy(`^(val|def)\s+\w+Test\s*(by\s+(sourceSets\.)?getting(\s*\{\s*\})?|=\s*sourceSets\.\w+)$`)
)

// moduleOut leaves a module out of what another brings along, by its group and its name.
var moduleOut = pattern.Lazy(`^exclude\(\s*["'][\w.-]+["'],\s*["'][\w.-]+["']\s*\)$`)

// leavesModuleOut tells such a line among what a project is made with.
func leavesModuleOut(t *source.Text, i int, line string) bool {
	if !moduleOut().MatchString(line) || ofTestLibrary().MatchString(line) {
		return false
	}
	for b := t.Outline.At[i]; b != nil; b = b.Parent {
		if headOf(t, b) == "dependencies {" {
			return true
		}
	}
	return false
}

// isPlain tells a line that says nothing of how tests run.
func isPlain(line string) bool {
	return gradlePlain().MatchString(line) || namedSet().MatchString(line) ||
		(mainOnMain().MatchString(line) || plainPackage().MatchString(line)) && !speaksOfTests().MatchString(line) ||
		plainExclusion().MatchString(line) && !ofTestLibrary().MatchString(line)
}

// switchedOn is a part of the build that is to be done.
var switchedOn = pattern.Lazy(`^([\w.-]+\.|[A-Z_]+_)?(isEnabled|enabled|ENABLED)(\s*=\s*true|\.set\(true\))$`)

// switchesOn tells a line by which something is done that has nothing to do with tests.
func switchesOn(t *source.Text, i int, line string) bool {
	if !switchedOn().MatchString(line) || speaksOfTests().MatchString(line) {
		return false
	}
	for b := t.Outline.At[i]; b != nil; b = b.Parent {
		if head := headOf(t, b); speaksOfTests().MatchString(head) || !plainName().MatchString(head) {
			return false
		}
	}
	return true
}

// namesTarget tells a target of Kotlin's in a list of them.
func namesTarget(t *source.Text, i int, line string) bool {
	b := t.Outline.At[i]
	return b != nil && targetName().MatchString(line) && !speaksOfTests().MatchString(line) &&
		targetList().MatchString(headOf(t, b))
}

// plainName is the head of a block that bears a mere name.
var plainName = pattern.Lazy(`^\w+\s*\{$`)

// saysNothing tells the head or the end of a block in which all is plain.
func saysNothing(t *source.Text, i int, line string) bool {
	b := t.Outline.At[i]
	if strings.HasSuffix(line, "{") {
		b = t.Outline.At[i+1]
	} else if line != "}" {
		return false
	}
	if b == nil || !plainBlock().MatchString(headOf(t, b)) {
		return false
	}
	return all(t, b, func(line string) bool {
		return line == "}" || isPlain(line) || plainBlock().MatchString(line) || declaresMainSet(t, 0, line)
	})
}

// all tells whether something holds for every line within a block.
func all(t *source.Text, b *source.Block, holds func(line string) bool) bool {
	for k := b.Line + 1; k < len(t.Live) && (t.Blank(k) || source.Within(t.Outline.At[k], b)); k++ {
		if line := strings.TrimSpace(t.Live[k]); line != "" && !holds(line) {
			return false
		}
	}
	return true
}

// headOf is the line by which a block begins.
//
//go:noinline
func headOf(t *source.Text, b *source.Block) string { return strings.TrimSpace(t.Live[b.Line]) }

var (
	// mainSet declares a set of sources of the product, on one platform or some.
	mainSet = pattern.Lazy(`^(val|def)\s+(\w+Main)\s*(by\s+(sourceSets\.)?(creating|getting)|=\s*sourceSets\.\w+Main|` +
		`=\s*(sourceSets\.)?(create|getByName|maybeCreate)\("\w+Main"\))(\s*\{)?$`)
	// asideOfTests is the head of a block of Gradle about what is published, signed,
	// packed or documented, or about where packages come from.
	asideOfTests = pattern.Lazy(`^(publishing|signing|repositories|mavenPublishing|nexusPublishing|jreleaser|` +
		`dokka\w*|develocity|gradleEnterprise|buildCache|` +
		`tasks\.withType\s*[<(]\s*(Sign|\w*Jar|Javadoc|Dokka\w*|\w*Publish\w*|GenerateModuleMetadata)` +
		`(\.class)?\s*[>)](\s*\(\s*\))?(\.configureEach)?|` +
		`(tasks\.)?(jar|javadoc|shadowJar|sourcesJar|javadocJar))\s*\{`)
	// scopeHead is that of a block that only says for which projects, or when, what stands
	// in it holds.
	scopeHead = pattern.Lazy(`^(allprojects|subprojects|configure\([\w.]+\)|(project\.)?afterEvaluate|` +
		`tasks)\s*\{$`)
	// reachesOut is what such a block would need to have a say about anything else.
	reachesOut = pattern.Lazy(`(?i)test|\b(tasks?|project|rootProject|gradle|settings|` +
		`sourceSets?|java|kotlin|afterEvaluate|allTasks|allprojects|subprojects|` +
		`extensions?|the|ext|apply|plugins|pluginManager|buildscript|evaluate|this|delegate|owner|metaClass|` +
		`System|Runtime|exec|eval|Class|invoke\w*|call|with|run|` +
		`get\w*|find\w*|named|withType|matching|val|var|def)\b|::|["']\s*\+|\$`)
	// ownPart is the head of a part of such a block, ofAnother a word for what is left out or
	// switched off behind a name.
	ownPart = pattern.Lazy(`^(publications|repositories|maven\w*|content|pom|filter|manifest|exclusiveContent|` +
		`buildScan|publishing|from|into|metaInf|dokkaSourceSets(\.\w+)?|sourceLink)` +
		`(\s*\([^(){}]*\))?\s*\{$`)
	// plainCondition asks a text of the build, such as its version, and does nothing.
	plainCondition = pattern.Lazy(`^(\s*onlyIf\s*\{)\s*!?\s*(\w+\.(startsWith|endsWith|contains)` +
		`\(\s*["'][\w.-]*["']\s*\)|System\.getenv\(["']\w+["']\)(\s*[!=]=\s*null)?)\s*\}\s*$`)
	webAddress = pattern.Lazy(`https?://[\w./-]*`)
	// plainNeed says when something has to be signed, plainNames name files of an archive or
	// samples of a documentation.
	plainNeed = pattern.Lazy(`^(\s*required)\s*\{\s*(!?(\w+\.(startsWith|endsWith|contains)\(["'][\w.-]*["']\)|` +
		`gradle\.taskGraph\.hasTask\(["'][\w:.-]+["']\)|is\w+)(\s*(&&|\|\|)\s*)?)+\s*\}\s*$`)
	plainNames = pattern.Lazy(`^\s*(?:relocate|exclude|samples\.from)\((["'][\w./*-]+["'](,\s*)?)+\)\s*$`)
	ofAnother  = pattern.Lazy(`[\w)\]>]\s*\??\.\s*\w+\s*([({=]|$)`)
)

// standsAside tells a line of a block that is about nothing that tests are made of, and
// in which no line has a say about anything else: what is asked for, left out or switched
// off there is the block's own.
func standsAside(t *source.Text, i int, _ string) bool {
	b := t.Outline.At[i]
	for b != nil && b.Parent != nil && !(asideOfTests().MatchString(headOf(t, b)) && isScope(t, b.Parent)) {
		if !ownPart().MatchString(headOf(t, b)) {
			return false
		}
		b = b.Parent
	}
	said := func(line string) string {
		line = plainCondition().ReplaceAllString(strings.TrimRight(line, "\r\n"), "$1")
		line = plainNames().ReplaceAllString(plainNeed().ReplaceAllString(line, "$1"), "")
		return webAddress().ReplaceAllString(line, "")
	}
	if b == nil || b.Line == i || ofAnother().MatchString(said(t.Live[i])) {
		return false
	}
	head := headOf(t, b)
	if !asideOfTests().MatchString(head) || strings.Contains(head[strings.IndexByte(head, '{')+1:], "{") {
		return false
	}
	return all(t, b, func(line string) bool { return !reachesOut().MatchString(said(line)) })
}

var (
	// ofSigning is the head of what holds for all that is signed.
	ofSigning = pattern.Lazy(`^(tasks\.)?withType<Sign>(\(\))?(\.configureEach)?\s*\{$`)
	// ifThere is the head of a block about a task by its name.
	ifThere = pattern.Lazy(`^(tasks\.)?findByName\("[\w${}]+"\)\?\.let\s*\{$`)
)

// ordersSigning tells a line by which something is signed after another task, and no more.
func ordersSigning(t *source.Text, i int, line string) bool {
	b := t.Outline.At[i]
	if strings.HasSuffix(line, "{") {
		b = t.Outline.At[i+1]
	}
	return b != nil && b.Parent != nil && ifThere().MatchString(headOf(t, b)) &&
		ofSigning().MatchString(headOf(t, b.Parent)) &&
		all(t, b, func(line string) bool { return line == "mustRunAfter(it)" || line == "}" })
}

// isScope tells a block of all projects or some, alone or in others of the kind.
func isScope(t *source.Text, b *source.Block) bool {
	for ; b != nil; b = b.Parent {
		if !scopeHead().MatchString(headOf(t, b)) {
			return false
		}
	}
	return true
}

// buildForTests is a build of its own, below the sources of tests, which they run.
var buildForTests = pattern.Lazy(`(^|/)src/[a-z]*[tT]est/.+/(build|settings)\.gradle(\.kts)?$`)

// declaresMainSet tells a line that declares sources of the product, and says nothing of tests.
func declaresMainSet(_ *source.Text, _ int, line string) bool {
	return mainSet().MatchString(line) && !speaksOfTests().MatchString(line)
}
