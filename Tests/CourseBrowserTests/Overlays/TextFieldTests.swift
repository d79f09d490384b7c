import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser

@Suite struct TextFieldTests {
  private func field(_ text: String, _ keys: KeyEvent...) -> TextField {
    keys.reduce(into: TextField(text)) { field, key in _ = field.handle(key) }
  }

  @Test func `letters are inserted at the caret, and editing keys move and erase`() {
    #expect(field("ac", KeyEvent(.left), KeyEvent(.character("b"))).text == "abc")
    #expect(field("abc", KeyEvent(.backspace)).text == "ab")
    #expect(field("abc", KeyEvent(.home), KeyEvent(.delete)).text == "bc")
    #expect(field("a b/cd", KeyEvent(.character("w"), modifiers: .control)).text == "a b/")
    #expect(field("abc", KeyEvent(.left), KeyEvent(.character("u"), modifiers: .control)).text == "c")
    #expect(field("", KeyEvent(.character("w"), modifiers: .control)).text == "")
  }

  @Test func `Backspace in an empty field is not handled, nor are keys without an effect`() {
    var field = TextField()
    let others = [KeyEvent(.backspace), KeyEvent(.up), KeyEvent(.character("x"), modifiers: .control)]

    let handled = others.map { field.handle($0) }

    #expect(handled == [false, false, false])
  }

  @Test func `a selected text is replaced by a letter, cleared by an erasing key, and kept by other keys`() {
    func selected(_ key: KeyEvent) -> [String] {
      var field = TextField("abc")
      field.select()
      _ = field.handle(key)
      return [field.text, field.isSelected ? "selected" : ""]
    }

    #expect(selected(KeyEvent(.character("x"))) == ["x", ""])
    #expect(selected(KeyEvent(.backspace)) == ["", ""])
    #expect(selected(KeyEvent(.delete)) == ["", ""])
    #expect(selected(KeyEvent(.character("u"), modifiers: .control)) == ["", ""])
    #expect(selected(KeyEvent(.left)) == ["abc", ""])
    #expect(selected(KeyEvent(.up)) == ["abc", "selected"])
    var empty = TextField()
    empty.select()
    #expect(!empty.isSelected)
  }

  @Test func `control characters are removed from pasted text`() {
    var field = TextField()
    field.insert("one\n\u{1B}[31mtwo\r\nthree\u{7}")

    #expect(field.text == "one[31mtwothree")
  }

  @Test func `text that is too long is truncated, and a note is shown until some text is erased`() {
    var field = TextField(maximumCount: 5)
    func drawn(_ width: Int) -> String {
      field.styled(.plain, caret: .plain, bar: "▏", width: width).runs.map(\.text).joined()
    }
    field.insert("abcdefg")

    #expect((field.text, field.isTruncated) == ("abcde", true))
    #expect(drawn(40) == "abcde▏ cut at 5 characters")
    #expect(drawn(16) == "abcde▏ cut")
    #expect(drawn(6) == "abcde▏")
    _ = field.handle(KeyEvent(.character("x")))
    #expect((field.text, field.isTruncated) == ("abcde", true))
    _ = field.handle(KeyEvent(.backspace))
    #expect((field.text, field.isTruncated) == ("abcd", false))
    #expect(drawn(40) == "abcd▏")
  }

  @Test func `the beginning of a pasted megabyte is kept`() {
    var field = TextField(maximumCount: 500)
    field.insert(String(repeating: "word ", count: 200_000))

    #expect(field.text == String(repeating: "word ", count: 100))
    #expect((field.caret, field.isTruncated) == (500, true))
  }

  /// A reference implementation that stores one string and counts all characters for each key.
  private struct Model {
    var text = ""
    var caret = 0

    mutating func take(_ key: KeyEvent) {
      func index(_ offset: Int) -> String.Index { text.index(text.startIndex, offsetBy: offset) }
      let count = text.count
      switch (key.key, key.modifiers) {
      case (.character(let character), []):
        text.insert(character, at: index(caret))
        caret += text.count - count
      case (.backspace, []) where caret > 0:
        text.remove(at: index(caret - 1))
        caret -= 1
      case (.delete, []) where caret < count: text.remove(at: index(caret))
      case (.left, []): caret = max(0, caret - 1)
      case (.right, []): caret = min(count, caret + 1)
      case (.home, []): caret = 0
      case (.end, []): caret = count
      case (.character("u"), .control):
        text.removeSubrange(..<index(caret))
        caret = 0
      default: break
      }
    }
  }

  @Test(arguments: 0..<20)
  func `random keys have the same effect as in the reference implementation`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let characters: [Character] = ["a", "b", " ", "/", "é", "漢", "👩‍🚀", "👍", "e\u{301}"]
    var keys = characters.map { KeyEvent(.character($0)) }
    keys += [KeyEvent(.backspace), KeyEvent(.delete), KeyEvent(.left), KeyEvent(.left), KeyEvent(.right)]
    keys += [KeyEvent(.home), KeyEvent(.end)]
    var (field, model) = (TextField(), Model())

    for number in 0..<400 {
      let key =
        number % 97 == 96
        ? KeyEvent(.character("u"), modifiers: .control) : keys.randomElement(using: &random)!
      _ = field.handle(key)
      model.take(key)

      #expect((field.text, field.caret, field.count) == (model.text, model.caret, model.text.count))
    }
  }

  @Test func `a combining mark joins the preceding character`() {
    var field = TextField()
    field.insert("\u{301}x")
    for key in [Key.home, .character("e")] { _ = field.handle(KeyEvent(key)) }

    #expect((field.text, field.caret, field.count) == ("e\u{301}x", 1, 2))
  }

  @Test func `changes are counted, but keys without an effect are not`() {
    var field = TextField(maximumCount: 2)
    field.insert("ab")
    let (edits, changes) = (field.edits, field.changes)
    for key in [Key.character("c"), .right, .delete, .character("d")] { _ = field.handle(KeyEvent(key)) }

    #expect(field.isTruncated)
    #expect((field.edits, field.changes) == (edits, changes + 1), "only the note about the truncation is new")
    _ = field.handle(KeyEvent(.left))
    #expect((field.edits, field.changes) == (edits, changes + 2))
    _ = field.handle(KeyEvent(.backspace))
    #expect((field.edits, field.changes) == (edits + 1, changes + 3))
  }
}
