import CourseFormats
import ExternalPrograms
import Foundation
import LearningModel
import TestSupport
import Testing

private let folder = ProcessInfo.processInfo.environment["WAYMARK_REPOSITORIES"]

/// Reads public repositories with books and documentation in many formats. Their numbers of lessons, of content that is
/// left out and of dead links may only improve.
///
/// `WAYMARK_REPOSITORIES` is a folder with the files of each repository in `OWNER/NAME`, at the commit in the table
/// `repositories.txt`.
@Suite(.enabled(if: Tier.isLong && folder != nil, "Needs 'make test-long', and WAYMARK_REPOSITORIES."))
struct RepositoryTests {
  struct Repository: CustomTestStringConvertible {
    let name: String
    let commit: String
    let format: String
    /// The least number of lessons.
    let lessons: Int
    /// The greatest number of pages, parts of pages and other content that is left out.
    let leftOut: Int
    /// The greatest number of links that lead to no page.
    let deadLinks: Int
    /// The titles of the first lessons.
    let first: [String]

    /// Parses a line of `repositories.txt`.
    init?(_ line: Substring) {
      let fields = line.split(separator: "\t").map(String.init)
      guard !line.hasPrefix("#"), fields.count == 7, let lessons = Int(fields[3]), let leftOut = Int(fields[4]),
        let deadLinks = Int(fields[5])
      else { return nil }
      (name, commit, format) = (fields[0], fields[1], fields[2])
      (self.lessons, self.leftOut, self.deadLinks) = (lessons, leftOut, deadLinks)
      first = fields[6].components(separatedBy: " / ")
    }

    var path: String { (folder ?? "") + "/" + name }
    var isFetched: Bool { FileManager.default.fileExists(atPath: path) }
    var testDescription: String { name }
  }

  private static let table = try? String(
    contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "repositories.txt"),
    encoding: .utf8)
  private static let repositories = (table ?? "").split(separator: "\n").compactMap(Repository.init)

  private static let missing = repositories.filter { !$0.isFetched }.map(\.name)
  private static let canConvert = ["pandoc", "asciidoctor"].allSatisfy { ExternalProgram(named: $0) != nil }

  @Test(.enabled(if: missing.isEmpty && canConvert, "Missing: \(missing.joined(separator: ", ")), or a converter."))
  func `all repositories and the programs that convert documents are present`() {
    #expect(Self.missing == [])
  }

  @Test(arguments: repositories.filter { $0.isFetched && ($0.format != "document" || canConvert) })
  func `a repository is read in its order, with no more losses and dead links than before`(
    _ repository: Repository
  ) throws {
    let draft = try FormatRegistry.read(CourseSource(path: repository.path))

    func count(_ isCounted: (Loss) -> Bool) -> Int { draft.losses.filter(isCounted).map(\.count).reduce(0, +) }
    let lessons = draft.nodes.filter { $0.kind == .lesson }.map(\.title)
    #expect(draft.format == repository.format)
    #expect(lessons.count >= repository.lessons)
    #expect(count { $0.treatment.hasPrefix("left out") } <= repository.leftOut)
    #expect(count { $0.what == "broken link" } <= repository.deadLinks)
    #expect(Array(lessons.prefix(repository.first.count)) == repository.first)
    #expect(!lessons.contains("-") && !lessons.contains("Untitled"))
  }
}
