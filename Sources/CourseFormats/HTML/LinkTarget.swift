import Foundation
import LearningModel

/// Where a link in a text leads, as far as its words tell.
enum LinkTarget: Equatable {
  /// Out of the course, to an address that may be opened.
  case address(String)
  /// To a node by its key, in Waymark's own words.
  case node(String)
  /// To a place in the same text.
  case anchor(String)
  /// To a file of the source, and a place in it. The name is as the text has it, without `%20` and the like.
  case file(String, anchor: String?)
  /// To something that nobody should open from a text, such as a script.
  case unsafe

  /// Reads a destination.
  init(_ destination: String) {
    if destination.hasPrefix("#") {
      self = .anchor(Self.decoded(destination.dropFirst()))
    } else if destination.hasPrefix("//") {
      self = .address("https:" + destination)
    } else if destination.hasPrefix(CourseLink.scheme) {
      self = .node(Self.decoded(destination[...]))
    } else if let colon = destination.firstIndex(of: ":"), Self.isScheme(destination[..<colon]) {
      let isSafe = Self.safe.contains(destination[..<colon].lowercased())
      self = isSafe ? .address(destination) : .unsafe
    } else {
      let hash = destination.firstIndex(of: "#")
      let path = destination[..<(hash ?? destination.endIndex)].prefix { $0 != "?" }
      let anchor = hash.map { Self.decoded(destination[destination.index(after: $0)...]) }
      self = .file(Self.decoded(path), anchor: anchor == "" ? nil : anchor)
    }
  }

  private static let safe: Set<String> = ["http", "https", "mailto", "tel", "ftp", "ftps"]

  // RFC 3986, 3.1.
  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first | 0x20) else { return false }
    return text.utf8.allSatisfy {
      (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
    }
  }

  private static func decoded(_ text: some StringProtocol) -> String {
    text.removingPercentEncoding ?? String(text)
  }
}
