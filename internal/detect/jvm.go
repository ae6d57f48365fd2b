package detect

import (
	"strings"
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
	p := &Project{Why: "pom.xml", Test: mvn + " test"}
	// Only a pom with modules runs those of the folders below.
	if strings.Contains(pom, "<modules>") {
		p.covers = everything
	}
	if strings.Contains(pom, "kotlin-maven-plugin") {
		p.Language = "kotlin"
	}
	if strings.Contains(pom, "spotless-maven-plugin") {
		p.Gates = append(p.Gates, QualityGate{"format", mvn + " spotless:check", mvn + " spotless:apply"})
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
	p := &Project{Why: why, Test: gradle + " test"}
	if d.has("settings.gradle", "settings.gradle.kts") != "" {
		p.covers = everything
	}
	if contains(build, "kotlin(", "org.jetbrains.kotlin", "kotlin-gradle-plugin") {
		p.Language = "kotlin"
	}
	if strings.Contains(build, "com.diffplug.spotless") {
		p.Gates = append(p.Gates, QualityGate{"format", gradle + " spotlessCheck", gradle + " spotlessApply"})
	}
	if strings.Contains(build, "ktlint") {
		p.Gates = append(p.Gates, QualityGate{"lint", gradle + " ktlintCheck", gradle + " ktlintFormat"})
	}
	return p
}
