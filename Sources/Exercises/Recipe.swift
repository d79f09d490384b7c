package import LearningModel

/// The commands, the tools and the variables that the exercises of a kind have in common. An exercise names a recipe and adds its
/// own files, and, if necessary, its own commands.
package struct Recipe: Hashable, Sendable {
  /// A program that a recipe needs.
  package struct Tool: Hashable, Sendable {
    /// The name of the program in `PATH`, or the path in the work folder of a program that `prepare` installs.
    package let program: String
    /// The Debian package that contains the program, or `nil` if Debian 12 has none.
    package let package: String?
    /// Arguments of a command that fails if a part of the tool is missing, or `nil` if the program alone is enough.
    package let probe: [String]?
    /// Whether the commands of ``Recipe/prepare`` install the program.
    package var isPrepared: Bool { program.contains("/") }
  }

  /// A text of a test file that skips a test, and the text that takes its place. A learner who passes only the tests that are
  /// not skipped has not solved the exercise.
  package struct Replacement: Hashable, Sendable {
    package let skipping: String
    package let enabled: String
  }

  /// The name, as in ``Exercise/recipe``.
  package let name: String
  package let tools: [Tool]
  /// The commands that install what the checks need. They may use the network.
  package let prepare: [Exercise.Run]
  /// The commands that check an exercise that has none itself.
  ///
  /// In an argument or a shell line, `{test}` and `{edit}` stand for the paths of the files with this role, `{run}` for the test
  /// files or, if there are none, the edited files, and `{main}` for the name of the first of these without its extension.
  package let check: [Exercise.Run]
  /// Variables of the prepare and check commands.
  package let variables: [String: String]
  package let replacements: [Replacement]

  private init(
    _ name: String, _ tools: [Tool], prepare: [String] = [], check: String..., variables: [String: String] = [:],
    replacing replacements: [String: String] = [:]
  ) {
    self.name = name
    self.tools = tools
    self.prepare = prepare.map { Exercise.Run(.shell($0)) }
    self.check = check.map { Exercise.Run(.shell($0)) }
    self.variables = variables
    self.replacements = replacements.sorted { $0.key < $1.key }.map { Replacement(skipping: $0.key, enabled: $0.value) }
  }

  private static func tool(_ program: String, _ package: String?, probe: [String]? = nil) -> Tool {
    Tool(program: program, package: package, probe: probe)
  }

  /// Returns the recipe with a name, or `nil` if there is none.
  package static func named(_ name: String) -> Recipe? { all.first { $0.name == name } }

  /// The recipes by name.
  ///
  /// Sources of the variables and texts that enable skipped tests: the documentation of the tracks of Exercism, "Running the
  /// tests"; bats-core 1.8, `BATS_RUN_SKIPPED` in the test helper of the Bash track; `rustc --test`, `--include-ignored`.
  package static let all: [Recipe] = [
    Recipe("bash", [tool("bash", "bash")], check: "bash {run}"),
    Recipe("bats", [tool("bats", "bats")], check: "bats {test}", variables: ["BATS_RUN_SKIPPED": "true"]),
    Recipe(
      "c", [tool("cc", "gcc")], check: "cc -std=c11 -Wall -Wextra -o \"$TMPDIR/program\" {run} && \"$TMPDIR/program\""),
    Recipe(
      "cargo", [tool("cargo", "cargo")], prepare: ["cargo fetch"], check: "cargo test -- --include-ignored"),
    Recipe(
      "go", [tool("go", "golang-go")], prepare: ["go mod download"], check: "go test ./...",
      variables: ["GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"]),
    Recipe(
      "java", [tool("javac", "default-jdk-headless")],
      check: "javac -d \"$TMPDIR/classes\" {edit} {test} && java -cp \"$TMPDIR/classes\" {main}"),
    Recipe("javascript", [tool("node", "nodejs")], check: "node {run}"),
    Recipe(
      "jest", [tool("node", "nodejs"), tool("npm", "npm"), tool("node_modules/.bin/jest", nil)],
      // By default, npm waits for minutes without a network.
      prepare: [
        "npm install --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=1000"
      ],
      check: "node_modules/.bin/jest --ci",
      replacing: ["xtest(": "test(", "xit(": "it(", "xdescribe(": "describe(", "test.skip(": "test("]),
    Recipe("make", [tool("make", "make"), tool("cc", "gcc")], check: "make test", replacing: ["TEST_IGNORE();": ""]),
    Recipe("perl", [tool("prove", "perl")], check: "prove {test}"),
    Recipe(
      "pytest", [tool("python3", "python3-pytest", probe: ["-c", "import pytest"])],
      check: "python3 -B -m pytest -q -p no:cacheprovider {test}"),
    Recipe("python", [tool("python3", "python3")], check: "python3 -B {run}"),
    Recipe("ruby", [tool("ruby", "ruby")], check: "ruby {run}"),
    Recipe(
      "rustc", [tool("rustc", "rustc")],
      check: "rustc --edition 2021 --test -o \"$TMPDIR/program\" {run} && \"$TMPDIR/program\" --include-ignored"),
    Recipe(
      "rustlings", [tool("cargo", "cargo"), tool("cargo-clippy", "rust-clippy")], prepare: ["cargo fetch"],
      check: "cargo test -q --bin {main}", "cargo clippy -q --profile test --bin {main}", "cargo run -q --bin {main}"),
    // The default scratch folder is hidden, so it would be removed after each check.
    Recipe(
      "swift", [tool("swift", nil)], prepare: ["swift package --scratch-path \"$HOME/swift$PWD\" resolve"],
      check: "swift test --disable-sandbox --scratch-path \"$HOME/swift$PWD\"", variables: ["RUNALL": "true"]),
    Recipe("unittest", [tool("python3", "python3")], check: "python3 -B -m unittest {test}"),
  ]
}

extension Exercise.Run {
  /// Returns the command as arguments, with the files of an exercise in the place of the names in braces.
  package func arguments(for exercise: Exercise) -> [String] {
    let (edit, test) = (exercise.files(.edit).map(\.path), exercise.files(.test).map(\.path))
    let run = test.isEmpty ? edit : test
    let main = run.first.map { $0.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? "" } ?? ""
    let values = ["{edit}": edit, "{test}": test, "{run}": run, "{main}": [main]]
    switch command {
    case .argv(let arguments): return arguments.flatMap { values[$0] ?? [$0] }
    case .shell(let line):
      let whole = values.reduce(line) { line, value in
        line.replacing(value.key, with: value.value.map(\.quotedForShell).joined(separator: " "))
      }
      return ["/bin/sh", "-c", whole]
    }
  }
}

extension String {
  /// The file name as one word of the shell. A name that begins with `-` is not taken for an option.
  package var quotedForShell: String { (hasPrefix("-") ? "./" + self : self).shellWord }
}
