import Foundation

extension String {
  /// This text with what differs from run to run named instead: times, uuids, and the folders that a test made.
  func steadied(_ home: Home? = nil) -> String {
    var text = self
    if let home { text = text.replacing(home.folder.path, with: "HOME") }
    return
      text
      .replacing(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/, with: "TIME")
      .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "UUID")
  }

  /// The text as a JSON value, to be looked into.
  var json: Any? {
    try? JSONSerialization.jsonObject(with: Data(utf8), options: .fragmentsAllowed)
  }

  /// The lines, without their ends.
  var lines: [String] {
    split(separator: "\n").map(String.init)
  }
}
