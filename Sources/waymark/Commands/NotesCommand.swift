import Answers
import ArgumentParser
import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark notes`, with subcommands to list, add and remove notes.
struct NotesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "notes", "What you wrote beside texts, and the words of them that you highlighted.",
    example: "waymark notes english-for-business --format markdown",
    subcommands: [NotesListCommand.self, NotesAddCommand.self, NotesRemoveCommand.self],
    defaultSubcommand: NotesListCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// `waymark notes list`, the default subcommand.
struct NotesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "list", "List notes and highlights, the last changed first; as Markdown in the order in which they are read.",
    example: "waymark notes list --text offer --format jsonl")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "Only those at a place and below it.", completion: .places, transform: Given.place)
  var place: String?
  @Option(help: ArgumentHelp("Only those with these words in them or in what they are about.", valueName: "words"))
  var text: String?
  @Option(help: ArgumentHelp("table or markdown for people; json, jsonl or csv for programs.", valueName: "format"))
  var format = Format.table
  @OptionGroup var limit: LimitOption

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table, json, jsonl, csv, markdown
  }

  func run() throws {
    let library = try global.library()
    let all = try global.asking().notes(under: place.map { .text($0) })
    let wanted = (text ?? "").folded.split(separator: " ")
    let found = limit.first(
      of: all.filter { placed in
        let words = (placed.note.text + " " + placed.note.anchor.quote).folded
        return wanted.allSatisfy { words.contains($0) }
      })
    let notes = try NoteInText.finding(found) { try library.content(of: $0) }
    guard let format = OutputFormat(rawValue: format.rawValue) else {
      var output = StandardOutput()
      output.write(MarkdownWriter().text(notes.blocks).harmlessLines)
      return output.flush()
    }

    try Printing.list(
      notes.map { NoteRow($0.placed, state: $0.state.rawValue) }, fields: Fields.notes,
      columns: [
        Column("note", mayShrink: true) {
          $0.placed.note.text.split(whereSeparator: \.isNewline).joined(separator: " ")
        },
        Column("about", mayShrink: true) {
          ($0.state == "gone" ? "(its place is gone) " : "") + "“" + $0.placed.note.anchor.quote + "”"
        },
        Column("in", mayShrink: true) { $0.placed.place.title + ($0.state == "removed" ? ", removed" : "") },
        Column("path") { $0.placed.place.path.description },
      ],
      as: format,
      whenEmpty: all.isEmpty
        ? "There is no note yet. Write one with 'waymark notes add PLACE WORDS', or with e in a text of the browser."
        : "No note has these words.")
  }
}

/// `waymark notes add PLACE WORDS`.
struct NotesAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "add", "Write a note beside a text, or highlight words of it.",
    example: "waymark notes add meetings/agenda \"Ask this first\" --about agenda")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The path of an activity.", completion: .places, transform: Given.place) var place: String
  @Argument(help: "What to write; without it the words are highlighted.") var words: [String] = []
  @Option(help: ArgumentHelp("Words of the text that it is about (default: its first paragraph).", valueName: "words"))
  var about: String?

  func run() throws {
    let library = try global.library()
    let service = try global.navigation()
    let found = try service.place(named: .text(place))
    let blocks = try library.content(at: found.path).readBlocks
    let anchor = try AnchoredText(blocks).anchor(ofWords: about, in: found.path)
    let text = words.joined(separator: " ")
    try service.write(note: text, at: anchor, in: .place(found.place))
    Printing.line((text.isEmpty ? "Highlighted" : "Noted at") + " “\(anchor.quote)” in “\(found.title)”.")
  }
}

extension AnchoredText {
  /// Returns the anchor of some words of the text, or of its first paragraph if `words` is `nil`.
  ///
  /// - Throws: ``CommandFailure/wordsNotFound(_:place:)``.
  fileprivate func anchor(ofWords words: String?, in path: PlacePath) throws -> NoteAnchor {
    let blocks = passages.indices.filter { passages[$0].length > 0 }
    let found =
      if let words {
        blocks.lazy.compactMap { self.anchor(ofBlock: $0, words: words) }.first
      } else {
        blocks.first { !isHeading($0) }.flatMap { anchor(ofBlock: $0) } ?? blocks.first.flatMap { anchor(ofBlock: $0) }
      }
    guard let found else { throw CommandFailure.wordsNotFound(words ?? "", place: path.description) }
    return found
  }
}

/// `waymark notes remove NOTE`.
struct NotesRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "remove", "Take a note or a highlight away.", example: "waymark notes remove 6c1f2a34-…")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The note's name, or how it begins, as 'waymark notes --format jsonl' says it.") var note: String

  func run() throws {
    let service = try global.navigation()
    let found = try service.notes().filter { $0.note.id.hasPrefix(note.lowercased()) }
    guard let first = found.first, found.count == 1 else {
      throw CommandFailure.unknownNote(note, count: found.count)
    }
    try service.removeNote(first.note.id)
    Printing.line("The note at “\(first.note.anchor.quote)” in “\(first.place.title)” is taken away.")
  }
}
