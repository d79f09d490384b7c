import Answers
import ArgumentParser
import LearningModel
import NavigationKit

/// `waymark bookmarks`, with subcommands to list, add and remove bookmarks.
struct BookmarksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "bookmarks", "The places that you have marked, the newest first.",
    example: "waymark bookmarks add english-for-business/negotiating",
    subcommands: [BookmarksListCommand.self, BookmarksAddCommand.self, BookmarksRemoveCommand.self],
    defaultSubcommand: BookmarksListCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// `waymark bookmarks list`, the default subcommand.
struct BookmarksListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "list", "List the places that you have marked.", example: "waymark bookmarks list --format jsonl")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limit: LimitOption

  func run() throws {
    let rows = try limit.first(of: global.asking().bookmarks().map(BookmarkRow.init))

    try Printing.list(
      rows, fields: Fields.bookmarks,
      columns: [
        Column("title", mayShrink: true) { $0.place.title },
        Column("kind") { $0.place.kind.rawValue + ($0.place.isRemoved ? ", removed" : "") },
        Column("path") { $0.place.path.description },
      ],
      as: output.format,
      whenEmpty: "There is no bookmark yet. Set one with 'waymark bookmarks add PLACE', or with m in the browser.")
  }
}

/// `waymark bookmarks add PLACE`.
struct BookmarksAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "add", "Mark a place.", example: "waymark bookmarks add english-for-business/negotiating")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "A path such as english-for-business/negotiating.", completion: .places, transform: Given.place)
  var place: String

  func run() throws {
    let service = try global.navigation()
    let found = try service.place(named: .text(place))
    guard found.kind != .root else { throw CommandFailure.rootMarked }
    let isNew = try service.setBookmark(true, at: .place(found.place))
    let title = found.title
    Printing.line(isNew ? "Marked “\(title)”." : "“\(title)” is marked already.")
  }
}

/// `waymark bookmarks remove PLACE`.
struct BookmarksRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "remove", "Take a mark away, also of a place that is not in its course any more.",
    example: "waymark bookmarks remove english-for-business/negotiating")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "A path such as english-for-business/negotiating.", completion: .places, transform: Given.place)
  var place: String

  func run() throws {
    let service = try global.navigation()
    let wasThere = try service.setBookmark(false, at: .text(place))
    let title = try service.placeEvenRemoved(named: .text(place)).title
    Printing.line(wasThere ? "“\(title)” is not marked any more." : "“\(title)” was not marked.")
  }
}
