package detect

import (
	"regexp"
	"strings"
	"sync"
)

func lookPHP(d *dir) *Project {
	why := d.has("composer.json", "phpunit.xml", "phpunit.xml.dist")
	if why == "" {
		return nil
	}
	composer := d.text("composer.json")
	p := &Project{Why: why}
	script := phpScript().FindStringSubmatch(composer)
	switch {
	case script != nil:
		p.Test, p.own = "composer test", true
	case contains(composer, `"pestphp/pest"`):
		p.Test = "vendor/bin/pest"
	case contains(composer, `"phpunit/phpunit"`) || d.has("phpunit.xml", "phpunit.xml.dist") != "":
		p.Test = "vendor/bin/phpunit"
	default:
		p.Notes = append(p.Notes, why+": no PHP tests were found")
		return p
	}
	if d.path != "." && script == nil && d.has("phpunit.xml", "phpunit.xml.dist") == "" &&
		!d.deep(func(n string) bool { return strings.HasSuffix(n, "Test.php") }) {
		return nil // a package of a larger one, which tests it
	}
	if composer != "" {
		p.Setup = "composer install --no-interaction"
	}
	if p.Test == "vendor/bin/phpunit" && composer == "" {
		p.Test = "phpunit"
	}
	switch {
	case d.has("pint.json") != "":
		p.Gates = append(p.Gates, QualityGate{"format", "vendor/bin/pint --test", "vendor/bin/pint"})
	case d.has(".php-cs-fixer.php", ".php-cs-fixer.dist.php") != "":
		p.Gates = append(p.Gates, QualityGate{"format", "vendor/bin/php-cs-fixer fix --dry-run --diff",
			"vendor/bin/php-cs-fixer fix"})
	}
	if d.has("phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon") != "" {
		p.Gates = append(p.Gates, QualityGate{"typecheck", "vendor/bin/phpstan analyse --no-progress", ""})
	} else if strings.Contains(composer, `"vimeo/psalm"`) && d.has("psalm.xml", "psalm.xml.dist") != "" {
		p.Gates = append(p.Gates, QualityGate{"typecheck", "vendor/bin/psalm --no-progress", ""})
	} else if strings.Contains(composer, `"phpstan/phpstan"`) {
		// Without settings of its own it wants to be told where to look.
		for _, folder := range []string{"src", "app", "lib"} {
			if d.hasFolder(folder) {
				p.Gates = append(p.Gates, QualityGate{"typecheck", "vendor/bin/phpstan analyse --no-progress " + folder, ""})
				break
			}
		}
	}
	return p
}

var phpScript = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)"scripts"\s*:\s*\{[^}]*"test"\s*:`)
})
