import Foundation

extension String {
  /// The text with placeholders for values that differ between runs: times, UUIDs and the home folder.
  func normalized(_ home: HomeFixture? = nil) -> String {
    var text = self
    if let home { text = text.replacing(home.folder.path, with: "HOME") }
    return
      text
      .replacing(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/, with: "TIME")
      .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "UUID")
  }

  /// The text parsed as a JSON value, or `nil` if it is not valid JSON.
  var json: Any? {
    try? JSONSerialization.jsonObject(with: Data(utf8), options: .fragmentsAllowed)
  }

  /// The non-empty lines.
  var lines: [String] {
    split(separator: "\n").map(String.init)
  }
}
