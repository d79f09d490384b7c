import Foundation
import Testing

/// Tests that each public name of the library is used by Waymark or by a tested example.
@Suite struct PublicAPITests {
  private let tests = URL(filePath: #filePath).deletingLastPathComponent()
  private var sources: URL {
    tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
  }

  @Test func `each public name is used by the program or by an example`() throws {
    // Timing curves and springs are general tools. The tests of `Motion` use each of their names.
    let isChecked = { (path: String) in path.contains("/Sources/ScreenKit/") && !path.contains("/ScreenKit/Motion/") }
    let library = try Self.lines(below: sources, where: isChecked)
    let examples = ["ExampleCode.swift", "FrontPageExamples.swift", "GivenClockExampleTests.swift"].map {
      tests.appending(path: $0).path
    }
    let product = try Self.lines(below: sources, where: { !isChecked($0) })
    let programs = try Self.lines(
      below: sources.deletingLastPathComponent().appending(path: "Documentation/examples"), where: { _ in true })
    let used = Self.words(of: product + programs + (try Self.lines(below: tests, where: examples.contains)))

    let names = PublicNames(of: library)

    #expect(names.all.count > 250)
    #expect(names.all.filter { name in !name.spellings.contains(where: used.contains) }.map(\.description) == [])
  }

  /// Returns the lines of Swift files without comments.
  private static func lines(below folder: URL, where isMeant: (String) -> Bool) throws -> [Substring] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var lines: [Substring] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift", isMeant(file.path) else { continue }
      lines += try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
        line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
      }
    }
    return lines
  }

  private static func words(of lines: [Substring]) -> Set<Substring> {
    Set(lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
  }
}

/// The names of public declarations: types and their members. An enum or option set also counts as used if one of its
/// cases is used, for example `.custom` for `PresentationStyle.custom`. The requirements of a public protocol are
/// public.
private struct PublicNames {
  struct Name: CustomStringConvertible {
    let description: String
    var spellings: [Substring]
  }

  private(set) var all: [Name] = []

  init(of lines: [Substring]) {
    /// The type around the current line, and the index of its name in `all` if it is an enum or option set.
    var (type, isProtocol, choice) = (Substring(), false, Int?.none)
    for line in lines {
      let isMember = line.hasPrefix("  ")
      if isMember, let choice, let (_, names) = line.firstMatch(of: /^ +case (\w.*)/)?.output {
        all[choice].spellings += names.split { !$0.isLetter }
      }
      if isMember, let choice, let (_, name) = line.firstMatch(of: /^ +public static let (\w+)/)?.output {
        all[choice].spellings.append(name)
      }
      if let (_, kind, name) = line.firstMatch(of: /^(?:\S.*?\b)?(class|struct|enum|protocol|extension) (\w+)/)?.output,
        line.contains("{"), !isMember
      {
        (type, isProtocol, choice) = (name, kind == "protocol" && line.contains("public "), nil)
        if kind == "extension" { continue }
      }
      let declaration = /\b(class|struct|enum|protocol|func|var|let|typealias) (\w+)/
      let isSaid = line.firstMatch(of: /\b(public|open)\b/) != nil
      let isRequired = isProtocol && line.firstMatch(of: /^  \w/) != nil
      guard isSaid || isRequired, !line.contains("override "),
        let (_, kind, name) = line.firstMatch(of: declaration)?.output
      else { continue }
      all.append(Name(description: isMember ? "\(type).\(name)" : String(name), spellings: [name]))
      if kind == "enum" || line.contains("OptionSet") { choice = all.count - 1 }
    }
  }
}
