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

extension ReadingText {
  /// Adds lines below.
  package mutating func append(_ lines: [StyledLine]) {
    self.lines += lines
  }

  /// Adds a text below, with its headings, links, pictures and pieces of code.
  package mutating func append(_ other: ReadingText) {
    let start = lines.count
    let before = pictures.count
    lines += other.lines
    headings += other.headings.map {
      Heading(line: start + $0.line, level: $0.level, title: $0.title, anchor: $0.anchor)
    }
    links += other.links.map { link in
      Link(
        destination: PictureLink.moved(link.destination, by: before), cells: link.cells.map { $0.offset(rows: start) })
    }
    codes += other.codes.map { Code(lines: $0.lines.lowerBound + start..<$0.lines.upperBound + start, code: $0.code) }
    pictures += other.pictures.map {
      Picture(picture: $0.picture, words: $0.words, cells: $0.cells?.offset(rows: start))
    }
    pieces += other.pieces.map {
      Piece(
        lines: $0.lines.lowerBound + start..<$0.lines.upperBound + start, block: $0.block, overflow: $0.overflow)
    }
    blockLines += other.blockLines.map { start + $0 }
    kept += other.kept.map { $0.lowerBound + start..<$0.upperBound + start }
    tables += other.tables.map { $0.lowerBound + start..<$0.upperBound + start }
  }

  /// The text with each line in the middle of so many columns.
  package func centred(in columns: Int) -> ReadingText {
    indented { max(0, (columns - $0.displayWidth) / 2) }
  }

  /// The text so many columns further to the right.
  package func moved(by columns: Int) -> ReadingText { indented { _ in columns } }

  /// The text with blanks before its lines; links and pictures stay with the lines that they are in.
  private func indented(_ columns: (StyledLine) -> Int) -> ReadingText {
    var text = self
    let indents = lines.map(columns)
    for (row, indent) in indents.enumerated() { text.lines[row].indent += indent }
    text.links = links.map { link in
      Link(destination: link.destination, cells: link.cells.map { $0.offset(columns: indents[$0.row]) })
    }
    text.pictures = pictures.map { picture in
      var picture = picture
      picture.cells = picture.cells.map { $0.offset(columns: indents[$0.row]) }
      return picture
    }
    return text
  }

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

/// Where a page of a text begins and ends: not between a heading and what it stands above, or a table's heading and its
/// first row, and not with the last line of what has been read.
extension ReadingText {
  /// In fewer rows than this each of them is needed.
  static let leastRowsToChoose = 6
  /// In fewer rows than this a page does not begin with air.
  private static let leastRowsForAir = 12

  /// Lines of which none is seen without the others, where there is room for so many.
  package mutating func keep(_ lines: Range<Int>) {
    if lines.count > 1 { kept.append(lines) }
  }

  /// The line above which a page ends that begins with a line; at the latest behind as many as it has rows.
  ///
  /// Where what belongs together is so long that a third of the page would stay empty, it is torn.
  package func pageEnd(from top: Int, rows: Int) -> Int {
    let last = top + rows
    guard rows >= Self.leastRowsToChoose, last < lines.count else { return min(last, lines.count) }
    var end = last
    while let torn = kept.lazy.filter({ $0.tears(at: end) }).map(\.lowerBound).min() { end = torn }
    return last - end <= rows / 3 ? end : last
  }

  /// The line that the next page begins with: no line with words is skipped, and its beginning and its end tear as little
  /// as can be, at the cost of a third of its rows that have been read, or of half of them where its end would tear.
  ///
  /// - Parameters:
  ///   - seen: Rows of this page.
  ///   - overlap: Lines of this page that are seen again where a text continues in the middle.
  ///   - rows: Rows of the next page.
  package func nextPage(from top: Int, seen: Int, overlap: Int, rows: Int) -> Int {
    let last = top + seen
    // Behind a whole paragraph nothing need be read again; where there are few rows, its air need not be seen either.
    let air = isAir(last - 1) ? last - 1 : isAir(last) ? last : nil
    let next = max(top + 1, air.map { rows < Self.leastRowsForAir ? $0 + 1 : $0 } ?? last - overlap)
    guard rows >= Self.leastRowsToChoose else { return next }
    guard next + rows < lines.count else { return next }
    let earliest = max(top + 1, last - overlap - rows / 2)
    let near = kept.filter { $0.upperBound > earliest && $0.lowerBound < next + rows }
    let endWell = stride(from: next, through: earliest, by: -1).filter { line in
      !near.contains { $0.tears(at: line + rows) }
    }
    let beginWell = endWell.filter { line in
      guard line >= last - overlap - rows / 3 else { return false }
      // Air above it is for those who have rows to spare, and of a paragraph more than its last line is seen.
      guard !isAir(line) else { return rows >= Self.leastRowsForAir }
      return !near.contains { $0.tears(at: line) } && (isAir(line - 1) || !isAir(line + 1))
    }
    // A table continues with its headings where they are near.
    return beginWell.first { line in !tables.contains { $0.tears(at: line) } }
      ?? beginWell.first ?? endWell.first ?? next
  }

