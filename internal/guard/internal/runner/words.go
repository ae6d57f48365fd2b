package runner

const (
	gradleWords = `(?i)\btests?\b|test\s*\{|(?-i:Test)\b|useJUnit|useTestNG|jvmTest|androidTest|` +
		`(?-i:\b(?:[gs]et)?[sS]ourceSets)|testing\s*\{|\bcheck\b|onlyIf|enabled\s*=|ignoreFailures|(?-i:\bexclude\b)|` +
		`taskGraph|failFast|excludeTest|(?:^|[\s{;])filter\s*\{|TestTask\b|actions\.clear|\bsetActions|` +
		`excludedTaskNames|jacoco|skipTests|-Xassertions|enableAssertions`
	mixWords = `\btest\b|test_\w+:|aliases|elixirc_paths|preferred_cli_env|warnings_as_errors|` +
		`consolidate_protocols|cli:`
	taskWords = `(?i)\b(test|tests|spec|specs|check|rspec|cucumber|minitest|pytest|default|` +
		`verify|ci)\b|TestTask|RSpec::|test_suite|cfg=|rustc-cfg|rustc-env|cmdclass|pytest11|tests_require`
	viteWords  = `(?i)\btest\s*:|vitest|\balias\b|setupFiles`
	cmakeWords = `(?i)\b(add_test|enable_testing|include\s*\(\s*CTest|gtest_discover_tests|` +
		`gtest_add_tests|catch_discover_tests|doctest_discover_tests|set_tests_properties|` +
		`set_property\s*\(\s*TEST|ctest|CTEST_\w+|BUILD_TESTING|WILL_FAIL|DISABLED|SKIP_\w+|NDEBUG|` +
		`b_ndebug|CMAKE_CROSSCOMPILING_EMULATOR|cc_test|py_test|go_test|java_test|test_suite|` +
		`testTarget|test\s*\(|benchmark\s*\(|return\s*\(\s*\)|\(test\b|\(runtest|rule\b.*test)`
	dotnetWords = `(?i)IsTestProject|xunit|nunit|mstest|Microsoft\.NET\.Test|RunSettings|VSTest|` +
		`TestingPlatform|<Compile\s+Remove|<Exclude|Compile Include=.*\.\.|Project\(|` +
		`Using\s+Include.*Assert|Using\s+.*(Static|Alias)`
	sourceWords = `(?i)^\s*(gem\s+)?["']?(rspec|minitest|test-unit|cucumber|pytest|hypothesis|nose|` +
		`tox|mock)[\w-]*["']?.*(path:|git:|github:|@|file:|-e\s|==0\.0)|^\s*(-e\s+|` +
		`--editable\s+)?(\.|/|file:|git\+|https?:)\S*\b(pytest|hypothesis|nose|tox|rspec|minitest)\b`
	tsconfigWords = `(?i)"(jest|vitest|mocha|chai|assert|expect|@jest|@vitest|node:)[^"]*"\s*:\s*\[`
)

// pnpmWords are what of a pnpm workspace reaches tests: where packages lie, and
// packages from a place of our own.
const pnpmWords = `^\s*(packages|nodeOptions|scriptShell|shellEmulator|enablePrePostScripts|pnpmfile|` +
	`globalPnpmfile|patchedDependencies)\s*:|^\s*-\s*["']?[!.\w*/-]+["']?\s*$|:\s*["']?(file|link|` +
	`portal|npm|workspace|patch|git|github|https?):`
