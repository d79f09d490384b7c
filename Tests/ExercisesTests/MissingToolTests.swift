import LearningModel
import Testing

@testable import Exercises

struct MissingToolTests {
  private static func tool(_ program: String, _ package: String?) -> Recipe.Tool {
    Recipe.Tool(program: program, package: package, probe: nil)
  }

  @Test(
    arguments: [
      (
        [MissingTool(tool("bats", "bats"), .notInstalled)],
        "the program 'bats' is not installed. On Debian, install it with: apt install bats"
      ),
      (
        [MissingTool(tool("node", "nodejs"), .notInstalled), MissingTool(tool("npm", "npm"), .notInstalled)],
        "the programs 'node' and 'npm' are not installed. On Debian, install them with: apt install nodejs npm"
      ),
      (
        [MissingTool(tool("python3", "python3-pytest"), .incomplete)],
        "'python3' lacks a part that the recipe needs. On Debian, install it with: apt install python3-pytest"
      ),
      (
        [MissingTool(tool("swift", nil), .notInstalled)],
        "the program 'swift' is not installed. Install it and try again."
      ),
      (
        [MissingTool(tool("cargo", "cargo"), .tooOld("1.63.0"), rust: "1.88")],
        "the exercise needs Rust 1.88 or later, and this is Rust 1.63.0. Install Rust with rustup: https://rustup.rs"
      ),
      (
        [
          MissingTool(tool("cargo", "cargo"), .notInstalled, rust: "1.88"),
          MissingTool(tool("cargo-clippy", "rust-clippy"), .notInstalled, rust: "1.88"),
        ],
        "the programs 'cargo' and 'cargo-clippy' are not installed; the exercise needs Rust 1.88 or later. Install Rust with rustup: https://rustup.rs"
      ),
    ])
  func `all that is missing is named once, with how to install it`(_ missing: [MissingTool], _ text: String) {
    #expect(MissingTool.text(missing, at: PlacePath("a/b")) == text)
  }

  @Test(
    arguments: [
      ("[package]\nname = \"a\"\nrust-version = \"1.88\"\nedition = \"2024\"\n", "1.88"),
      ("[package]\nversion = \"0.1.0\"\nedition = \"2024\"\nrust-version = \"1.70\"\n", "1.85"),
      ("[package]\nversion = \"0.1.0\"\nedition = \"2021\"\n", "1.56"),
      ("[package]\nedition = \"2021\"\n", "1.75"), ("[package]\nversion = \"0.1.0\"\n", nil),
      ("[workspace]\nmembers = []\n", nil),
    ] as [(String, String?)])
  func `a manifest names the oldest version of Rust that can read it`(_ manifest: String, _ version: String?) {
    #expect(MissingTool.rust(neededBy: manifest) == version)
  }

  @Test func `a version of Rust that is too old is found before the check`() throws {
    let fixture = try ExerciseFixture(
      ["support:Cargo.toml": "[package]\nname = \"a\"\nrust-version = \"99.1\"\n", "src/lib.rs": ""], recipe: "cargo")

    guard case .missing(let tools) = try fixture.check().outcome else {
      Issue.record("The check ran.")
      return
    }
    #expect(tools.map(\.tool.program) == ["cargo"] && tools.map(\.rust) == ["99.1"])
  }
}
