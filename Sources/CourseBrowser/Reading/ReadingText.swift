public import TextCanvas

/// A text set for one width: its lines, and where in them its headings stand.
public struct ReadingText: Hashable, Sendable {
  /// A heading and the line that it stands on.
  public struct Heading: Hashable, Sendable {
    /// The line, from 0.
    public let line: Int
    /// 1 to 6.
    public let level: Int
    /// Its words.
    public let title: String
    /// What a link inside the course names.
    public let anchor: String
  }

  /// The lines, from the top, none wider than the width that was asked for where its words can be broken.
  public internal(set) var lines: [StyledLine] = []
  /// The headings, from the top.
  public internal(set) var headings: [Heading] = []

  /// The line on which each block of the text begins, in order; blocks inside others do not count.
  public internal(set) var blockLines: [Int] = []

  /// The block that a line belongs to, from 0.
  public func block(at line: Int) -> Int {
    max(0, (blockLines.firstIndex { $0 > line } ?? blockLines.count) - 1)
  }

  /// The line on which a block begins; `nil` where there is no such block.
  public func line(ofBlock block: Int) -> Int? {
    blockLines.indices.contains(block) ? blockLines[block] : nil
  }

  /// The last heading at or above a line; `nil` before the first.
  public func heading(at line: Int) -> Heading? {
    headings.last { $0.line <= line }
  }

  /// The addresses of its links from the top, each once, with the first line that shows it.
  public var links: [(line: Int, address: String)] {
    var known: Set<String> = []
    return lines.enumerated().flatMap { number, line in
      line.runs.compactMap(\.style.link).map { (number, $0.address) }
    }.filter { known.insert($0.1).inserted }
  }
}
