import Foundation
import Testing

@Suite struct DocumentationPictureTests {
  @Test func `the drawings in the documentation equal the program's output`() throws {
    let home = try HomeFixture()
    let pictures = Fixtures.folder.deletingLastPathComponent().appending(path: "Documentation/pictures")

    let answer = try home.run(
      "/bin/bash", [pictures.appending(path: "draw").path, BuiltProgram.path, home.folder.path])

    #expect(answer == Answer(code: 0))
    let stored = try Self.pictures(in: pictures)
    let drawn = try Self.pictures(in: home.folder)
    #expect(stored.keys.sorted() == drawn.keys.sorted())
    let different = drawn.keys.filter { drawn[$0] != stored[$0] }.sorted()
    #expect(different == [], "Draw them again with 'make pictures', and check them.")
  }

  private static func pictures(in folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".svg") }
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
  }
}
