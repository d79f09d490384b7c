package import LearningModel
package import TextCanvas

/// The lines of a text for one width, with the positions of its headings, links, code blocks and images.
package struct ReadingText: Hashable, Sendable {
  package struct Heading: Hashable, Sendable {
    /// The index of the line.
    package let line: Int
    /// The level, 1 to 6.
    package let level: Int
    package let title: String
    /// The name by which links inside the course refer to the heading.
    package let anchor: String
  }

  /// A place in the text to which links lead by its name.
  package struct Target: Hashable, Sendable {
    package let name: String
    /// The index of the first line of the block.
    package let line: Int
  }

  /// A link with its cells.
  package struct Link: Hashable, Sendable {
    /// The target, as the author wrote it.
    package let destination: String
    /// The cells of the link's text: one rectangle per line, with rows counted as lines of the text.
    package internal(set) var cells: [CellRect]

    /// The index of the line on which the link begins.
    package var line: Int { cells[0].row }
  }

  /// A code block with its lines.
  package struct Code: Hashable, Sendable {
    /// The indices of the lines.
    package let lines: Range<Int>
    /// The program text. For a shell session, only the typed commands.
    package let code: String
    /// Whether the author named the language of the text, or it is the output of such a text.
    let isProgram: Bool
  }

  /// An image, or the frame with its description if it is not drawn.
  package struct Image: Hashable, Sendable {
    /// The stored image.
    package let image: StoredImage
    /// The description. May be empty.
    package let description: String
    /// The cells of the image, with rows counted as lines of the text, or `nil` if only the description is shown.
    package internal(set) var cells: CellRect?
  }

  /// A block that can be selected and copied: a paragraph, a code block, a table or a formula.
  package struct SelectableBlock: Hashable, Sendable {
    /// The indices of the lines.
    package let lines: Range<Int>
    package let block: Block
    /// The number of columns by which the longest line exceeds the width, or 0 if all lines fit.
    package let overflow: Int
  }

  /// The lines, from the top. A line is wider than requested only if its words cannot be broken.
  package internal(set) var lines: [StyledLine] = []
  /// The headings, from the top.
  package internal(set) var headings: [Heading] = []
  /// The targets of links other than headings, from the top.
  package internal(set) var targets: [Target] = []
  /// The links, from the top and from left to right.
  package internal(set) var links: [Link] = []
  /// The code blocks, from the top.
  package internal(set) var codes: [Code] = []
  /// The images, from the top.
  package internal(set) var images: [Image] = []
  /// The selectable blocks at every nesting depth, from the top.
  package internal(set) var selectableBlocks: [SelectableBlock] = []
  /// The index of the first line of each top-level block, in order.
  package internal(set) var blockLines: [Int] = []
  /// The lines of each table including its headings, from the top.
  package internal(set) var tables: [Range<Int>] = []
  /// Ranges of lines that belong together, such as a heading and the line below it. A page ends before or after such a
  /// range, unless too much of the page would be left empty.
  package internal(set) var unbreakableRanges: [Range<Int>] = []

  /// A position in the text that does not depend on the width.
  package struct Point: Hashable, Sendable {
    /// The index of the block.
    package var block = 0
    /// The fraction of the block that is above the point, 0…1.
    package var offset = 0.0

    package init(block: Int = 0, offset: Double = 0) {
      self.block = block
      self.offset = offset
    }
  }

  package init() {}

  /// Returns the point at the top of a line. Invariant: `line(of: point(at: line)) == line`.
  package func point(at line: Int) -> Point {
    let block = max(0, (blockLines.firstIndex { $0 > line } ?? blockLines.count) - 1)
    let rows = self.rows(ofBlock: block)
    guard !rows.isEmpty else { return Point(block: block) }
    return Point(block: block, offset: Double(line - rows.lowerBound) / Double(rows.count))
  }

  /// Returns the line at a point, rounded to the nearest line. Returns the first line if the text has no such block.
  package func line(of point: Point) -> Int {
    let rows = self.rows(ofBlock: point.block)
    return rows.lowerBound + DisplayFormat.portion(point.offset, of: rows.count)
  }

  private func rows(ofBlock block: Int) -> Range<Int> {
    guard let start = line(ofBlock: block) else { return 0..<0 }
    return start..<(line(ofBlock: block + 1) ?? lines.count)
  }

  /// Returns the index of the first line of a block, or `nil` if there is no such block.
  package func line(ofBlock block: Int) -> Int? {
    blockLines.indices.contains(block) ? blockLines[block] : nil
  }

  /// Returns the line of the heading or the target with a name, or `nil` if there is no such place.
  package func line(ofAnchor name: String) -> Int? {
    headings.first { $0.anchor == name }?.line ?? targets.first { $0.name == name }?.line
  }

  /// Returns the description of the place with a name: the title of a heading, or the beginning of the line of a target.
  /// Returns `nil` if there is no such place.
  package func description(ofAnchor name: String) -> String? {
    if let heading = headings.first(where: { $0.anchor == name }) { return heading.title }
    guard let line = targets.first(where: { $0.name == name })?.line, lines.indices.contains(line) else { return nil }
    let words = lines[line].text.split(separator: " ")
    var description = ""
    for word in words {
      if !description.isEmpty, description.count + word.count > 40 { return description + " …" }
      description += description.isEmpty ? word : " " + word
    }
    return description.isEmpty ? nil : description
  }

  /// Returns the last heading at or above a line, or `nil` before the first.
  package func heading(at line: Int) -> Heading? {
    headings.last { $0.line <= line }
  }
}

