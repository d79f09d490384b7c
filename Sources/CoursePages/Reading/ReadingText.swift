package import LearningModel
package import TextCanvas

/// A text set for one width: its lines, and where in them its headings, links and pieces of code stand.
package struct ReadingText: Hashable, Sendable {
  /// A heading and the line that it stands on.
  package struct Heading: Hashable, Sendable {
    /// The line, from 0.
    package let line: Int
    /// 1 to 6.
    package let level: Int
    /// Its words.
    package let title: String
    /// What a link inside the course names.
    package let anchor: String
  }

  /// A link and the cells that it stands in.
  package struct Link: Hashable, Sendable {
    /// Where it leads, as the author wrote it.
    package let destination: String
    /// The cells of its words: one rectangle a line, rows counted as lines of the text.
    package internal(set) var cells: [CellRect]

    /// The line on which it begins, from 0.
    package var line: Int { cells[0].row }
  }

  /// A piece of code, and the lines that it takes.
  package struct Code: Hashable, Sendable {
    /// The lines, from 0.
    package let lines: Range<Int>
    /// As the author wrote it.
    package let code: String
  }

  /// A picture that takes rows, or a frame with its description.
  package struct Picture: Hashable, Sendable {
    /// The one that is kept.
    package let picture: KeptPicture
    /// Its description; may be empty.
    package let words: String
    /// The cells that it fills, rows counted as lines of the text; `nil` where only its description is shown.
    package internal(set) var cells: CellRect?
  }

  /// A block that can be chosen, and copied as a whole: a paragraph, a piece of code, a table, a formula.
  package struct Piece: Hashable, Sendable {
    /// The lines, from 0.
    package let lines: Range<Int>
    /// What it is of the text.
    package let block: Block
    /// Columns that its longest line has more than there is room for; 0 where it fits.
    package let overflow: Int
  }

  /// The lines, from the top, none wider than the width that was asked for where its words can be broken.
  package internal(set) var lines: [StyledLine] = []
  /// The headings, from the top.
  package internal(set) var headings: [Heading] = []
  /// The links, from the top, and from left to right.
  package internal(set) var links: [Link] = []
  /// The pieces of code, from the top.
  package internal(set) var codes: [Code] = []
  /// The pictures, from the top.
  package internal(set) var pictures: [Picture] = []
  /// The blocks that can be chosen, from the top; at every depth.
  package internal(set) var pieces: [Piece] = []
  /// The line on which each block of the text begins, in order; blocks inside others do not count.
  package internal(set) var blockLines: [Int] = []
  /// The lines of each table, from its headings on, from the top.
  package internal(set) var tables: [Range<Int>] = []
  /// Lines that belong together, such as a heading and the first line below it: a page ends above them or behind them,
  /// wherever that is not far.
  package internal(set) var kept: [Range<Int>] = []

  /// A point between the words, which stays the same when the text is set for another width.
  package struct Point: Hashable, Sendable {
    /// The block, from 0.
    package var block = 0
    /// The share of the block above the point, 0…1.
    package var offset = 0.0

    package init(block: Int = 0, offset: Double = 0) {
      self.block = block
      self.offset = offset
    }
  }

  /// An empty text.
  package init() {}

  /// The point above a line. Law: `line(of: point(at: line)) == line`.
  package func point(at line: Int) -> Point {
    let block = max(0, (blockLines.firstIndex { $0 > line } ?? blockLines.count) - 1)
    let rows = self.rows(ofBlock: block)
    guard !rows.isEmpty else { return Point(block: block) }
    return Point(block: block, offset: Double(line - rows.lowerBound) / Double(rows.count))
  }

  /// The line below a point, or nearly so; the first line where the text has no such block any more.
  package func line(of point: Point) -> Int {
    let rows = self.rows(ofBlock: point.block)
    return rows.lowerBound + Int((point.offset * Double(rows.count)).rounded())
  }

  private func rows(ofBlock block: Int) -> Range<Int> {
    guard let start = line(ofBlock: block) else { return 0..<0 }
    return start..<(line(ofBlock: block + 1) ?? lines.count)
  }

  /// The line on which a block begins; `nil` where there is no such block.
  package func line(ofBlock block: Int) -> Int? {
    blockLines.indices.contains(block) ? blockLines[block] : nil
  }

  /// The last heading at or above a line; `nil` before the first.
  package func heading(at line: Int) -> Heading? {
    headings.last { $0.line <= line }
  }
}
