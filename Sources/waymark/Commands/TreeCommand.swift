import Answers
import ArgumentParser
import CourseKit
import CoursePages
import LearningModel
import NavigationKit

/// `waymark tree [PLACE]`.
struct TreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: "List the content of a place, or of all courses, in reading order.",
    discussion: Example.text("waymark tree english-for-business --depth 1")
      + "\n\nThe path of a place is its slug and the slugs of the places above it, joined by slashes.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The path of a place (default: all courses).", completion: .places, transform: ArgumentParsers.place)
  var place: String?
  @OptionGroup var limit: LimitOption
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of levels below the place (default: all).", valueName: "n"))
  var depth: Int?

  func validate() throws {
    if let depth, depth < 0 { throw ValidationError("--depth must be at least 0, not \(depth).") }
  }

  func run() throws {
    let entries = try limit.first(
      of: global.library().tree(from: place.map { PlacePath($0) }, depth: depth, for: global.readOnlyService().learner))

    try Printing.list(
      entries, fields: CSVColumns.tree,
      columns: [
        Column("title", mayShrink: true) { String(repeating: "  ", count: $0.depth) + $0.title },
        Column("kind") { $0.noun.singular },
        Column("done", alignment: .right) { DisplayFormat.percent($0.progress) },
        .passed { LearningProgress(done: $0.passed, total: $0.exercises) },
        Column("slug", mayShrink: true, omissionRank: 1) { $0.path.slugs.last ?? "/" },
      ],
      as: output.format,
      whenEmpty: "No courses yet. Import one with 'waymark import SOURCE' or 'waymark import --bundled'.")
  }
}
