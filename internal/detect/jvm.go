package detect

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

func lookMaven(d *dir) *Project {
	if d.has("pom.xml") == "" {
		return nil
	}
	mvn := "mvn -B"
	if d.has("mvnw") != "" {
		mvn = "./mvnw -B"
	}
	pom := d.text("pom.xml")
	p := &Project{Tool: "maven", Why: "pom.xml", Test: mvn + " test"}
	// Only a pom with modules runs those of the folders below.
	if strings.Contains(pom, "<modules>") {
		p.covers = everything
	}
	if strings.Contains(pom, "kotlin-maven-plugin") {
		p.Language = "kotlin"
	}
	if strings.Contains(pom, "spotless-maven-plugin") {
		p.Gates = append(p.Gates, Gate{"format", mvn + " spotless:check", mvn + " spotless:apply"})
	}
	return p
}

func lookGradle(d *dir) *Project {
	why := d.has("settings.gradle.kts", "settings.gradle", "build.gradle.kts", "build.gradle")
	if why == "" || d.has("pom.xml") != "" {
		return nil
	}
	gradle := "gradle"
	if d.has("gradlew") != "" {
		gradle = "./gradlew"
	}
	build := d.texts("build.gradle", "build.gradle.kts")
	p := &Project{Tool: "gradle", Why: why, Test: gradle + " test"}
	if d.has("settings.gradle", "settings.gradle.kts") != "" {
		p.covers = everything
	}
	if contains(build, "kotlin(", "org.jetbrains.kotlin", "kotlin-gradle-plugin") {
		p.Language = "kotlin"
	}
	if strings.Contains(build, "com.diffplug.spotless") {
		p.Gates = append(p.Gates, Gate{"format", gradle + " spotlessCheck", gradle + " spotlessApply"})
	}
	if strings.Contains(build, "ktlint") {
		p.Gates = append(p.Gates, Gate{"lint", gradle + " ktlintCheck", gradle + " ktlintFormat"})
	}
	return p
}

var jvmCommands = language{
	name: "java",
	sayings: []saying{
		{formatRole, `(?:\./|sh )?(?:mvnw?|mvnd)\b.* (?:spotless:check|fmt:check|formatter:validate)\b`},
		{testRole, `(?:\./|sh )?(?:mvnw?|mvnd)\b.* (?:verify|test|install|package|integration-test)\b`},
		{testRole, `(?:\./|sh )?(?:mvnw?|mvnd)(?: -\S+)*$`}, // the goal stands in the file
		{formatRole, `(?:\./|sh )?gradlew?\b.* (?:spotlessCheck|ktlintCheck)\b`},
		{lintRole, `(?:\./|sh )?gradlew?\b.* (?:detekt|checkstyleMain|lint)\b`},
		{testRole, `(?:\./|sh )?gradlew?\b.* (?:\S*:)?(?:test|check|build|allTests|jvmTest|testClasses)\b`},
	},
	adapt: adaptJVM,
	actions: map[string]string{
		"gradle/gradle-build-action": "./gradlew {arguments}", "gradle/actions/setup-gradle": "./gradlew {arguments}",
		"burrunan/gradle-cache-action": "./gradlew {arguments}",
	},
}

// toolchain is an option that picks one of the Java versions that CI has.
var toolchain = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-[PD][\w.]*(?i:java|jdk)[\w.]*=[\d.]+$`)
})

// adaptJVM leaves out what does not test, and keeps maven from colouring and asking.
func adaptJVM(p *Project, best []claim) []claim {
	for i := range best {
		words := strings.Fields(best[i].text)
		words = slices.DeleteFunc(words, func(w string) bool {
			return w == "clean" || w == "site" || w == "deploy" || toolchain().MatchString(w)
		})
		if p.Tool == "maven" && !slices.Contains(words, "-B") && !slices.Contains(words, "--batch-mode") {
			words = slices.Insert(words, 1, "-B")
		}
		best[i].text = strings.Join(words, " ")
	}
	return best
}
