package distill

// formats lists all formats: structured ones first, then test frameworks, then
// compilers and linters, then bare stack traces. To add one, write a function
// and a folder of outputs under testdata.
func formats() []format {
	return []format{
		{"", readFolders},
		{"JUnit XML", readJUnitXML},
		{"ginkgo", readGinkgo},
		{"go test", readGo},
		{"pytest", readPytest},
		{"unittest", readUnittest},
		{"doctest", readDoctest},
		{"cargo test", readCargoTest},
		{"vitest", readVitest},
		{"jest", readJest},
		{"node:test", readNodeTest},
		{"prove", readProve},
		{"TAP", readTAP},
		{"bats", readBatsPretty},
		{"playwright", readPlaywright},
		{"mocha", readMocha},
		{"jasmine", readJasmine},
		{"ava", readAva},
		{"bun test", readBun},
		{"deno test", readDeno},

		{"PHPUnit", readPHPUnit},
		{"PHPUnit", readTestDox},
		{"Pest", readPest},
		{"ExUnit", readExUnit},
		{"dotnet test", readDotnet},
		{"XCTest", readSwift},
		{"busted", readBusted},
		{"rspec", readRSpec},
		{"minitest", readMinitest},
		{"JUnit", readJUnit4},
		{"JUnit", readJUnitConsole},
		{"Maven", readMaven},
		{"Gradle", readGradle},
		{"TestNG", readTestNG},
		{"ScalaTest", readScalaTest},
		{"GoogleTest", readGtest},
		{"Catch2", readCatch},
		{"doctest", readDoctestCPP},
		{"Boost.Test", readBoost},

		{"dart test", readDart},
		{"clojure.test", readClojure},
		{"", readOthers},

		{"eslint", readEslint},
		{"shellcheck", readShellcheck},
		{"biome", readBiome},
		{"PHPStan", readPHPStan},
		{"php", readPHPErrors},
		{"deno check", readDenoCheck},
		{"rustc", readArrows},
		{"compiler", readDiagnostics},
		{"ld", readLinker},
		{"CTest", readCTest},
		{"make", readMake},

		{"", readTraces},
		{"", readGeneric},
	}
}
