import Foundation
import TerminalHarness
import Testing

/// Links and tables of README.md, Documentation and the pages for contributors.
struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardized

  private static let pages =
    DocumentationPages.all.map(\.description) + [
      "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "Benchmarks/README.md", "Fixtures/README.md",
    ]

  @Test(arguments: pages) func `each link of a page leads to a file and a heading of the project`(page: String) throws {
    let links = Self.textWithoutCode(try Self.text(of: page)).matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }

    for link in links where !link.hasPrefix("http") && !link.hasPrefix("mailto:") {
      let components = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let file =
        components[0].isEmpty
        ? Self.root.appending(path: page)
        : Self.root.appending(path: page).deletingLastPathComponent().appending(path: components[0]).standardized
      #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(link)")
      if components.count > 1 {
        #expect(
          try Self.anchors(of: String(contentsOf: file, encoding: .utf8)).contains(components[1]), "\(page): \(link)")
      }
    }
  }

  @Test func `the index links every page of the documentation`() throws {
    let index = try Self.text(of: "Documentation/README.md")

    for page in DocumentationPages.all.map(\.description) where page.hasPrefix("Documentation/") {
      let name = page.dropFirst("Documentation/".count)
      #expect(name == "README.md" || index.contains("](\(name))"), "\(page)")
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs Python"))
  func `the tables of commands and options are those of the parser`() throws {
    let home = try HomeFixture()

    let answer = try home.run(
      "/usr/bin/python3",
      [Self.root.appending(path: "Documentation/commands-table").path, "--check", BuiltProgram.path])

    #expect(answer == Answer(code: 0))
  }

  @Test func `each environment variable that a program reads is documented`() throws {
    let sources = try #require(FileManager.default.enumerator(atPath: Self.root.appending(path: "Sources").path))
    var variables: Set<String> = []
    for case let name as String in sources where name.hasSuffix(".swift") {
      let code = try Self.text(of: "Sources/\(name)")
      variables.formUnion(code.matches(of: /"\$?((?:WAYMARK|XDG)_[A-Z_]*[A-Z])"/).map { String($0.1) })
    }
    let documentation = try DocumentationPages.all.map(\.text).joined() + Self.text(of: "CONTRIBUTING.md")

    #expect(variables.contains("WAYMARK_DATABASE"))
    for variable in variables.sorted() { #expect(documentation.contains("`\(variable)`"), "\(variable)") }
  }

  private static func text(of page: String) throws -> String {
    try String(contentsOf: root.appending(path: page), encoding: .utf8)
  }

  /// The text outside of fenced blocks and inline code.
  private static func textWithoutCode(_ text: String) -> String {
    text.replacing(/(?s)```.*?```/, with: "").replacing(/`[^`\n]*`/, with: "")
  }

  /// The anchors of a page's headings, as GitHub derives them: lowercase, without punctuation, with hyphens for spaces; a
  /// repeated one gets a number.
  private static func anchors(of text: String) -> Set<String> {
    var counts: [String: Int] = [:]
    var anchors: Set<String> = []
    for line in text.replacing(/(?s)```.*?```/, with: "").split(separator: "\n") where line.hasPrefix("#") {
      let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
      let anchor = String(
        title.compactMap { character -> Character? in
          if character == " " { return "-" }
          return character.isLetter || character.isNumber || character == "-" || character == "_" ? character : nil
        })
      let count = counts[anchor, default: 0]
      counts[anchor] = count + 1
      anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
    }
    return anchors
  }
}
