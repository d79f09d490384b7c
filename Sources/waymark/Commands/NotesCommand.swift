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
    "notes", "List, add and remove notes, highlights and own cards.",
    example: "waymark notes english-for-business --format markdown",
    note: "A place limits the list to its notes. For the filters, run: waymark help notes list",
    subcommands: [NotesListCommand.self, NotesAddCommand.self, NotesRemoveCommand.self],
    defaultSubcommand: NotesListCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// `waymark notes list`, the default subcommand.
struct NotesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "list", "List notes, highlights and own cards, last changed first; with --format markdown in reading order.",
    example: "waymark notes list --text offer --format jsonl")

  @OptionGroup var global: GlobalOptions
  @Argument(
    help: "List only the notes of this place and the places below it.", completion: .places,
    transform: ArgumentParsers.place)
  var place: String?
  @Option(
    help: ArgumentHelp(
      "List only the notes that contain these words, or whose quoted text or answer does.", valueName: "words"))
  var text: String?
  @Option(help: ArgumentHelp("The output format.", valueName: "format"))
  var format = Format.table
  @OptionGroup var limit: LimitOption

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table, json, jsonl, csv, markdown
  }

  func run() throws {
    let library = try global.library()
    let all = try global.readOnlyService().notes.all(under: place.map { .text($0) }, withCards: true)
    let terms = (text ?? "").folded.split(separator: " ")
    let matches = limit.first(
      of: all.filter { placedNote in
        let note = placedNote.note
        let searchedText = [note.text, note.anchor.quote, note.answer ?? ""].joined(separator: " ").folded
        return terms.allSatisfy { searchedText.contains($0) }
      })
    let notes = try LocatedNote.finding(matches) { try library.content(of: $0) }
    guard let format = OutputFormat(rawValue: format.rawValue) else {
      var output = StandardOutput()
      output.write(MarkdownWriter().text(notes.blocks).harmlessLines)
      return output.flush()
    }

    // On a terminal, only the beginning of a long passage is printed.
    let maximumQuote = StandardOutput().width == nil ? Int.max : 100
    try Printing.list(
      notes.map { NoteRow($0.placed, state: $0.state.rawValue) }, fields: CSVColumns.notes,
      columns: [
        Column("note", wraps: true) {
          let text = $0.placed.note.text.split(whereSeparator: \.isNewline).joined(separator: " ")
          return $0.placed.note.isCard ? "Card: " + text : text
        },
        Column("about", wraps: true) {
          if let answer = $0.placed.note.answer {
            return "Answer: " + answer.split(whereSeparator: \.isNewline).joined(separator: " ")
          }
          return ($0.state == "gone" ? "(passage removed) " : "") + "“"
            + $0.placed.note.anchor.quote.truncated(to: maximumQuote, ellipsis: "…") + "”"
        },
        Column("in", mayShrink: true) { $0.placed.place.title + ($0.state == "removed" ? ", removed" : "") },
        Column("path", mayShrink: true, omissionRank: 1) { $0.placed.place.path.description },
      ],
      as: format,
      whenEmpty: all.isEmpty
        ? "No notes yet. Add one with 'waymark notes add PLACE WORDS', or press e in a text in the browser."
        : "No note contains these words.")
  }
}

/// `waymark notes add PLACE WORDS`.
struct NotesAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "add", "Add a note to a text, or a highlight if there are no words.",
    example: "waymark notes add english-for-business/presenting/speaking/the-pause \"Wait\"")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The path of an activity.", completion: .places, transform: ArgumentParsers.place) var place: String
  @Argument(help: "The text of the note (default: none, which adds a highlight).") var words: [String] = []
  @Option(
    help: ArgumentHelp(
      "The words of the text that the note is about (default: its first paragraph).", valueName: "words"))
  var about: String?

  func run() throws {
    let library = try global.library()
    let service = try global.navigation()
    let namedPlace = try service.places.named(.text(place))
    guard namedPlace.kind == .activity else {
      throw CommandFailure.textNotFound("", place: namedPlace.path.description)
    }
    let blocks = try library.content(at: namedPlace.path).readBlocks
    let anchor = try AnchoredText(blocks).anchor(ofWords: about, in: namedPlace.path)
    let text = words.joined(separator: " ")
    try service.notes.write(text, at: anchor, in: .place(namedPlace.place))
    Printing.line((text.isEmpty ? "Highlighted" : "Added a note to") + " “\(anchor.quote)” in “\(namedPlace.title)”.")
  }
}

extension AnchoredText {
  /// Returns the anchor of the given words in the text. If `quote` is `nil`, returns the anchor of the first paragraph.
  ///
  /// - Throws: ``CommandFailure/textNotFound(_:place:)``.
  fileprivate func anchor(ofWords quote: String?, in path: PlacePath) throws -> NoteAnchor {
    let blocks = passages.indices.filter { passages[$0].length > 0 }
    let result =
      if let quote {
        blocks.lazy.compactMap { self.anchor(ofBlock: $0, text: quote) }.first
      } else {
        blocks.first { !isHeading($0) }.flatMap { anchor(ofBlock: $0) } ?? blocks.first.flatMap { anchor(ofBlock: $0) }
      }
    guard let result else { throw CommandFailure.textNotFound(quote ?? "", place: path.description) }
    return result
  }
}

/// `waymark notes remove NOTE`.
struct NotesRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a note, a highlight or an own card.",
    discussion: Example.text(
      "waymark notes add english-for-business/presenting/speaking/the-pause \"Wait\"",
      "waymark notes remove $(waymark notes --format csv | sed -n 2p | cut -d, -f4)"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The id of the note, or its first characters; 'waymark notes --format jsonl' prints it.") var note:
    String

  func run() throws {
    let service = try global.navigation()
    let matches = try service.notes.all(withCards: true).filter { $0.note.id.hasPrefix(note.lowercased()) }
    guard let first = matches.first, matches.count == 1 else {
      throw CommandFailure.unknownNote(note, count: matches.count)
    }
    if first.note.isCard {
      try service.cards.remove(CardID(place: first.place.place, key: first.note.id))
      return Printing.line("Removed the card “\(first.note.text)” in “\(first.place.title)”.")
    }
    try service.notes.remove(first.note.id)
    Printing.line("Removed the note on “\(first.note.anchor.quote)” in “\(first.place.title)”.")
  }
}
