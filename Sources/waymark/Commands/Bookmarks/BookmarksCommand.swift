import Answers
import ArgumentParser
import LearningModel
import NavigationKit

/// `waymark bookmarks`, with subcommands to list, add and remove bookmarks.
struct BookmarksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "bookmarks", "List, add and remove bookmarks.",
    example: "waymark bookmarks add english-for-business/negotiating",
    subcommands: [BookmarksListCommand.self, BookmarksAddCommand.self, BookmarksRemoveCommand.self],
    defaultSubcommand: BookmarksListCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// `waymark bookmarks list`, the default subcommand.
struct BookmarksListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "list", "List bookmarks, newest first.", example: "waymark bookmarks list --format jsonl")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limit: LimitOption

  func run() throws {
    let rows = try limit.first(of: global.readOnlyService().notes.bookmarks().map(BookmarkRow.init))

    try Printing.list(
      rows, fields: CSVColumns.bookmarks,
      columns: [
        Column("title", mayShrink: true) { $0.place.title },
        Column("kind") { $0.place.noun.singular + ($0.place.isRemoved ? ", removed" : "") },
        Column("path", mayShrink: true, omissionRank: 1) { $0.place.path.description },
      ],
      as: output.format,
      whenEmpty: "No bookmarks yet. Add one with 'waymark bookmarks add PLACE', or press m in the browser.")
  }
}

/// `waymark bookmarks add PLACE`.
struct BookmarksAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "add", "Add a bookmark.", example: "waymark bookmarks add english-for-business/negotiating")

  @OptionGroup var global: GlobalOptions
  @Argument(
    help: "A path such as english-for-business/negotiating.", completion: .places, transform: ArgumentParsers.place)
  var place: String

  func run() throws {
    let service = try global.navigation()
    let namedPlace = try service.places.named(.text(place))
    guard namedPlace.kind != .root else { throw CommandFailure.rootMarked }
    let isNew = try service.notes.setBookmark(true, at: .place(namedPlace.place))
    let title = namedPlace.title
    Printing.line(isNew ? "Added a bookmark for “\(title)”." : "“\(title)” already has a bookmark.")
  }
}

/// `waymark bookmarks remove PLACE`.
struct BookmarksRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove a bookmark, even if its place is no longer in the course.",
    example: "waymark bookmarks remove english-for-business/negotiating")

  @OptionGroup var global: GlobalOptions
  @Argument(
    help: "A path such as english-for-business/negotiating.", completion: .places, transform: ArgumentParsers.place)
  var place: String

  func run() throws {
    let service = try global.navigation()
    let hadBookmark = try service.notes.setBookmark(false, at: .text(place))
    let title = try service.places.evenRemoved(.text(place)).title
    Printing.line(hadBookmark ? "Removed the bookmark for “\(title)”." : "“\(title)” has no bookmark.")
  }
}
