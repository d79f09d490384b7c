import Foundation
import Testing

/// Program text with a row of token classes below each line. A class is drawn as the first letter of its name.
/// Plain characters are drawn as periods, and plain blanks as blanks.
struct Drawing: Sendable, CustomTestStringConvertible {
  var language: String
  var rows: String

  var testDescription: String { language }

  /// The files of the folder `Drawings`, each named after its language.
  static let all: [Drawing] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Drawings")
    let names = try! FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return names.map { name in
      let text = try! String(contentsOf: folder.appending(path: name), encoding: .utf8)
      return Drawing(language: name.replacing(".txt", with: ""), rows: String(text.dropLast()))
    }
  }()
}
