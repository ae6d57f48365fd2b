package testfile

// cases are the conventions by which runners find test files.
var cases = []string{
	// Go
	"**/*_test.go",
	// Python
	"**/test_*.py", "**/*_test.py", "**/*_tests.py", "**/{test,tests}.py", "**/test*.pyi",
	// JavaScript and TypeScript
	"**/*.{test,tests,spec,specs,e2e,e2e-spec,cy,test-d,unit,int,integration}.{js,jsx,mjs,cjs,ts,tsx,mts,cts,vue,svelte,coffee}",
	"**/*{-,_}{test,tests,spec}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}",
	"**/{test,tests}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}",
	"**/test{-,_}*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}", "cypress/**/*.{js,jsx,ts,tsx}",
	// Rust
	"**/{test,tests}.rs", "**/*_{test,tests}.rs", "**/test_*.rs",
	// Java, Kotlin, Scala, Groovy
	"**/{*Test,*Tests,*TestCase,*IT,*Spec,Test[A-Z]*}.{java,kt,kts,scala,groovy}",
	// Ruby and Crystal
	"**/*_{spec,test}.{rb,cr}", "**/test_*.rb", "features/**/*.{rb,feature}", "**/*.feature",
	// PHP
	"**/{*Test,*TestCase,*Cest,*Cept}.php", "**/*.phpt",
	// Elixir and Erlang
	"**/*_test.exs", "**/*_SUITE.erl", "**/*_tests.erl",
	// C and C++
	"**/{test_*,*_test,*_tests,*_unittest,*Test,*Tests,*.test,test,tests,test-*,*-test}.{c,cc,cpp,cxx,h,hh,hpp,m,mm}",
	// C#, F#, Visual Basic
	"**/{*Test,*Tests,*Spec,*Specs}.{cs,fs,vb}",
	"**/*.{Test,Tests,UnitTests,IntegrationTests,Specs}/**/*.{cs,fs,vb}",
	// Swift
	"**/{*Test,*Tests,*Spec}.swift",
	// shell and Perl
	"**/*.bats", "**/{test_*,*_test,test-*,*-test,test,tests,*_spec,run_tests,run-tests,runtests}.{sh,bash,zsh}", "**/*.t",
	// tables of cases in a form of their own
	"**/*.test",
	// others
	"**/*_test.{dart,lua,clj,cljs,ml,zig,jl,nim,cr}", "**/*_spec.{lua,sh}", "**/*Spec.hs",
	"**/test_*.{jl,lua,nim}",
}

// caseDirs are directories in which every source file is a test or its helper.
var caseDirs = map[string]bool{
	"test": true, "tests": true, "Test": true, "Tests": true, "__tests__": true, "__typetests__": true,
	"e2e": true, "testing_support": true, "unittests": true,
	"UnitTests": true, "IntegrationTests": true, "FunctionalTests": true, "AcceptanceTests": true,
	"unit_tests": true, "integration_tests": true, "integration-tests": true, "unit-tests": true,
	"functional_tests": true, "t": true,
	"integration_test": true,
}

// specDirs are those only for languages whose runners look there.
var specDirs = map[string]bool{"spec": true, "specs": true}

var specLanguages = map[string]bool{"ruby": true, "js": true, "crystal": true}

// sourceSets are the directories of JVM builds: src/test, src/androidTest.
var sourceSets = []string{"**/src/{test,*Test,testFixtures,it,integration-test,functionalTest}/**"}

// data are what that tests read.
var data = []string{
	"**/{testdata,test-data,test_data,TestData,fixtures,__fixtures__,Fixtures,golden,goldens,cassettes,vcr_cassettes}/**",
	"**/{__snapshots__,__image_snapshots__,__file_snapshots__,snapshots,__mocks__,__approvals__}/**",
	"**/*.{snap,golden,ambr}", "**/*.snap.new", "**/*.{approved,verified}.*", "**/*.golden.*",
	"**/*_golden.*",
}

// documents may stand beside tests without being data of theirs.
var documents = []string{"**/*.{md,rst,adoc}",
	"**/{LICENSE,COPYING,NOTICE,README,.gitkeep,.gitignore,.gitattributes,.editorconfig}"}

