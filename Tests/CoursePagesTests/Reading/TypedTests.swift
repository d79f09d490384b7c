import Testing

@testable import CoursePages

@Suite struct TypedTests {
  @Test(arguments: ["console", "sh", "bash", nil])
  func `of a sitting at a shell what was typed is copied, without prompts and answers`(language: String?) {
    let sitting = """
      $ cargo new hello
           Created binary (application) `hello` package
      $ cat <<EOF \\
      > | wc
      1 1 1
      > no command
      """

    #expect(ReadingText.typed(sitting, in: language) == "cargo new hello\ncat <<EOF \\\n| wc")
  }

  @Test(arguments: [
    ("cargo build\n$ cargo run", "sh"), ("$ x = 1", "php"), ("$HOME/bin", nil), ("", nil), ("> quoted", nil),
  ])
  func `of anything else all of it is copied`(code: String, language: String?) {
    #expect(ReadingText.typed(code, in: language) == code)
  }
}
