import Answers
import ArgumentParser
import CourseKit
import LearningModel
import NavigationKit

/// `waymark tree [PLACE]`.
struct TreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: "Show what is in a course, or in all of them, in reading order.",
    discussion: Example.text("waymark tree english-for-business --depth 1")
      + "\n\nA path is the parts of the last column from the course down, joined by slashes.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "Where to begin: a path (default: every course).", completion: .places, transform: Given.place)
  var place: String?
  @OptionGroup var limit: LimitOption
  @Option(help: ArgumentHelp("How many levels below the first.", valueName: "n")) var depth: Int?

  func validate() throws {
    if let depth, depth < 0 { throw ValidationError("--depth takes a number from 0, not \(depth).") }
  }

  func run() throws {
    let entries = try limit.first(
      of: global.library().tree(from: place.map { PlacePath($0) }, depth: depth, for: global.asking().learner))

    try Printing.list(
      entries, fields: Fields.tree,
      columns: [
        Column("title", mayShrink: true) { String(repeating: "  ", count: $0.depth) + $0.title },
        Column("kind") { $0.kind.rawValue },
        Column("done", alignment: .right) { Percent.text($0.progress) },
        Column("part of the path") { $0.path.slugs.last ?? "/" },
      ],
      as: output.format,
      whenEmpty: "There is no course yet. Import one with 'waymark import SOURCE', or 'waymark import --bundled'.")
  }
}
