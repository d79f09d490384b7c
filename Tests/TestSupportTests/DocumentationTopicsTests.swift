import Foundation
import Testing

/// The documentation catalogs of the libraries, in the repository that the tests were compiled in.
@Suite struct DocumentationTopicsTests {
  /// The modules with a documentation catalog. Add a module here when it gets one.
  private static let modules = [
    "CourseKit", "LearningModel", "LearningStore", "NavigationKit", "ScreenKit", "TerminalIO", "TextCanvas",
  ]

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  private static func projectFile(_ path: String) throws -> String {
    try String(contentsOf: sources.deletingLastPathComponent().appending(path: path), encoding: .utf8)
  }

  @Test(arguments: modules) func `every public symbol of a library is in one topic of its pages`(module: String) throws
  {
    let declared = try PublicSymbols(in: Self.sources.appending(path: module)).names
    let listed = try Self.pages(of: module).flatMap { Self.symbols(inTopicsOf: $0.text) }

    #expect(!declared.isEmpty)
    #expect(declared.subtracting(listed).sorted() == [])
    #expect(listed.filter { !$0.contains("/") && !declared.contains($0) } == [])
    #expect(Set(listed).count == listed.count)
  }

  @Test(arguments: modules) func `every article of a library is in a topic of its page`(module: String) throws {
    let pages = try Self.pages(of: module)
    let text = try #require(pages.first { $0.name == module }).text

    let missing = pages.map(\.name).filter { $0 != module && !text.contains("\n- <doc:\($0)>\n") }

    #expect(missing == [])
  }

  @Test(arguments: modules) func `every article of a library is linked by the page on the libraries`(module: String)
    throws
  {
    let page = try Self.projectFile("Documentation/library.md") + Self.projectFile("Documentation/README.md")

    let missing = try Self.pages(of: module).map(\.name).filter {
      !page.contains("](../Sources/\(module)/Documentation.docc/\($0).md)")
    }

    #expect(missing == [])
  }

  @Test func `the package index builds the documentation of the same libraries as make docs`() throws {
    let targets = try #require(Self.projectFile(".spi.yml").firstMatch(of: /documentation_targets: \[(.*)\]/)).1
    let documented = try Self.projectFile("Makefile").matches(of: /--target (\w+)/).map { String($0.1) }

    #expect(targets.split(separator: ", ").map(String.init) == documented)
    #expect(documented.sorted() == Self.modules)
  }

  @Test func `the public symbols are top-level declarations and members added to types of other modules`() {
    let source = """
      @MainActor public final class A {
        public struct Inner {}
      }
      public protocol B: AnyObject {}
      public typealias C = Int
      @discardableResult
      @MainActor public func run(
        duration: Double, _ changes: (Int) -> Void, completion: ((_ finished: Bool) -> Void)? = nil
      ) -> Bool { true }
      public func plain() {}
      package struct Hidden {}
      extension A { public func member() {} }
      extension String {
        public func wrapped(to width: Int) -> [String] { [] }
        public var columns: Int { 0 }
        func other() {}
      }
      """

    #expect(
      PublicSymbols(of: [source]).names == [
        "A", "B", "C", "run(duration:_:completion:)", "plain()", "Swift/String/wrapped(to:)", "Swift/String/columns",
      ])
  }

  private static func pages(of module: String) throws -> [(name: String, text: String)] {
    let catalog = sources.appending(path: "\(module)/Documentation.docc")
    return try FileManager.default.contentsOfDirectory(atPath: catalog.path).filter { $0.hasSuffix(".md") }.sorted().map
    {
      (String($0.dropLast(3)), try String(contentsOf: catalog.appending(path: $0), encoding: .utf8))
    }
  }

  /// The symbols in the list items below `## Topics`, in order.
  private static func symbols(inTopicsOf page: String) -> [String] {
    guard let topics = page.range(of: "\n## Topics\n") else { return [] }
    return page[topics.upperBound...].split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^- ``(.+)``$/).map { String($0.1) }
    }
  }
}

/// The public declarations of a module that need a topic: the top-level ones, and the members that the module adds to
/// types of other modules. DocC lists the members of the module's own types automatically.
private struct PublicSymbols {
  private(set) var names: Set<String> = []
  private var ownTypes: Set<String> = []

  init(in folder: URL) throws {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var sources: [String] = []
    while let file = files?.nextObject() as? URL {
      if file.pathExtension == "swift" { sources.append(try String(contentsOf: file, encoding: .utf8)) }
    }
    self.init(of: sources)
  }

  init(of sources: [String]) {
    let type =
      #/
      ^(?:@\w+\ )*(?:(?:public|package|open|final|indirect|private|fileprivate)\ )*
      (?:class|struct|enum|protocol|actor|typealias)\ (\w+)
      /#
    for source in sources {
      for line in source.split(separator: "\n") {
        if let (_, name) = line.firstMatch(of: type)?.output { ownTypes.insert(String(name)) }
      }
    }
    for source in sources { add(source) }
  }

  private mutating func add(_ source: String) {
    let declaration =
      #/
      (?m)^(\ *)(?:@\w+\ )*(?:public|open)\ (?:(?:static|final|indirect|mutating|nonisolated)\ )*
      (class|struct|enum|protocol|actor|typealias|func|var|let|init|subscript)\b\ *(\w*)
      /#
    let extended = source.matches(of: /(?m)^extension (\w+)((?:\.\w+)*)/)
    for match in source.matches(of: declaration) {
      let (_, indent, kind, name) = match.output
      let isFunction = kind == "func" || kind == "init" || kind == "subscript"
      let base = isFunction ? (name.isEmpty ? String(kind) : String(name)) : String(name)
      let symbol = isFunction ? base + Self.labels(after: source[match.range.upperBound...]) : base
      if indent.isEmpty {
        names.insert(symbol)
      } else if indent.count == 2,
        let (_, owner, nested) = extended.last(where: { $0.range.lowerBound < match.range.lowerBound })?.output,
        Self.isOpen(source, from: owner.startIndex, to: match.range.lowerBound), !ownTypes.contains(String(owner))
      {
        names.insert("Swift/\(owner + nested)/\(symbol)".replacing(".", with: "/"))
      }
    }
  }

  /// Whether no top-level declaration ends between two positions.
  private static func isOpen(_ source: String, from start: String.Index, to end: String.Index) -> Bool {
    !source[start..<end].contains("\n}")
  }

  /// The argument labels of a parameter list, as DocC writes them: `(duration:_:)`.
  private static func labels(after rest: Substring) -> String {
    guard let open = rest.firstIndex(of: "(") else { return "()" }
    var (depth, isAtStart, label, labels) = (0, true, "", [String]())
    for character in rest[open...] {
      switch character {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth == 0 { return "(" + labels.map { $0 + ":" }.joined() + ")" }
      case "," where depth == 1: (isAtStart, label) = (true, "")
      default:
        guard depth == 1, isAtStart else { continue }
        if character.isLetter || character == "_" || character.isNumber {
          label.append(character)
        } else if !label.isEmpty {
          labels.append(label)
          isAtStart = false
        }
      }
    }
    return "()"
  }
}
