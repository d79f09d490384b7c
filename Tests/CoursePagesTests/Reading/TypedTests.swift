import Testing

@testable import CoursePages

@Suite struct TypedTests {
  @Test(arguments: ["console", "sh", "bash", nil])
  func `a shell session is copied without prompts and output`(language: String?) {
    let session = """
      $ cargo new hello
           Created binary (application) `hello` package
      $ cat <<EOF \\
      > | wc
      1 1 1
      > no command
      """

    #expect(ReadingText.typedText(session, in: language) == "cargo new hello\ncat <<EOF \\\n| wc")
  }

  @Test(arguments: [
    ("cargo build\n$ cargo run", "sh"), ("$ x = 1", "php"), ("$HOME/bin", nil), ("", nil), ("> quoted", nil),
  ])
  func `other program text is copied completely`(code: String, language: String?) {
    #expect(ReadingText.typedText(code, in: language) == code)
  }
}
