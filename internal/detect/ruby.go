package detect

import (
	"regexp"
	"sync"
)

var (
	rakeTest = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)TestTask\.new|^\s*task\s*\(?:?["']?test\b|Minitest::TestTask`)
	})
	rspecGem = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`["']rspec(-rails|-core)?["']`)
	})
	railsGem = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*gem\s*\(?["']rails["']`)
	})
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
	p.Test = rubyTest(d, bundle)
	if p.Test == "" {
		p.Setup = ""
		p.Notes = append(p.Notes, why+": no Ruby tests were found")
		return p
	}
	switch {
	case d.has(".rubocop.yml") != "":
		p.Gates = append(p.Gates, QualityGate{"lint", bundle + "rubocop", bundle + "rubocop -a"})
	case d.has(".standard.yml") != "":
		p.Gates = append(p.Gates, QualityGate{"lint", bundle + "standardrb", bundle + "standardrb --fix"})
	case bundle != "" && rubocopGem().MatchString(d.texts(append([]string{"Gemfile"}, d.match("*.gemspec")...)...)):
		p.Gates = append(p.Gates, QualityGate{"lint", bundle + "rubocop", bundle + "rubocop -a"})
	}
	return p
}

func rubyTest(d *dir, bundle string) string {
	gems := d.texts(append([]string{"Gemfile", "Gemfile.lock"}, d.match("*.gemspec")...)...)
	has := func(folder string, re *regexp.Regexp) bool {
		s := d.sub(folder)
		return s != nil && s.find(re.MatchString) != ""
	}
	switch {
	case d.has(".rspec") != "" || has("spec", rubySpec()) || rspecGem().MatchString(gems):
		return bundle + "rspec"
	case isRails(d) && !d.hasFolder("spec"):
		return railsProgram + " test"
	case d.hasFolder("test") && railsGem().MatchString(gems):
		return bundle + "rails test"
	case rakeTest().MatchString(d.text("Rakefile")):
		return bundle + "rake test"
	case has("test", minitestEnd()):
		return minitest(bundle, "*_test.rb")
	case has("test", minitestTop()):
		return minitest(bundle, "test_*.rb")
	}
	return ""
}

// railsProgram lies in a folder that is not looked into otherwise.
const railsProgram = "bin/rails"

func isRails(d *dir) bool { return d.hasFolder("bin") && d.text(railsProgram) != "" }

// minitest loads every file: ruby itself takes only one.
func minitest(bundle, glob string) string {
	return bundle + `ruby -Ilib -Itest -e 'Dir["./test/**/` + glob + `"].sort.each { |f| require f }'`
}
