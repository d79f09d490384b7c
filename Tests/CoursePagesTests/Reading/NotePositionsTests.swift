import LearningModel
import Testing
import TextCanvas

@testable import CoursePages

struct NotePositionsTests {
  private static let blocks: [Block] = [
    .heading(level: 2, text: [.text("Why")], anchor: "why"),
    .bulletList(items: [
      ListItem(blocks: [.paragraph([.text("Say the first number yourself, and say it slowly.")])]),
      ListItem(blocks: [.paragraph([.text("Then wait.")])]),
    ]),
    .code(language: "swift", text: "let offer = 12_000\nprint(offer)"),
  ]
  private let anchored = AnchoredText(blocks)
  private let text = ReadingLayout(
    width: 30, theme: Theme(colourDepth: .truecolor, pageAppearance: .dark), symbols: .unicode
  ).text(blocks)

  private func note(_ text: String, _ anchor: NoteAnchor?, id: Int = 1) throws -> Note {
    Note(
      id: "00000000-0000-4000-8000-00000000000\(id)", text: text, anchor: try #require(anchor),
      createdAt: Timestamp(milliseconds: 0), changedAt: Timestamp(milliseconds: 0))
  }

  /// Returns the text at a position, in one string for each range of cells.
  private func words(_ position: NotePositions.Position) -> [String] {
    position.cells.map { cells in
      let line = text.lines[cells.row]
      let row = String(repeating: " ", count: line.indent) + line.runs.map(\.text).joined()
      return String(row.dropFirst(cells.column).prefix(cells.columns))
    }
  }

  @Test func `quoted text is marked across lines, without bullets and bars`() throws {
    let across = try note("", anchored.anchor(ofBlock: 1, text: "yourself, and say it slowly. Then"))
    let code = try note("", anchored.anchor(ofBlock: 2, text: "offer = 12_000 print"), id: 2)

    let notePositions = NotePositions([code, across], in: text, anchored)

    #expect(notePositions.positions.map(\.note.id) == [across.id, code.id])
    #expect(
      notePositions.positions.map(words) == [
        ["yourself, and say it", "slowly.", "Then"], ["offer = 12_000", "print"],
      ])
  }

  @Test func `a note whose quoted text was removed is listed as lost`() throws {
    let missingNote = try note(
      "Mine", AnchoredText([.paragraph([.text("Other words altogether.")])]).anchor(ofBlock: 0))

    let notePositions = NotePositions([missingNote], in: text, anchored)

    #expect(notePositions.isEmpty && notePositions.missing == [missingNote])
  }

  @Test func `notes with text precede highlights of the same lines`() throws {
    let anchor = anchored.anchor(ofBlock: 1)
    let (highlight, mine) = (try note("", anchor), try note("Mine", anchor, id: 2))

    let notePositions = NotePositions([highlight, mine], in: text, anchored)

    #expect(notePositions.positions(in: 0..<99).map(\.note.id) == [mine.id, highlight.id])
  }
}
