import Foundation
import TerminalIO
import Testing

/// Uses all public types in a file that imports Foundation. An ambiguous name does not compile.
@MainActor @Suite struct FoundationNamesTests {
  private static let types: [Any.Type] = [
    AnsiDrawing.self, Capabilities.self, EndingSignal.self, MonotonicClock.self, PlainTextDrawing.self,
    SvgDrawing.self, TerminalEnvironment.self, TerminalError.self, TerminalEvent.self, TerminalOptions.self,
    TerminalPicture.self, TerminalSession.self,
  ]

  @Test(arguments: ["TerminalIO"]) func `all public types can be used in a file that imports Foundation`(module: String)
    throws
  {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/\(module)")
    var declared: Set<String> = []

    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      where line.contains("public") || line.contains("open") {
        let declaration = /^(?:@\w+ )*(?:public|open) (?:final )?(?:class|struct|enum|protocol|typealias) (\w+)/
        if let name = line.firstMatch(of: declaration)?.output.1 { declared.insert(String(name)) }
      }
    }

    #expect(declared.count > 10)
    #expect(declared.subtracting(Self.types.map { "\($0)".replacing("any ", with: "") }).sorted() == [])
    #expect(!declared.contains(module))
  }
}
