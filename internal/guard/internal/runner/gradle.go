package runner

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	// mainSet declares a set of sources of the product, on one platform or some.
	mainSet = pattern.Lazy(`^val\s+(\w+Main)\s*(by\s+(creating|getting)|` +
		`=\s*(create|getByName|maybeCreate)\("\w+Main"\))(\s*\{)?$`)
	// asideOfTests is the head of a block of Gradle about what is published, signed,
	// packed or documented, or about where packages come from.
	asideOfTests = pattern.Lazy(`^(publishing|signing|repositories|mavenPublishing|nexusPublishing|jreleaser|` +
		`dokka\w*|develocity|gradleEnterprise|buildCache|` +
		`tasks\.withType\s*[<(]\s*(Sign|\w*Jar|Javadoc|Dokka\w*|\w*Publish\w*|GenerateModuleMetadata)` +
		`(\.class)?\s*[>)](\s*\(\s*\))?(\.configureEach)?|` +
		`tasks\.(jar|javadoc|shadowJar|sourcesJar|javadocJar))\s*\{`)
	// reachesOut is what such a block would need to have a say about anything else.
	reachesOut = pattern.Lazy(`(?i)test|\b(tasks?|project|rootProject|gradle|settings|` +
		`sourceSets?|java|kotlin|afterEvaluate|allTasks|allprojects|subprojects|` +
		`extensions?|the|ext|apply|plugins|pluginManager|buildscript|evaluate|this|delegate|owner|metaClass|` +
		`System|Runtime|exec|eval|Class|invoke\w*|call|with|run|` +
		`get\w*|find\w*|named|withType|matching|val|var|def)\b|::|["']\s*\+|\$`)
	// ownPart is the head of a part of such a block, ofAnother a word for what is left out or
	// switched off behind a name.
	ownPart = pattern.Lazy(`^(publications|repositories|maven\w*|content|pom|filter|manifest|exclusiveContent)` +
		`(\s*\([^(){}]*\))?\s*\{$`)
	// plainCondition asks a text of the build, such as its version, and does nothing.
	plainCondition = pattern.Lazy(`^(\s*onlyIf\s*\{)\s*!?\s*\w+\.(startsWith|endsWith|contains)` +
		`\(\s*["'][\w.-]*["']\s*\)\s*\}\s*$`)
	ofAnother = pattern.Lazy(`[\w)\]>]\s*\??\.\s*\w+\s*([({=]|$)`)
)

// standsAside tells a line of a block that is about nothing that tests are made of, and
// in which no line has a say about anything else: what is asked for, left out or switched
// off there is the block's own.
func standsAside(t *source.Text, i int, _ string) bool {
	b := t.Outline.At[i]
	for b != nil && b.Parent != nil {
		if !ownPart().MatchString(strings.TrimSpace(t.Live[b.Line])) {
			return false
		}
		b = b.Parent
	}
	if b == nil || b.Line == i || ofAnother().MatchString(plainCondition().ReplaceAllString(strings.TrimRight(t.Live[i], "\r\n"), "$1")) {
		return false
	}
	head := strings.TrimSpace(t.Live[b.Line])
	if !asideOfTests().MatchString(head) || strings.Contains(head[strings.IndexByte(head, '{')+1:], "{") {
		return false
	}
	for k := b.Line + 1; k < len(t.Live) && (t.Blank(k) || source.Within(t.Outline.At[k], b)); k++ {
		if reachesOut().MatchString(t.Live[k]) {
			return false
		}
	}
	return true
}

// declaresMainSet tells a line that declares sources of the product, and says nothing of tests.
func declaresMainSet(_ *source.Text, _ int, line string) bool {
	return mainSet().MatchString(line) && !speaksOfTests().MatchString(line)
}
