import Foundation

/// Finds the lines in which links stand, for the words about those that lead nowhere.
///
/// Links are asked for in the order of their text, so it continues from the last line that was found.
struct LinkLines {
  private let source: CourseSource
  private var file: String?
  private var lines: [Substring] = []
  private var last = 0
  private var left: Int

  /// Makes a finder.
  ///
  /// - Parameters:
  ///   - source: Where the files are.
  ///   - longestLook: How many bytes are looked through at most: where thousands of links are written otherwise than they
  ///     are read, each of them would go through its whole file. Whoever has begun a line reads it to its end.
  init(_ source: CourseSource, longestLook: Int = 64 << 20) {
    self.source = source
    left = longestLook
  }

  /// Returns the line of a file that has a link's destination in it, from 1; `nil` where it was not found.
  mutating func line(of destination: String, in file: String) -> Int? {
    if file != self.file { open(file) }
    let decoded = destination.removingPercentEncoding ?? destination
    for step in lines.indices {
      let index = (last + step) % lines.count
      guard left > 0 else { return nil }
      left -= lines[index].utf8.count + 1
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