extension ReadingText {
  package mutating func append(_ lines: [StyledLine]) {
    self.lines += lines
  }

  mutating func addTargets(_ names: [String], at line: Int) {
    targets += names.map { Target(name: $0, line: line) }
  }

  /// Appends another text below, with its headings, links, images and code blocks.
  package mutating func append(_ other: ReadingText) {
    let start = lines.count
    let imageCount = images.count
    lines += other.lines
    headings += other.headings.map {
      Heading(line: start + $0.line, level: $0.level, title: $0.title, anchor: $0.anchor)
    }
    targets += other.targets.map { Target(name: $0.name, line: start + $0.line) }
    links += other.links.map { link in
      Link(
        destination: ImageLink.moved(link.destination, by: imageCount), cells: link.cells.map { $0.offset(rows: start) }
      )
    }
    codes += other.codes.map {
      Code(lines: $0.lines.lowerBound + start..<$0.lines.upperBound + start, code: $0.code, isProgram: $0.isProgram)
    }
    images += other.images.map {
      Image(image: $0.image, description: $0.description, cells: $0.cells?.offset(rows: start))
    }
    selectableBlocks += other.selectableBlocks.map {
      SelectableBlock(
        lines: $0.lines.lowerBound + start..<$0.lines.upperBound + start, block: $0.block, overflow: $0.overflow)
    }
    blockLines += other.blockLines.map { start + $0 }
    unbreakableRanges += other.unbreakableRanges.map { $0.lowerBound + start..<$0.upperBound + start }
    tables += other.tables.map { $0.lowerBound + start..<$0.upperBound + start }
  }

  /// Returns the text with each line centred in a width.
  package func centred(in columns: Int) -> ReadingText {
    indented { max(0, (columns - $0.displayWidth) / 2) }
  }

  /// Returns the text moved to the right.
  package func moved(by columns: Int) -> ReadingText { indented { _ in columns } }

  /// Returns the text with an indentation for each line. The cells of links and images move with their lines.
  private func indented(_ columns: (StyledLine) -> Int) -> ReadingText {
    var text = self
    let indents = lines.map(columns)
    for (row, indent) in indents.enumerated() { text.lines[row].indent += indent }
    text.links = links.map { link in
      Link(destination: link.destination, cells: link.cells.map { $0.offset(columns: indents[$0.row]) })
    }
    text.images = images.map { image in
      var image = image
      image.cells = image.cells.map { $0.offset(columns: indents[$0.row]) }
      return image
    }
    return text
  }

  /// Finds the links in the lines. Links that do not lead to a web address are then removed from the cells, because the
  /// terminal could not open them.
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

