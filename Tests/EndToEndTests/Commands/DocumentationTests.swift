import ArgumentParser
import Foundation
import TerminalHarness
import Testing

@testable import waymark

/// Links and tables of README.md, Documentation and the pages for contributors.
struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardized

  private static let pages =
    DocumentationPages.all.map(\.description) + [
      "ARCHITECTURE.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "Benchmarks/README.md",
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

  @Test(arguments: pages + ["Sources/ScreenKit/Documentation.docc/InWaymark.md"])
  func `no page counts features of the program`(page: String) throws {
    let text = Self.textWithoutCode(try Self.text(of: page))

    // Such a number would be wrong after the next feature.
    let number = #"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|[0-9]+)"#
    let features = "(?:migrations|tabs|formats|languages|themes|tables|routes|modules|tools|settings|subcommands)"
    let counts = text.matches(of: try Regex("(?i)\\b\(number) \(features)\\b")).map { String(text[$0.range]) }

    #expect(counts == [])
  }

  @Test func `no link leads to a package registry`() throws {
    for page in Self.pages {
      let registries = /https?:\/\/(?:www\.)?(?:pypi\.org|npmjs\.com|crates\.io|rubygems\.org|packages\.debian\.org)/
      #expect(try Self.text(of: page).firstMatch(of: registries) == nil, "\(page)")
    }
  }

  @Test func `the workflows run targets and scripts of the project`() throws {
    let workflows = try FileManager.default.contentsOfDirectory(
      at: Self.root.appending(path: ".github/workflows"), includingPropertiesForKeys: nil)
    let makefile = try Self.text(of: "Makefile")

    for workflow in workflows {
      let text = try String(contentsOf: workflow, encoding: .utf8)
      let targets =
        text.matches(of: /&& make ([a-z-]+)/).map { String($0.1) }
        + text.matches(of: /target: \[(.*)\]/).flatMap { $0.1.split(separator: ", ").map(String.init) }
      #expect(!targets.isEmpty || text.contains("run: .ci/run\n"), "\(workflow.lastPathComponent)")
      for target in targets { #expect(makefile.contains("\n\(target):"), "\(workflow.lastPathComponent): \(target)") }
    }
    #expect(workflows.count == 3)
  }

  @Test func `the page on assistants lists the tools, those that write in the last row`() throws {
    let rows = try Self.text(of: "Documentation/mcp.md").split(separator: "\n").filter { $0.contains(/\| `\w+`/) }
      .map { $0.matches(of: /`([a-z_]+)`/).map { String($0.1) } }.filter { !$0.isEmpty }
    let reading = CommandTool.all.filter { $0.effect == .none }.map(\.name)
    let writing = CommandTool.all.filter { $0.effect != .none }.map(\.name)

    #expect(rows.dropLast().joined().sorted() == reading.sorted())
    #expect(rows.last?.sorted() == writing.sorted())
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs Python"))
  func `each example in Python is valid`() throws {
    let home = try HomeFixture()
    let examples = DocumentationPages.all.flatMap { page in
      page.text.matches(of: #/(?ms)^```python\n(.*?)^```$/#).map { (page: page, code: String($0.1)) }
    }

    #expect(!examples.isEmpty)
    for example in examples {
      let answer = try home.run(
        "/usr/bin/python3", ["-c", "import sys; compile(sys.argv[1], 'page', 'exec')", example.code])
      #expect(answer == Answer(code: 0), "\(example.page)")
    }
  }

  @Test func `each command that a page names exists`() throws {
    for page in Self.pages {
      let text = try Self.text(of: page)
      // A place or a file can follow instead of a command; `bread` is such a folder.
      for match in text.matches(of: /`waymark ([a-z]+)(?: ([a-z][a-z-]*))?(?:`| [^`]*`)/)
      where !["help", "bread"].contains(match.1) {
        let command = Waymark.configuration.subcommands.first { $0.configuration.commandName == String(match.1) }
        let subcommands = (command?.configuration.subcommands ?? []).compactMap { $0.configuration.commandName }
        let isSubcommand = match.2.map { subcommands.contains(String($0)) } ?? true
        #expect(command != nil && (subcommands.isEmpty || isSubcommand), "\(page): \(match.0)")
      }
    }
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
