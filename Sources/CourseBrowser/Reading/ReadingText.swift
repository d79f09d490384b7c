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
  /// The lines of each table, from its headings on, from the top.
  public internal(set) var tables: [Range<Int>] = []
  /// Lines that belong together, such as a heading and the first line below it: a page ends above them or behind them,
  /// wherever that is not far.
  public internal(set) var kept: [Range<Int>] = []

  /// A point between the words, which stays the same when the text is set for another width.
  public struct Point: Hashable, Sendable {
    /// The block, from 0.
    public var block = 0
    /// The share of the block above the point, 0…1.
    public var offset = 0.0
  }

  /// The point above a line. Law: `line(of: point(at: line)) == line`.
  public func point(at line: Int) -> Point {
    let block = max(0, (blockLines.firstIndex { $0 > line } ?? blockLines.count) - 1)
    let rows = self.rows(ofBlock: block)
    guard !rows.isEmpty else { return Point(block: block) }
    return Point(block: block, offset: Double(line - rows.lowerBound) / Double(rows.count))
  }

  /// The line below a point, or nearly so; the first line where the text has no such block any more.
  public func line(of point: Point) -> Int {
    let rows = self.rows(ofBlock: point.block)
    return rows.lowerBound + Int((point.offset * Double(rows.count)).rounded())
  }

  private func rows(ofBlock block: Int) -> Range<Int> {
    guard let start = line(ofBlock: block) else { return 0..<0 }
    return start..<(line(ofBlock: block + 1) ?? lines.count)
  }

  /// The line on which a block begins; `nil` where there is no such block.
  public func line(ofBlock block: Int) -> Int? {
    blockLines.indices.contains(block) ? blockLines[block] : nil
  }

  /// The last heading at or above a line; `nil` before the first.
  public func heading(at line: Int) -> Heading? {
    headings.last { $0.line <= line }
  }
}
