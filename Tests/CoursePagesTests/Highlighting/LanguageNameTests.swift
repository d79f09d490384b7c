import CoursePages
import Testing

struct LanguageNameTests {
  @Test(arguments: [
    ("rust", "Rust"), ("rs", "Rust"), ("Rust,ignore", "Rust"), ("rust editable", "Rust"), ("C", "C"), ("c++", "C++"),
    ("cpp", "C++"), ("py", "Python"), ("{.python .numberLines}", "Python"), ("ipython3", "Python"),
    ("{python}", "Python"),
    ("js", "JavaScript"), ("language-ts", "TypeScript"), ("golang", "Go"), ("Java", "Java"), ("kt", "Kotlin"),
    ("swift", "Swift"), ("c#", "C#"), ("cs", "C#"), ("rb", "Ruby"), ("bash", "Shell"), ("sh title=\"a.sh\"", "Shell"),
    ("zsh", "Shell"), ("sqlite", "SQL"), ("JSON", "JSON"), ("yml", "YAML"), ("toml", "TOML"), ("xml", "HTML"),
    ("css", "CSS"), ("hs", "Haskell"), ("patch", "diff"), ("shell-session", "Console"), (" console", "Console"),
  ])
  func `the first word of an info string selects the language`(_ info: String, _ name: String) {
    #expect(Language.named(info)?.name == name)
  }

  @Test(arguments: ["", "text", "plain", "output", "rusty", "{}", ",rust", "brainfuck", "language-"])
  func `an info string without a known language selects none`(_ info: String) {
    #expect(Language.named(info)?.name == nil)
  }

  @Test func `aliases are lowercase and unique, and languages are sorted by name`() {
    let aliases = Language.all.flatMap(\.aliases)

    #expect(Set(aliases).count == aliases.count)
    #expect(aliases.allSatisfy { $0 == $0.lowercased() })
    #expect(Language.all.map(\.name) == Language.all.map(\.name).sorted { $0.lowercased() < $1.lowercased() })
  }
}