// builds are files that manage a build, wherever they stand: a part of them may
// speak of tests, the whole is none.
var builds = []string{
	"**/{package.json,pyproject.toml,setup.cfg,setup.py,Cargo.toml,go.mod,composer.json,deno.json,deno.jsonc,pom.xml,build.xml,build.sbt,mix.exs,Gemfile,Pipfile,requirements*.txt,build.rs,global.json}",
	"**/{GNUmakefile,makefile,Makefile,Makefile.am,Makefile.in,Makefile.inc,*.mk,*.mak,justfile,.justfile,Justfile,CMakeLists.txt,*.cmake,CMakePresets.json,CMakeUserPresets.json,meson.build,BUILD,BUILD.bazel,Package{,@swift-*}.swift,dune,SConstruct}",
	"**/{*.gradle,*.gradle.kts,gradle.properties,Rakefile,rakefile,Rakefile.rb,rakefile.rb,*.rake,Guardfile,Taskfile.yml,Taskfile.yaml,Gruntfile.js,gulpfile.js,{vite,astro,svelte,webpack,rspack,rollup}.config.*}",
	"**/{pnpm-workspace.yaml,mise.toml,.mise.toml}",
	"**/{*.csproj,*.fsproj,*.vbproj,*.sln,*.props,*.slnx,rust-toolchain,rust-toolchain.toml,{tsconfig,jsconfig}*.json,.ignore,.rgignore,.fdignore}",
}

// runnersAnywhere are read also among the data of tests.
var runnersAnywhere = []string{"**/{conftest,sitecustomize,usercustomize}.py", "**/*.pth"}

// runners configure or start a runner as a whole: never made, never changed.
var runners = []string{
	// Python
	"**/{conftest,sitecustomize,usercustomize,noxfile}.py", "**/{,.}pytest.{ini,toml}",
	"**/{tox.ini,.coveragerc,nose.cfg,.noserc,unittest.cfg,nose2.cfg,pytest-*.ini}",
	"**/*.pth", "**/*.{dist-info,egg-info}/**", "**/behave.ini", "**/.behaverc",
	// JavaScript and TypeScript
	"**/{jest,vitest,vitest.workspace,vitest.setup,jest.setup,ava,tap,playwright,playwright-ct,cypress,karma,wdio,nightwatch,testcafe,web-test-runner,babel,lab,uvu,japa,mocha,c8,nyc}.{config,conf,setup,workspace}.*",
	"**/{jest,vitest}{.,-}*.{js,cjs,mjs,ts,cts,mts,json}",
	"**/{setupTests,setup-tests,setupJest,setup-jest,jest-setup,vitest-setup,vitest.setup,jest.setup,test-setup,setup-test}.{js,cjs,mjs,ts,tsx,mts,jsx}",
	"**/.{mocharc,babelrc,swcrc,taprc,nycrc,c8rc,labrc}*",
	"**/{cypress.json,mocha.opts,karma.conf.*,testem.js,testem.json,jasmine.json,jasmine.mjs,jasmine.js,.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,bunfig.toml,node.config.json,.node-options,lerna.json,.testcaferc.*,.wallaby.js,wallaby.js}",
	"**/cypress/{support,plugins}/**", "**/{codecept.conf,protractor.conf,nightwatch.conf}.*",
	"**/intern.{js,json,jsonc}",
	"**/{globalSetup,global-setup,globalTeardown,global-teardown}.{js,ts,mjs,cjs,mts,cts}",
	// Ruby
	"**/{.rspec,.rspec-local,.simplecov,spec_helper.rb,rails_helper.rb,test_helper.rb,minitest_helper.rb,.minitest.rb,cucumber.yml}", "**/minitest/*_plugin.rb", "**/.bundle/config",
	"features/support/**",
	// PHP
	"**/{phpunit.xml,phpunit.xml.dist,phpunit.dist.xml,codeception.yml,codeception.dist.yml,behat.yml,behat.yml.dist,infection.json}", "**/{tests,test}/{bootstrap,Pest,TestCase,CreatesApplication}.php", "vendor/{autoload.php,bin/**,composer/**}",
	// Elixir
	"**/test_helper.exs", "config/test.exs", "**/.formatter.test.exs",
	// Rust
	"**/.cargo/config*", "**/{nextest,tarpaulin}.toml",
	// Go
	"**/{go.work,go.env}",
	// JVM
	"**/.mvn/**", "{mvnw,mvnw.cmd,gradlew,gradlew.bat}", "**/gradle/wrapper/**",
	"**/{testng.xml,testng-suite.xml,junit-platform.properties,init.gradle,init.gradle.kts}",
	"**/META-INF/services/{org.junit.,org.testng.,org.spockframework}*",
	"**/{kotest.properties,ProjectConfig.kt}",
	// C and C++
	"**/{CTestCustom.cmake,CTestTestfile.cmake,CTestConfig.cmake,DartConfiguration.tcl}", "**/.bazelrc",
	// .NET
	"**/{xunit.runner.json,*.xunit.runner.json,*.runsettings,testconfig.json,*.testconfig.json,*.testsettings,nunit.runsettings,.runsettings}", "**/Directory.Build.rsp",
	// Swift
	"**/*.{xctestplan,xcscheme}", "**/LinuxMain.swift", "**/XCTestManifests.swift",
	// shell and Perl
	"config/environments/test.rb", "**/.env.{test,testing}",
	"**/{setup_suite.bash,.batsrc,.shellspec,.proverc}",
	// others
	"**/dart_test.yaml", "**/.busted", "**/shard.override.yml",
}
