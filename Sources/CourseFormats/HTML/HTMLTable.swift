import LearningModel

/// Collects the rows of a table element and pads them to equal length.
struct HTMLTable {
  private(set) var rows: [[HTMLNode]] = []
  private(set) var caption: HTMLNode?

  /// Collects the rows below a node, at any depth of row groups.
  mutating func gather(_ node: HTMLNode, depth: Int, limits: SourceLimits, file: String) throws {
    guard depth <= limits.nestingDepth else {
      throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: nil)
    }
    var isInLooseRow = false
    for child in node.children {
      switch child.name {
      case "tr": rows.append(child.children.filter { $0.name == "td" || $0.name == "th" })
      case "td", "th":
        // If cells are outside a row, a row is added for them, as in browsers.
        if isInLooseRow { rows[rows.count - 1].append(child) } else { rows.append([child]) }
        isInLooseRow = true
        continue
      case "caption": caption = child
      case nil: continue
      default: try gather(child, depth: depth + 1, limits: limits, file: file)
      }
      isInLooseRow = false
    }
  }

  /// Returns the table with the first row as its header. Empty if the table has no cells.
  ///
  /// Every row is padded to the length of the longest row.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the table has too many columns or too many missing cells.
  func table(of lines: [[[Inline]]], limits: SourceLimits, file: String) throws -> [Block] {
    let columns = lines.map(\.count).max() ?? 0
    guard columns > 0 else { return [] }
    guard columns <= limits.tableColumns else {
      throw CourseFormatError.limit(.tableColumns(limits.tableColumns), file: file, line: nil)
    }
    guard lines.reduce(0, { $0 + columns - $1.count }) <= limits.tableGaps else {
      throw CourseFormatError.limit(.tableGaps(limits.tableGaps), file: file, line: nil)
    }
    let even = lines.map { $0 + Array(repeating: [], count: columns - $0.count) }
    let alignments = (0..<columns).map { column in
      rows.lazy.compactMap { column < $0.count ? Self.alignment(of: $0[column]) : nil }.first ?? .left
    }
    return [.table(alignments: alignments, header: even[0], rows: Array(even.dropFirst()))]
  }

  private static func alignment(of cell: HTMLNode) -> ColumnAlignment? {
    let style = cell.attribute("style")?.lowercased().filter { $0 != " " } ?? ""
    switch cell.attribute("align")?.lowercased() {
    case "center": return .centre
    case "right": return .right
    case "left": return .left
    default: break
    }
    if style.contains("text-align:center") { return .centre }
    if style.contains("text-align:right") { return .right }
    return style.contains("text-align:left") ? .left : nil
  }
}

extension [Block] {
  /// The blocks as one line for a table cell. Two blocks are separated by a line break.
  var asLine: [Inline] {
    var line: [Inline] = []
    for block in self {
      if !line.isEmpty { line.append(.lineBreak) }
      if case .paragraph(let text) = block {
        line += text
      } else {
        for (index, part) in block.plainText.split(separator: "\n").enumerated() {
          line += (index > 0 ? [.lineBreak] : []) + [.text(String(part))]
        }
      }
    }
    return line
  }
}
