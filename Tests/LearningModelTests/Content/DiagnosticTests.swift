import Foundation
import LearningModel
import Testing

struct DiagnosticTests {
  @Test func `an encoded diagnostic has its message and no remedy`() throws {
    let diagnostic = Diagnostic(severity: .error, file: "a.md", line: 3, message: "Odd.", remedy: .listFormats)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys

    let json = try encoder.encode(diagnostic)

    #expect(String(decoding: json, as: UTF8.self) == #"{"file":"a.md","line":3,"message":"Odd.","severity":"error"}"#)
    #expect(
      try JSONDecoder().decode(Diagnostic.self, from: json)
        == Diagnostic(severity: .error, file: "a.md", line: 3, message: "Odd."))
  }
}
