import Foundation
import Testing

/// The public declarations of the libraries, in the repository that the tests were compiled in.
@Suite struct TypedThrowsTests {
  /// The modules of the library products.
  private static let modules = [
    "CourseKit", "LearningModel", "LearningStore", "NavigationKit", "Images", "ScreenKit", "TerminalIO", "TextCanvas",
  ]

  @Test(arguments: modules) func `every public declaration that throws names its error`(module: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/\(module)")
    var untyped: [String] = []

    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      untyped += Self.untyped(in: try String(contentsOf: file, encoding: .utf8))
    }

    #expect(untyped == [])
  }

  @Test func `a declaration with untyped throws is found by its first line, except for a requirement of Codable`() {
    let source = """
      public func plain() throws {}
      public func typed() throws(MyError) {}
      package func hidden() throws {}
      @MainActor public func body<T>(
        _ body: () throws -> T
      ) rethrows -> T { try body() }
      public protocol Loader {
        func load() throws -> Int
      }
        public func encode(to encoder: any Encoder) throws {}
        public init(from decoder: any Decoder) throws {}
      // A comment that throws nothing.
      """

    #expect(
      Self.untyped(in: source) == [
        "public func plain() throws {}", "@MainActor public func body<T>(", "func load() throws -> Int",
      ])
  }

  /// The first lines of the public declarations in a source that have `throws` or `rethrows` without a type.
  private static func untyped(in source: String) -> [String] {
    var declarations: [String] = []
    var (declaration, isPublic, isInProtocol) = ("", false, false)
    for line in source.split(separator: "\n") {
      // Regular expressions are slow in a debug build, so they are only used for lines with one of these words.
      guard
        line.hasPrefix("}")
          || ["protocol", "func", "init", "subscript", "var", "throws"].contains(where: line.contains)
      else { continue }
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      if code.hasPrefix("}") { isInProtocol = false }
      if code.contains(/\bprotocol \w+/) { isInProtocol = code.contains(/\bpublic\b/) }
      if code.contains(/\b(func \w|func [^\w\s]|init[?(<]|subscript|var \w)/) {
        declaration = code.trimmingCharacters(in: .whitespaces)
        isPublic = code.contains(#/^\s*(@\w+ )*(public|open)\b/#) || isInProtocol
      }
      guard isPublic, code.contains(/\b(re)?throws\b(?!\()/), declarations.last != declaration else { continue }
      if declaration.contains(/(encode\(to|init\(from decoder)/) { continue }
      declarations.append(declaration)
    }
    return declarations
  }
}
