import CoursePages
import Foundation
import LearningModel
import LearningStore
import NavigationKit
import TestSupport
import TextCanvas

/// The time to read, locate and add notes of a page in a course with 10,000 notes.
struct NotesSpeed {
  private static let count = 10_000
  private static let activities = 100
  let databases: Databases
  let base: String

  func table() throws -> Table {
    let service = try NavigationService(
      databaseAt: try databases.copy(base), learner: "ada", session: .named("benchmark"))
    let blocks = (0..<60).map { number in
      Block.paragraph([.text("Paragraph \(number) of a text with many notes, to be read slowly and to its end.")])
    }
    let text = AnchoredText(blocks)
    let anchors = blocks.indices.compactMap { text.anchor(ofBlock: $0) }
    let places = try Shell.numbers(
      "SELECT id FROM contentNode WHERE kind = 'activity' ORDER BY id LIMIT \(Self.activities)", in: base
    )
    .map { Place.node(NodeID(rawValue: $0)) }
    for number in 0..<Self.count {
      try service.notes.write(
        "Note \(number)", at: anchors[number % anchors.count], in: .place(places[number % places.count]))
    }

    let layout = ReadingLayout(
      width: 94, theme: Theme(colourDepth: .truecolor, pageAppearance: .dark), symbols: .unicode
    ).text(blocks)
    var (read, placed, written) = (Samples(), Samples(), Samples())
    var notes: [Note] = []
    for place in places {
      try read.measure(.process) { notes = try service.notes.all(in: place) }
      placed.measure(.process) { _ = NotePositions(notes, in: layout, AnchoredText(blocks)) }
      try written.measure(.process) { try service.notes.write("One more", at: anchors[0], in: .place(place)) }
    }
    var table = Table(
      "Notes: \(Self.count.grouped) in a course, \(notes.count) of them in each of \(Self.activities) texts",
      note: "Processor time, the median of \(Self.activities) texts.", columns: ["what", "time"])
    table.add("read the notes of a text", read.median.asTime, target: "≤ 1 ms", isMet: read.median <= 1e6)
    table.add("locate them in the text", placed.median.asTime, target: "≤ 1 ms", isMet: placed.median <= 1e6)
    table.add("add a note", written.median.asTime, target: "≤ 5 ms", isMet: written.median <= 5e6)
    return table
  }
}
