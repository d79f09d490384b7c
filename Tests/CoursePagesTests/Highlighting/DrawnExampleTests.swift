import CoursePages
import Testing

struct DrawnExampleTests {
  /// Returns the program text of a drawing, which is every other row.
  static func text(of drawing: Drawing) -> String {
    let rows = drawing.rows.split(separator: "\n", omittingEmptySubsequences: false)
    return stride(from: 0, to: rows.count, by: 2).map { String(rows[$0]) + "\n" }.joined()
  }

  /// Returns a program text with its token classes below each line.
  private static func draw(_ text: String, in language: Language) -> String {
    let letters = language.runs(of: text).flatMap { run in repeatElement(run.tokenClass.letter, count: run.count) }
    var offset = 0
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      var classes = ""
      for character in line {
        classes.append(letters[offset] == "." && character == " " ? " " : letters[offset])
        offset += character.utf8.count
      }
      offset += 1
      while classes.last == " " { classes.removeLast() }
      return line + "\n" + classes
    }.joined(separator: "\n")
  }

  @Test(arguments: Drawing.all) func `every token of the drawn examples has its class`(_ drawing: Drawing) throws {
    let language = try #require(Language.named(drawing.language))

    #expect(Self.draw(Self.text(of: drawing), in: language) == drawing.rows)
  }

  @Test func `every language has a drawn example`() {
    #expect(Set(Drawing.all.map { Language.named($0.language)?.name }) == Set(Language.all.map(\.name)))
  }
}

extension TokenClass {
  /// The letter of the class in drawings.
  var letter: Character {
    switch self {
    case .plain: "."
    case .comment: "c"
    case .string: "s"
    case .number: "n"
    case .keyword: "k"
    case .type: "t"
    case .function: "f"
    case .operator: "o"
    }
  }
}