  /// Finds the links in lines. A link that continues on the next line is one link.
  ///
  /// - Parameter destinations: The targets as the author wrote them. They are needed because cells store addresses in
  ///   an escaped form, in visible ASCII only.
  package static func links(in lines: [StyledLine], to destinations: [String]) -> [Link] {
    guard !destinations.isEmpty else { return [] }
    var originals: [Hyperlink: String] = [:]
    for destination in destinations { Hyperlink(destination).map { originals[$0] = destination } }

    var links: [Link] = []
    // The link of the preceding run, which may be at the end of the preceding line.
    var open: Hyperlink?
    for (row, line) in lines.enumerated() {
      // Most lines have no link, and the widths of their runs need not be computed.
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
  /// Whether the link leads out of the course.
  package var leadsOut: Bool { Self.leadsOut(destination) }

  fileprivate static func leadsOut(_ destination: String) -> Bool {
    !destination.hasPrefix(CourseLink.scheme) && !destination.hasPrefix("#")
  }

  fileprivate mutating func add(_ newCells: CellRect) {
    if let last = cells.last, last.row == newCells.row {
      cells[cells.count - 1] = last.union(newCells)
    } else {
      cells.append(newCells)
    }
  }
}

extension StyledRun {
  /// Whether the run can be part of a margin: blanks and the bars of quotations.
  fileprivate var isMargin: Bool { !text.contains { $0.isLetter || $0.isNumber } }
}

extension [Block] {
  /// The targets of all links in the blocks, in order.
  var linkDestinations: [String] {
    var destinations: [String] = []
    visit { if case .link(let destination, _) = $0 { destinations.append(destination) } }
    return destinations
  }
}

extension [Inline] {
  /// The destinations of all links in the line, in order.
  var linkDestinations: [String] { [.paragraph(self)].linkDestinations }
}

/// Page breaks. A page does not end between a heading and the following line, or between a table's heading and its
/// first row. The next page does not begin with only the last line of a paragraph.
extension ReadingText {
  /// If a page has fewer rows than this, it ends after any line, because every row is needed.
  static let minimumRowsForChoice = 6
  /// If a page has fewer rows than this, it does not begin with a blank line.
  private static let minimumRowsForSpacing = 12

  /// Whether program text or its output ends directly above a line.
  func followsProgram(at line: Int) -> Bool {
    codes.last.map { $0.isProgram && (0...1) ~= line - $0.lines.upperBound } ?? false
  }

  /// Keeps lines together on one page if the page has enough rows.
  package mutating func addUnbreakable(_ lines: Range<Int>) {
    if lines.count > 1 { unbreakableRanges.append(lines) }
  }

  /// Returns the end of a page that begins at line `top`: the index after its last line.
  ///
  /// A range of lines that belong together is split if keeping it together would leave a third of the page empty.
  package func pageEnd(from top: Int, rows: Int) -> Int {
    let last = top + rows
    guard rows >= Self.minimumRowsForChoice, last < lines.count else { return min(last, lines.count) }
    var end = last
    while let brokenStart = unbreakableRanges.lazy.filter({ $0.isBroken(at: end) }).map(\.lowerBound).min() {
      end = brokenStart
    }
    return last - end <= rows / 3 ? end : last
  }

  /// Returns the first line of the next page.
  ///
  /// No line with text is skipped. To keep ranges of lines together, the next page may repeat lines of this page: up to
  /// a third of its rows, or up to half if its end would otherwise split a range.
  ///
  /// - Parameters:
  ///   - visible: The number of rows of this page.
  ///   - overlap: The number of lines to repeat if this page ends inside a paragraph.
  ///   - rows: The number of rows of the next page.
  package func nextPage(from top: Int, visible: Int, overlap: Int, rows: Int) -> Int {
    let last = top + visible
    // No lines are repeated if this page ends with a complete paragraph. If the page has few rows, the blank line after
    // the paragraph is skipped too.
    let blankLine = isBlankLine(last - 1) ? last - 1 : isBlankLine(last) ? last : nil
    let next = max(top + 1, blankLine.map { rows < Self.minimumRowsForSpacing ? $0 + 1 : $0 } ?? last - overlap)
    guard rows >= Self.minimumRowsForChoice else { return next }
    guard next + rows < lines.count else { return next }
    let earliest = max(top + 1, last - overlap - rows / 2)
    let nearbyRanges = unbreakableRanges.filter { $0.upperBound > earliest && $0.lowerBound < next + rows }
    let goodEnds = stride(from: next, through: earliest, by: -1).filter { line in
      !nearbyRanges.contains { $0.isBroken(at: line + rows) }
    }
    let goodStarts = goodEnds.filter { line in
      guard line >= last - overlap - rows / 3 else { return false }
      // A page may begin with a blank line if it has enough rows. It may begin inside a paragraph unless only the last
      // line of the paragraph remains.
      guard !isBlankLine(line) else { return rows >= Self.minimumRowsForSpacing }
      return !nearbyRanges.contains { $0.isBroken(at: line) } && (isBlankLine(line - 1) || !isBlankLine(line + 1))
    }
    // Prefers pages that do not begin inside a table, so that its headings stay visible.
    return goodStarts.first { line in !tables.contains { $0.isBroken(at: line) } }
      ?? goodStarts.first ?? goodEnds.first ?? next
  }

  /// Returns whether a line is blank or does not exist.
  private func isBlankLine(_ line: Int) -> Bool { !lines.indices.contains(line) || lines[line].runs.isEmpty }
}

extension Range<Int> {
  /// Returns whether a page that ends before a line would split the range.
  fileprivate func isBroken(at line: Int) -> Bool { lowerBound < line && line < upperBound }
}

extension ReadingText {
  /// Returns the characters of each line, from which reading progress is computed.
  ///
  /// The characters of a block are distributed over its lines in proportion to their non-blank cells. Cells that are
  /// not part of the block, such as bullets, bars and repeated headings, therefore change the result only slightly.
  package func rows(of passages: [TextPassage]) -> [ReadText.Row] {
    var rows: [ReadText.Row] = []
    rows.reserveCapacity(lines.count)
    let imageRows = RangeSet(images.compactMap(\.cells).map { $0.row..<$0.endRow })
    for (number, passage) in passages.enumerated() where blockLines.indices.contains(number) {
      let end = number + 1 < blockLines.count ? blockLines[number + 1] : lines.count
      // The rows of an image contain no text.
      let cellCounts = (blockLines[number]..<end).map { imageRows.contains($0) ? 0 : lines[$0].visibleCells }
      rows += ReadText.Row.rows(inks: cellCounts, of: passage, number)
    }
    return rows
  }
}

extension ReadText.Row {
  /// Distributes the characters of a passage over its lines.
  ///
  /// - Parameters:
  ///   - cellCounts: The number of non-blank cells of each line.
  ///   - number: The index of the passage.
  package static func rows(inks cellCounts: [Int], of passage: TextPassage, _ number: Int) -> [ReadText.Row] {
    let total = cellCounts.reduce(0, +)
    var (precedingCells, start) = (0, 0)
    return cellCounts.map { cellCount in
      precedingCells += cellCount
      let end =
        total == 0
        ? passage.length : DisplayFormat.portion(Double(precedingCells) / Double(total), of: passage.length)
      defer { start = end }
      return ReadText.Row(passage: number, characters: start..<end, visibleCells: cellCount)
    }
  }
}

extension StyledLine {
  /// The number of non-blank cells.
  fileprivate var visibleCells: Int { runs.reduce(0) { $0 + $1.text.visibleCells } }
}

extension String {
  /// The number of non-blank cells.
  package var visibleCells: Int { displayWidth - utf8.count { $0 == 0x20 } }
}

extension ReadingText {
  /// Returns the typed commands of a shell session, without prompts and output, so that they can be pasted into a
  /// shell. Returns all other program text unchanged.
  ///
  /// A code block is a shell session if its language is a shell or missing, and its first line begins with the prompt
  /// `$`. A line that begins with `>` directly below a command continues it.
  package static func typedText(_ code: String, in language: String?) -> String {
    let isShell = language.map { ["Shell", "Console"].contains(Language.named($0)?.name) } ?? true
    guard isShell else { return code }
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first(where: { !$0.isEmpty })?.hasPrefix(prompt) == true else { return code }
    var commands: [Substring] = []
    var isCommand = false
    for line in lines {
      isCommand = line.hasPrefix(prompt) || isCommand && line.hasPrefix(continuation)
      if isCommand { commands.append(line.dropFirst(prompt.count)) }
    }
    return commands.joined(separator: "\n")
  }

  private static let prompt = "$ "
  private static let continuation = "> "
}

extension ReadingText.Point {
  /// The maximum distance, in blocks, to an unchanged neighbour of an edited block.
  private static let reach = 20

  /// Returns the corresponding point in an edited text.
  ///
  /// The block is found by its content, even if it was moved. For an edited block, the nearest unchanged neighbour is
  /// used. If there is no unchanged block within ``reach``, the index of the block is kept.
  ///
  /// - Parameters:
  ///   - old: The blocks of the text that contains this point.
  ///   - new: The blocks of the edited text.
  package func followed(from old: [Block], to new: [Block]) -> ReadingText.Point {
    // A reader who is still at the beginning should see content that was inserted there.
    guard self != ReadingText.Point() else { return self }
    for distance in 0...Self.reach {
      for neighbour in Set([block - distance, block + distance]).sorted() where old.indices.contains(neighbour) {
        // A block that occurs twice in the text does not identify a position.
        guard let newIndex = new.firstIndex(of: old[neighbour]), newIndex == new.lastIndex(of: old[neighbour]) else {
          continue
        }
        return ReadingText.Point(block: max(0, min(newIndex + block - neighbour, new.count - 1)), offset: offset)
      }
    }
    return ReadingText.Point(block: max(0, min(block, new.count - 1)), offset: offset)
  }
}
