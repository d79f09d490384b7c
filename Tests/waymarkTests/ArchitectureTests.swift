import Foundation
import Testing

/// Checks that the files, types and members in ARCHITECTURE.md and on other pages for contributors exist.
struct ArchitectureTests {
  private let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let pages = [
    "ARCHITECTURE.md", "CONTRIBUTING.md", "Benchmarks/README.md", "Fixtures/README.md", "Documentation/store.md",
    "Documentation/content-rendering.md", "Sources/ScreenKit/Documentation.docc/InWaymark.md",
  ]

  /// Types of GRDB that the pages name.
  private static let typesOfGRDB: Set = ["DatabasePool", "DatabaseMigrator"]

  private func text(of page: String) throws -> String {
    try String(contentsOf: package.appending(path: page), encoding: .utf8)
  }

  @Test(arguments: pages) func `the files and types that a page for contributors names exist`(page: String) throws {
    let manager = FileManager.default
    let files = try files(below: "Sources") + files(below: "Tests")
    let declared = Set(try declarations(in: files).keys)

    let name = /`([A-Za-z]+(?:\/[A-Za-z+]+)+(?:\.swift)?|[A-Z][a-z]+[A-Z]\w*(?:\.swift)?)`/
    let names = try text(of: page).matches(of: name).map { String($0.output.1) }
    let missing = names.filter { name in
      let path = name.hasSuffix(".swift") ? name : name + ".swift"
      return !files.contains { $0.hasSuffix("/" + path) || $0.contains("/\(name)/") } && !declared.contains(name)
        && !Self.typesOfGRDB.contains(name) && !manager.fileExists(atPath: package.appending(path: name).path)
    }

    #expect(page != "ARCHITECTURE.md" || names.count > 60)
    #expect(missing == [])
  }

  @Test(arguments: pages)
  func `the members that a page for contributors names are declared in their types`(page: String) throws {
    let declarations = try declarations(in: files(below: "Sources"))

    let members = try text(of: page).matches(of: /`([A-Z]\w*[a-z]\w*)\.(\w+)`/)
      .map { (type: String($0.output.1), name: String($0.output.2)) }
      .filter { $0.name != "swift" && !Self.typesOfGRDB.contains($0.type) }
    let missing = try members.filter { member in
      let declaration = try Regex("\\b(func|var|let|case) \(member.name)\\b")
      return try declarations[member.type].map { try declaration.firstMatch(in: $0) == nil } ?? true
    }

    #expect(page != "ARCHITECTURE.md" || members.count > 20)
    #expect(missing.map { "\($0.type).\($0.name)" } == [])
  }

  @Test func `a browser component uses at most three others, as the page lists`() throws {
    let files = try files(below: "Sources/CourseBrowser")
    let declarations = try declarations(in: files)
    let components = declarations.filter { $0.value.contains(/class \w+: BrowserComponent\b/) }

    let rows = try text(of: "ARCHITECTURE.md").matches(of: /\n\| `(\w+)` \| [^|\n]* \| ([^|\n]*)\|/).filter {
      components[String($0.output.1)] != nil
    }
    let listed = Dictionary(
      uniqueKeysWithValues: rows.map { row in
        (String(row.output.1), Set(row.output.2.matches(of: /`(\w+)`/).map { String($0.output.1) }))
      })
    let used = components.mapValues { text in
      Set(text.matches(of: /\n  (?:private )?(?:unowned )?let \w+: (\w+)/).map { String($0.output.1) })
        .intersection(components.keys)
    }

    #expect(components.count > 10)
    #expect(used == listed)
    #expect(used.filter { $0.value.count > 3 } == [:])
  }

  /// Returns the paths of the Swift files in a folder, relative to the package.
  private func files(below folder: String) throws -> [String] {
    let walk = try #require(
      FileManager.default.enumerator(at: package.appending(path: folder), includingPropertiesForKeys: nil))
    return walk.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map {
      String($0.path.dropFirst(package.path.count))
    }
  }

  /// Returns the text of each top-level type with its extensions. Nested types have an empty text.
  private func declarations(in files: [String]) throws -> [String: String] {
    var declarations: [String: String] = [:]
    let declaration = /\b(?:class|struct|enum|protocol|actor|extension|typealias) (\w+)/
    for file in files {
      var type: String?
      for line in try String(contentsOf: package.appending(path: file), encoding: .utf8).split(separator: "\n") {
        if let match = line.firstMatch(of: declaration), !line.drop(while: { $0 == " " }).hasPrefix("//") {
          if line.first == " " {
            declarations[String(match.output.1), default: ""] += ""
          } else {
            type = String(match.output.1)
          }
        }
        if let type { declarations[type, default: ""] += line + "\n" }
      }
    }
    return declarations
  }
}
