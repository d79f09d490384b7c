import Answers
import ArgumentParser
import CourseKit
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark search QUERY`.
struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search the titles, summaries and texts of all places.",
    discussion: Example.text(
      "waymark search anchor",
      #"waymark search '"first offer"' --kind activity --limit 5"#))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The words to find. All words must occur; the last one can be incomplete.") var query: [String]
  @Option(
    help: ArgumentHelp("Search only this course.", valueName: "path"), completion: .courses,
    transform: ArgumentParsers.place)
  var course: String?
  @Option(help: "Search only places of this kind.") var kind: ContentKind?
  @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of results.", valueName: "n")) var limit = 20

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1, not \(limit).") }
  }

  func run() throws {
    let text = query.joined(separator: " ")
    try NavigationError.checkQuotation(of: text)
    let result = try global.library().search(text, in: course.map { PlacePath($0) }, kind: kind, limit: limit)
    let hits = try global.navigation().hidingAnswers(in: result.hits)

    try Printing.list(
      hits, fields: CSVColumns.search, table: hits.map(\.paragraph).joined(separator: "\n"),
      as: output.format
    )
    if let suggestion = result.didYouMean {
      StandardError.write("Did you mean \(quoted: suggestion)?\n".harmlessLines)
    } else if result.hits.isEmpty {
      StandardError.write("No results for \(quoted: text).\n".harmlessLines)
    }
    if !result.isComplete {
      StandardError.write("The search index is not complete yet. Search again to include the remaining texts.\n")
    }
  }
}

extension SearchHit {
  /// The result on four lines: title and kind, ancestors, passage, and path.
  fileprivate var paragraph: String {
    let lines = [
      "\(title)  (\(noun.singular))", "  " + breadcrumb.joined(separator: " › "),
      "  " + snippet.text(ellipsis: "…"), "  " + path.description,
    ]
    return lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.harmlessLines + "\n" }.joined()
  }
}