  /// Whether a line is empty, or there is none.
  private func isAir(_ line: Int) -> Bool { !lines.indices.contains(line) || lines[line].runs.isEmpty }
}

extension Range<Int> {
  /// Whether these lines are not seen together where a page ends above one of them.
  fileprivate func tears(at line: Int) -> Bool { lowerBound < line && line < upperBound }
}

extension ReadingText {
  /// Returns for each line which characters of which block stand in it, as reading is paid.
  ///
  /// A block's characters are dealt out to its lines by their ink, so that bullets, bars and headings that are said again
  /// matter to no width.
  package func rows(of passages: [TextPassage]) -> [ReadText.Row] {
    var rows: [ReadText.Row] = []
    rows.reserveCapacity(lines.count)
    let framed = RangeSet(pictures.compactMap(\.cells).map { $0.row..<$0.endRow })
    for (number, passage) in passages.enumerated() where blockLines.indices.contains(number) {
      let end = number + 1 < blockLines.count ? blockLines[number + 1] : lines.count
      // In a picture's rows there are no words.
      let inks = (blockLines[number]..<end).map { framed.contains($0) ? 0 : lines[$0].ink }
      rows += ReadText.Row.rows(inks: inks, of: passage, number)
    }
    return rows
  }
}

extension ReadText.Row {
  /// Deals out the characters of a passage to its lines.
  ///
  /// - Parameters:
  ///   - inks: The cells of each line that are not blank.
  ///   - number: The passage's, from 0.
  package static func rows(inks: [Int], of passage: TextPassage, _ number: Int) -> [ReadText.Row] {
    let all = inks.reduce(0, +)
    var (before, start) = (0, 0)
    return inks.map { ink in
      before += ink
      let end = all == 0 ? passage.length : Int((Double(passage.length) * Double(before) / Double(all)).rounded())
      defer { start = end }
      return ReadText.Row(passage: number, characters: start..<end, ink: ink)
    }
  }
}

extension StyledLine {
  /// Its cells that are not blank.
  fileprivate var ink: Int { runs.reduce(0) { $0 + $1.text.ink } }
}

extension String {
  /// Its cells that are not blank.
  package var ink: Int { displayWidth - utf8.count { $0 == 0x20 } }
}

extension ReadingText {
  /// What is typed of program text: of a sitting at a shell the commands without their prompts and answers, so that they
  /// can be pasted into one; of anything else all of it.
  ///
  /// A sitting is text of a shell, or of no language, whose first line begins with the prompt `$`. A line that begins
  /// with `>` right below a command goes on with it.
  package static func typed(_ code: String, in language: String?) -> String {
    let isOfShell = language.map { ["Shell", "Console"].contains(Language.named($0)?.name) } ?? true
    guard isOfShell else { return code }
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first(where: { !$0.isEmpty })?.hasPrefix(prompt) == true else { return code }
    var typed: [Substring] = []
    var isCommand = false
    for line in lines {
      isCommand = line.hasPrefix(prompt) || isCommand && line.hasPrefix(continuation)
      if isCommand { typed.append(line.dropFirst(prompt.count)) }
    }
    return typed.joined(separator: "\n")
  }

  private static let prompt = "$ "
  private static let continuation = "> "
}

extension ReadingText.Point {
  /// How many blocks before and behind are looked for where the block itself was edited.
  private static let reach = 20

  /// Returns the point of an edited text at which the words of this point stand.
  ///
  /// The block is found by its words, wherever it has moved; one that was edited by its nearest neighbour that was not.
  /// Where everything around was edited, the point stays as many blocks behind the beginning.
  ///
  /// - Parameters:
  ///   - old: The blocks of the text that this is a point of.
  ///   - new: The blocks of the edited one.
  package func followed(from old: [Block], to new: [Block]) -> ReadingText.Point {
    // Who is at the beginning has not begun: they see what is new there.
    guard self != ReadingText.Point() else { return self }
    for distance in 0...Self.reach {
      for known in Set([block - distance, block + distance]).sorted() where old.indices.contains(known) {
        // What the text says twice is no place in it.
        guard let found = new.firstIndex(of: old[known]), found == new.lastIndex(of: old[known]) else { continue }
        return ReadingText.Point(block: max(0, min(found + block - known, new.count - 1)), offset: offset)
      }
    }
    return ReadingText.Point(block: max(0, min(block, new.count - 1)), offset: offset)
  }
}
