import Foundation

/// Finds the lines in which links stand, for the words about those that lead nowhere.
///
/// Links are asked for in the order of their text, so it goes on from the last line that was found.
struct LinkLines {
  private let source: CourseSource
  private var file: String?
  private var lines: [Substring] = []
  private var last = 0
  private var lookedThrough = 0

  /// How many bytes are looked through at most: where thousands of links are written otherwise than they are read, each of
  /// them would go through its whole file.
  private static let longestLook = 64 << 20

  init(_ source: CourseSource) {
    self.source = source
  }

  /// Returns the line of a file that has a link's destination in it, from 1; `nil` where it was not found.
  mutating func line(of destination: String, in file: String) -> Int? {
    if file != self.file { open(file) }
    let decoded = destination.removingPercentEncoding ?? destination
    for step in lines.indices {
      let index = (last + step) % lines.count
      guard lookedThrough < Self.longestLook else { return nil }
      lookedThrough += lines[index].utf8.count + 1
      guard lines[index].contains(destination) || lines[index].contains(decoded) else { continue }
      last = index
      return index + 1
    }
    return nil
  }

  private mutating func open(_ file: String) {
    self.file = file
    last = 0
    let text = (try? source.bytes(of: file)).flatMap { try? TextDecoding.decode($0, file: file) }
    lines = text?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
  }
}
