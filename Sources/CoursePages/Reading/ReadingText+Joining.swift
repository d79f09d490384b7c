package import TextCanvas

extension ReadingText {
  /// A text of lines that are set already.
  package init(_ lines: [StyledLine]) {
    self.lines = lines
  }

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
}
