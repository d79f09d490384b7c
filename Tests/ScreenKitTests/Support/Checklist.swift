import Foundation

/// The numbered behaviours of the checklist, read from `checklist.txt`. The traces are at the end.
///
/// The text after `→` describes the replacement for a feature that is impossible in a terminal or with the library's
/// types.
enum Checklist {
  static let behaviours: [(number: String, words: String)] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "checklist.txt")
    return try! String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let components = line.split(separator: " ", maxSplits: 1)
      return components.count == 2 ? (String(components[0]), String(components[1])) : nil
    }
  }()
}
