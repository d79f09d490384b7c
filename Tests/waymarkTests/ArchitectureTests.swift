import Foundation
import Testing

/// The page for those who carry the work on.
struct ArchitectureTests {
  private let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `what ARCHITECTURE.md names is there`() throws {
    let page = try String(contentsOf: package.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
    let files = try ["Sources", "Tests"].flatMap { try Self.files(below: package.appending(path: $0), of: package) }
    let declared = try Self.declared(in: files, of: package)

    let name = /`([A-Za-z]+(?:\/[A-Za-z+]+)+(?:\.swift)?|[A-Z][a-z]+[A-Z]\w*(?:\.swift)?)`/
    let names = page.matches(of: name).map { $0.output.1 }
    let missing = names.filter { name in
      let path = name.hasSuffix(".swift") ? String(name) : String(name) + ".swift"
      return !files.contains { $0.hasSuffix("/" + path) || $0.contains("/\(name)/") } && !declared.contains(name)
    }

    #expect(names.count > 60)
    #expect(missing == [])
  }

  private static func files(below folder: URL, of package: URL) throws -> [String] {
    let walk = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return walk.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map {
      String($0.path.dropFirst(package.path.count))
    }
  }

  private static func declared(in files: [String], of package: URL) throws -> Set<Substring> {
    var names: Set<Substring> = []
    for file in files {
      let text = try String(contentsOf: package.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /\b(?:class|struct|enum|protocol|typealias) (\w+)/) {
        names.insert(Substring(String(match.output.1)))
      }
    }
    return names
  }
}
