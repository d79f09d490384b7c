import Answers
import Testing

@testable import waymark

struct TextTableTests {
  private let columns: [Column<(String, Int)>] = [
    Column("title", mayShrink: true) { $0.0 },
    Column("count", alignment: .right) { String($0.1) },
  ]

  @Test func `columns are as wide as their cells, and numbers are right-aligned`() {
    #expect(
      TextTable.text([("Meetings", 13), ("日本語", 4)], columns: columns, width: nil) == """
        title     count
        Meetings     13
        日本語        4

        """)
  }

  @Test func `a narrow terminal truncates text but not numbers`() {
    #expect(
      TextTable.text([("Negotiating a contract", 1234)], columns: columns, width: 20) == """
        title          count
        Negotiating…    1234

        """)
  }

  @Test func `ASCII replacements of symbols have the width that they need`() {
    let rows = [("A → B › “C”", 1), ("Negotiating…", 22)]

    #expect(
      TextTable.text(rows, columns: columns, width: 16, signs: .ascii) == """
        title      count
        A -> B...      1
        Negoti...     22

        """)
  }

  @Test func `a column that wraps continues on further lines between words`() {
    let columns: [Column<(String, Int)>] = [
      Column("text", wraps: true) { $0.0 }, Column("count", alignment: .right) { String($0.1) },
    ]
    let rows = [("Anchor high, and let the silence work for you.", 7), ("Wait", 12)]

    #expect(
      TextTable.text(rows, columns: columns, width: 34) == """
        text                         count
        Anchor high, and let the         7
        silence work for you.
        Wait                            12

        """)
    let piped = TextTable.text([(String(repeating: "word ", count: 40), 1)], columns: columns, width: nil)
    #expect(piped.split(separator: "\n").map(\.count).max() == TextTable<Int>.widestText + 7)
  }

  @Test func `lines that are wider than the terminal are broken at spaces, and long words are not broken`() {
    let text = "No cards yet.\n  Add the cards of negotiating/opening-offers/who-speaks-first now.\n"

    #expect(
      text.brokenAtSpaces(to: 24) == """
        No cards yet.
          Add the cards of
          negotiating/opening-offers/who-speaks-first
          now.

        """)
  }

  @Test func `control characters in cells are replaced`() {
    let text = TextTable.text([("\u{1B}[2Jred\u{9B}31m", 1)], columns: columns, width: nil)

    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
  }

  @Test func `a later row that is wider than its column is truncated only on terminals`() {
    let rows = [("Meetings", 13)]

    let piped = TextTable(fitting: rows, columns: columns, width: nil)
    let onTerminal = TextTable(fitting: rows, columns: columns, width: 20)

    #expect(piped.line(("Negotiating", 1234567)) == "Negotiating  1234567\n")
    #expect(onTerminal.line(("Negotiating", 7)) == "Negotia…      7\n")
  }

  @Test func `in a narrow terminal, columns with a high rank are omitted and every line fits`() {
    let columns: [Column<(String, Int)>] = [
      Column("id", alignment: .right, omissionRank: 1) { String($0.1) },
      Column("title", mayShrink: true) { $0.0 },
      Column("path", mayShrink: true, omissionRank: 2) { "courses/" + $0.0 },
    ]
    let rows = [("Negotiating a contract", 1234)]

    #expect(TextTable.text(rows, columns: columns, width: 60).hasPrefix("  id  title                   path\n"))
    #expect(TextTable.text(rows, columns: columns, width: 30) == "  id  title\n1234  Negotiating a contract\n")
    #expect(TextTable.text(rows, columns: columns, width: 12) == "title\nNegotiating…\n")
  }
}
