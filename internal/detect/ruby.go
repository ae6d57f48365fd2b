package detect

import (
	"regexp"
	"strings"
	"sync"
)

var (
	rakeTest = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)TestTask\.new|^\s*task\s*\(?:?["']?test\b|Minitest::TestTask`)
	})
	rspecGem   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`["']rspec(-rails|-core)?["']`) })
	railsGem   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*gem\s*\(?["']rails["']`) })
	rubocopGem = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[^#\n]*\b(?:gem|add_\w*dependency)\s*\(?["']rubocop["']`)
	})
	rubySpec    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_spec\.rb$`) })
	minitestEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_test\.rb$`) })
	minitestTop = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^test_.*\.rb$`) })
)

func lookRuby(d *dir) *Project {
	why := d.has("Gemfile", ".rspec", "Rakefile")
	if why == "" && isRails(d) {
		why = railsProgram
	}
	if specs := d.match("*.gemspec"); why == "" && len(specs) > 0 {
		why = specs[0]
	}
	if why == "" {
		return nil
	}
	p := &Project{Why: why}
	bundle := ""
	if d.has("Gemfile") != "" {
		bundle, p.Setup = "bundle exec ", "bundle install"
	}
	p.Tool, p.Test = rubyTest(d, bundle)
	if p.Test == "" {
		p.Setup = ""
		p.Notes = append(p.Notes, why+": no Ruby tests were found")
		return p
	}
	switch {
	case d.has(".rubocop.yml") != "":
		p.Gates = append(p.Gates, Gate{"lint", bundle + "rubocop", bundle + "rubocop -a"})
	case d.has(".standard.yml") != "":
		p.Gates = append(p.Gates, Gate{"lint", bundle + "standardrb", bundle + "standardrb --fix"})
	case bundle != "" && rubocopGem().MatchString(d.texts(append([]string{"Gemfile"}, d.match("*.gemspec")...)...)):
		p.Gates = append(p.Gates, Gate{"lint", bundle + "rubocop", bundle + "rubocop -a"})
	}
	return p
}

func rubyTest(d *dir, bundle string) (tool, command string) {
	gems := d.texts(append([]string{"Gemfile", "Gemfile.lock"}, d.match("*.gemspec")...)...)
	has := func(folder string, re *regexp.Regexp) bool {
		s := d.sub(folder)
		return s != nil && s.find(re.MatchString) != ""
	}
	switch {
	case d.has(".rspec") != "" || has("spec", rubySpec()) || rspecGem().MatchString(gems):
		return "rspec", bundle + "rspec"
	case isRails(d) && !d.hasFolder("spec"):
		return "rails", railsProgram + " test"
	case d.hasFolder("test") && railsGem().MatchString(gems):
		return "rails", bundle + "rails test"
	case rakeTest().MatchString(d.text("Rakefile")):
		return "rake", bundle + "rake test"
	case has("test", minitestEnd()):
		return "minitest", minitest(bundle, "*_test.rb")
	case has("test", minitestTop()):
		return "minitest", minitest(bundle, "test_*.rb")
	}
	return "", ""
}

// railsProgram lies in a folder that is not looked into otherwise.
const railsProgram = "bin/rails"

func isRails(d *dir) bool { return d.hasFolder("bin") && d.text(railsProgram) != "" }

// minitest loads every file: ruby itself takes only one.
func minitest(bundle, glob string) string {
	return bundle + `ruby -Ilib -Itest -e 'Dir["./test/**/` + glob + `"].sort.each { |f| require f }'`
}

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
		p.Tool, p.Test = "composer", "composer test"
	case contains(composer, `"pestphp/pest"`):
		p.Tool, p.Test = "pest", "vendor/bin/pest"
	case contains(composer, `"phpunit/phpunit"`) || d.has("phpunit.xml", "phpunit.xml.dist") != "":
		p.Tool, p.Test = "phpunit", "vendor/bin/phpunit"
	default:
		p.Notes = append(p.Notes, why+": no PHP tests were found")
		return p
	}
	if composer != "" {
		p.Setup = "composer install --no-interaction"
	}
	if p.Tool == "phpunit" && composer == "" {
		p.Test = "phpunit"
	}
	switch {
	case d.has("pint.json") != "":
		p.Gates = append(p.Gates, Gate{"format", "vendor/bin/pint --test", "vendor/bin/pint"})
	case d.has(".php-cs-fixer.php", ".php-cs-fixer.dist.php") != "":
		p.Gates = append(p.Gates, Gate{"format", "vendor/bin/php-cs-fixer fix --dry-run --diff", "vendor/bin/php-cs-fixer fix"})
	}
	if d.has("phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon") != "" {
		p.Gates = append(p.Gates, Gate{"typecheck", "vendor/bin/phpstan analyse --no-progress", ""})
	} else if strings.Contains(composer, `"vimeo/psalm"`) && d.has("psalm.xml", "psalm.xml.dist") != "" {
		p.Gates = append(p.Gates, Gate{"typecheck", "vendor/bin/psalm --no-progress", ""})
	} else if strings.Contains(composer, `"phpstan/phpstan"`) {
		// Without settings of its own it wants to be told where to look.
		for _, folder := range []string{"src", "app", "lib"} {
			if d.hasFolder(folder) {
				p.Gates = append(p.Gates, Gate{"typecheck", "vendor/bin/phpstan analyse --no-progress " + folder, ""})
				break
			}
		}
	}
	return p
}

var phpScript = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)"scripts"\s*:\s*\{[^}]*"test"\s*:`)
})
