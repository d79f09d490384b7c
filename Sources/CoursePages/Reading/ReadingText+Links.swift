import LearningModel
package import TextCanvas

extension ReadingText {
  /// Finds the links in the lines. Those that lead to places of the course are known here alone, and some are
  /// never opened: they are taken from the cells, so that no terminal offers to open them.
  mutating func findLinks(to destinations: [String]) {
    links = Self.links(in: lines, to: destinations)
    for row in Set(links.filter { WebAddress($0.destination) == nil }.flatMap(\.cells).map(\.row)) {
      for run in lines[row].runs.indices {
        guard let address = lines[row].runs[run].style.link?.address, WebAddress(address) == nil else {
          continue
        }
        lines[row].runs[run].style.link = nil
      }
    }
  }

  /// Finds the links in lines that are set. One that continues in the next line is one link.
  ///
  /// - Parameter destinations: What the author wrote; cells know addresses only in visible ASCII.
  package static func links(in lines: [StyledLine], to destinations: [String]) -> [Link] {
    guard !destinations.isEmpty else { return [] }
    var originals: [Hyperlink: String] = [:]
    for destination in destinations { Hyperlink(destination).map { originals[$0] = destination } }

    var links: [Link] = []
    // The link that the line before ends with, or that the run before belongs to.
    var open: Hyperlink?
    for (row, line) in lines.enumerated() {
      // Most lines have no link: what their words take is not looked up.
      guard open != nil || line.runs.contains(where: { $0.style.link != nil }) else { continue }
      var column = line.indent
      var isAtStart = true
      for run in line.runs {
        let cells = CellRect(column: column, row: row, columns: run.text.displayWidth, rows: 1)
        column = cells.endColumn
        if let link = run.style.link, let destination = originals[link] {
          if link == open, !links.isEmpty {
            links[links.count - 1].add(cells)
          } else {
            links.append(Link(destination: destination, cells: [cells]))
          }
          open = link
          isAtStart = false
        } else if open != nil, !isAtStart || !run.isMargin {
          open = nil
          isAtStart = false
        }
      }
      if line.runs.isEmpty { open = nil }
    }
    return links
  }
}

extension ReadingText.Link {
  /// Whether it leads out of the course.
  package var leadsOut: Bool { Self.leadsOut(destination) }

  fileprivate static func leadsOut(_ destination: String) -> Bool {
    !destination.hasPrefix(CourseLink.scheme) && !destination.hasPrefix("#")
  }

  fileprivate mutating func add(_ more: CellRect) {
    if let last = cells.last, last.row == more.row {
      cells[cells.count - 1] = last.union(more)
    } else {
      cells.append(more)
    }
  }
}

extension StyledRun {
  /// Whether it may stand before the words of a line: blanks, and the bars of quotations.
  fileprivate var isMargin: Bool { !text.contains { $0.isLetter || $0.isNumber } }
}

extension [Block] {
  /// Where the links in all of it lead, in order.
  var linkDestinations: [String] {
    flatMap { block in
      block.parts.flatMap { part -> [String] in
        switch part {
        case .line(let line): line.linkDestinations
        case .blocks(let blocks): blocks.linkDestinations
        }
      }
    }
  }
}

extension [Inline] {
  /// Where the links in the line lead, in order.
  var linkDestinations: [String] {
    flatMap { inline -> [String] in
      switch inline {
      case .emphasis(let inner), .strong(let inner), .strikethrough(let inner): inner.linkDestinations
      case .link(let destination, let inner): [destination] + inner.linkDestinations
      case .text, .code, .key, .math, .image, .lineBreak: []
      }
    }
  }
}
