import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@Suite struct TextFieldTests {
  private func field(_ text: String, _ keys: KeyEvent...) -> TextField {
    keys.reduce(into: TextField(text)) { field, key in _ = field.take(key) }
  }

  @Test func `letters go in at the caret, and the keys of a line move and erase`() {
    #expect(field("ac", KeyEvent(.left), KeyEvent(.character("b"))).text == "abc")
    #expect(field("abc", KeyEvent(.backspace)).text == "ab")
    #expect(field("abc", KeyEvent(.home), KeyEvent(.delete)).text == "bc")
    #expect(field("a b/cd", KeyEvent(.character("w"), modifiers: .control)).text == "a b/")
    #expect(field("abc", KeyEvent(.left), KeyEvent(.character("u"), modifiers: .control)).text == "c")
    #expect(field("", KeyEvent(.character("w"), modifiers: .control)).text == "")
  }

  @Test func `there is nothing to erase before the first letter, and other keys are for others`() {
    var field = TextField()
    let others = [KeyEvent(.backspace), KeyEvent(.up), KeyEvent(.character("x"), modifiers: .control)]

    let taken = others.map { field.take($0) }

    #expect(taken == [false, false, false])
  }

  @Test func `what would speak to the terminal is left out of a pasted text`() {
    var field = TextField()
    field.insert("one\n\u{1B}[31mtwo\r\nthree\u{7}")

    #expect(field.text == "one[31mtwothree")
  }

  @Test func `a text that is too long is cut, and says so until something is erased`() {
    var field = TextField(most: 5)
    func drawn(_ width: Int) -> String {
      field.styled(.plain, caret: .plain, bar: "▏", width: width).runs.map(\.text).joined()
    }
    field.insert("abcdefg")

    #expect((field.text, field.isCut) == ("abcde", true))
    #expect(drawn(40) == "abcde▏ cut at 5 letters")
    #expect(drawn(16) == "abcde▏ cut")
    #expect(drawn(6) == "abcde▏")
    _ = field.take(KeyEvent(.character("x")))
    #expect((field.text, field.isCut) == ("abcde", true))
    _ = field.take(KeyEvent(.backspace))
    #expect((field.text, field.isCut) == ("abcd", false))
    #expect(drawn(40) == "abcd▏")
  }

  @Test func `of a megabyte the beginning is kept`() {
    var field = TextField(most: 500)
    field.insert(String(repeating: "word ", count: 200_000))

    #expect(field.text == String(repeating: "word ", count: 100))
    #expect((field.caret, field.isCut) == (500, true))
  }
}
