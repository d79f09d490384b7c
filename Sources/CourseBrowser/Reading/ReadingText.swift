public import TextCanvas

/// A text set for one width: its lines, and where in them its headings, links and pieces of code stand.
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

  /// A link and the cells that it stands in.
  public struct Link: Hashable, Sendable {
    /// Where it leads, as the author wrote it.
    public let destination: String
    /// The cells of its words: one rectangle a line, rows counted as lines of the text.
    public internal(set) var cells: [CellRect]

    /// The line on which it begins, from 0.
    public var line: Int { cells[0].row }
  }

  /// A piece of code, and the lines that it takes.
  public struct Code: Hashable, Sendable {
    /// The lines, from 0.
    public let lines: Range<Int>
    /// As the author wrote it.
    public let code: String
  }

  /// The lines, from the top, none wider than the width that was asked for where its words can be broken.
  public internal(set) var lines: [StyledLine] = []
  /// The headings, from the top.
  public internal(set) var headings: [Heading] = []
  /// The links, from the top, and from left to right.
  public internal(set) var links: [Link] = []
  /// The pieces of code, from the top.
  public internal(set) var codes: [Code] = []
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

  /// The line in this text, set for another width, where the words of a line of `other` stand, or nearly so.
  ///
  /// - Parameter other: The same blocks.
  func line(showing line: Int, of other: ReadingText) -> Int {
    let block = other.block(at: line)
    guard let start = self.line(ofBlock: block), let otherStart = other.line(ofBlock: block) else { return 0 }
    let rows = (self.line(ofBlock: block + 1) ?? lines.count) - start
    let otherRows = max(1, (other.line(ofBlock: block + 1) ?? other.lines.count) - otherStart)
    return start + (line - otherStart) * rows / otherRows
  }
}
