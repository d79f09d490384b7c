import LearningModel
import Testing

struct QuotationTests {
  @Test(arguments: ["", "negotiating", String(repeating: "x", count: 200), String(repeating: "ä", count: 200)])
  func `a text of at most 200 characters is quoted in full`(text: String) {
    #expect("Could not open \(quoted: text)." == "Could not open '\(text)'.")
  }

  @Test func `a longer text is quoted with its beginning and its end`() {
    let path = "/home/" + String(repeating: "x", count: 10_000) + "/book.epub"
    let quoted = "\(quoted: path)"

    #expect(quoted.count == 202)
    #expect(quoted.hasPrefix("'/home/xxx") && quoted.hasSuffix("xxx/book.epub'") && quoted.contains("x…x"))
  }

  @Test func `a single character of many scalars is shortened too`() {
    #expect("e\(String(repeating: "\u{301}", count: 10_000))".shortened.unicodeScalars.count == 200)
  }

  @Test func `control characters are quoted as escapes`() {
    #expect("\(quoted: "a\u{1B}[31m\tb\n\u{7F}\u{85}ä")" == #"'a\x1B[31m\x09b\x0A\x7F\x85ä'"#)
  }

  @Test(arguments: [
    ("plain/path-1,2:3@4", "plain/path-1,2:3@4"), ("español/東京", "español/東京"),
    ("it's $HOME `x`", #"'it'\''s $HOME `x`'"#),
    ("BB(d$.-:e`/0", "'BB(d$.-:e`/0'"), ("", "''"),
  ]) func `a word of a command is quoted for the shell if it needs it`(_ word: String, _ quoted: String) {
    #expect("\(shell: "say", word, "WHO")" == "say \(quoted) WHO")
  }

  @Test func `a command in a sentence is between the quotation marks that it does not contain`() {
    #expect("Run \(command: "tree", "a/b")." == "Run 'tree a/b'.")
    #expect("Run \(command: "tree", "a b")." == #"Run "tree 'a b'"."#)
  }
}
