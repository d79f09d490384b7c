/// Looks for tables in Markdown that would take the parser longer the more it has read of them.
///
/// cmark-gfm counts the cells of a row anew for each cell, and gives every row of a table as many cells as its heading
/// has: ten kilobytes may make a hundred million of them. So columns, and cells that rows leave out, have a limit, which is
/// checked before the text is parsed.
enum TableLimits {
  /// Goes through a text once.
  ///
  /// Lines are counted without looking at what they stand in, so it may refuse a block of code that looks like a table
  /// of hundreds of columns.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` at the first line that breaks one.
  ///
  /// Source: GitHub Flavored Markdown, "Tables (extension)".
  static func check(_ markdown: String, file: String, firstLine: Int, limits: SourceLimits) throws {
    var line = firstLine
    var row = Row()
    var before = Row()
    // The pipes of the rule of the table that the line stands in, about as many as columns; 0 in none.
    var columns = 0
    var missing = 0
    func finishRow() throws {
      let pipes = row.pipes
      if row.isRule { columns = pipes } else if row.isBlank { columns = 0 }
      // A heading is known by the line below it.
      guard columns == 0 || max(pipes, row.isRule ? before.pipes : 0) <= limits.tableColumns + 1 else {
        throw CourseFormatError.limit(.tableColumns(limits.tableColumns), file: file, line: line)
      }
      if columns > 0, !row.isRule { missing += max(0, columns - pipes) }
      guard missing <= limits.tableGaps else {
        throw CourseFormatError.limit(.tableGaps(limits.tableGaps), file: file, line: line)
      }
      (before, row) = (row, Row())
      line += 1
    }
    for byte in markdown.utf8 {
      if byte == 0x0A { try finishRow() } else { row.take(byte) }
    }
    try finishRow()
  }

  /// What is to be known of a line.
  private struct Row {
    var pipes = 0
    var hasHyphen = false
    var hasOthers = false

    /// Whether it may be what parts the heading of a table from its rows.
    var isRule: Bool { hasHyphen && !hasOthers }
    var isBlank: Bool { pipes == 0 && !hasHyphen && !hasOthers }

    mutating func take(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "|"): pipes += 1
      case UInt8(ascii: "-"), UInt8(ascii: ":"): hasHyphen = hasHyphen || byte == UInt8(ascii: "-")
      // A table may stand in a quotation.
      case UInt8(ascii: " "), UInt8(ascii: ">"), 0x09, 0x0B, 0x0C: break
      default: hasOthers = true
      }
    }
  }
}
