import LearningModel
package import Images
import TextCanvas

/// Images. The layout reserves rows with a frame for each image; the image itself is drawn when it has been decoded.
extension ReadingLayout {
  /// An image of a paragraph, or the text between two images.
  private enum Segment {
    case text([Inline])
    case image(StoredImage, description: String, link: String?)
  }

  /// Images of at most this width and height, in pixels, are treated as icons: only their descriptions are shown.
  private static let largestSign = 32
  /// The minimum size of a drawn image. In fewer cells, nothing would be recognisable.
  private static let minimumImageCells = CellSize(columns: 4, rows: 2)

  func appendParagraph(_ inlines: [Inline], _ style: Style, to text: inout ReadingText, margin: Margin) {
    var margin = margin
    for (number, segment) in segments(of: inlines).enumerated() {
      if number > 0 { text.lines.append(spacingLine(margin)) }
      switch segment {
      case .text(let line): append(styled(line, style), to: &text, margin: margin)
      case .image(let image, let description, let link):
        append(image, description, link: link, to: &text, margin: margin)
      }
      margin.first = nil
    }
  }

  private func segments(of inlines: [Inline]) -> [Segment] {
    var segments: [Segment] = []
    var pendingInlines: [Inline] = []
    func endText() {
      let trimmed = pendingInlines.withoutBlanksAround
      if !trimmed.isEmpty { segments.append(.text(trimmed)) }
      pendingInlines = []
    }
    for inline in inlines {
      if let (storedImage, alternative, link) = image(of: inline) {
        endText()
        segments.append(.image(storedImage, description: alternative, link: link))
      } else {
        pendingInlines.append(inline)
      }
    }
    // A paragraph without images is unchanged, even if it is empty.
    guard !segments.isEmpty else { return [.text(inlines)] }
    endText()
    return segments
  }

  /// Returns the image if the element consists of one image and nothing else, and the image is not an icon. Otherwise
  /// returns `nil`.
  private func image(of inline: Inline) -> (picture: StoredImage, words: String, link: String?)? {
    guard imageStyle != .descriptions, inline.soundName == nil else { return nil }
    switch inline {
    case .image(_, let description, let storedImage?):
      let isSign = storedImage.size.map { max($0.width, $0.height) <= Self.largestSign } ?? false
      return isSign ? nil : (storedImage, description, nil)
    case .emphasis(let inner), .strong(let inner):
      let trimmed = inner.withoutBlanksAround
      return trimmed.count == 1 ? image(of: trimmed[0]) : nil
    case .link(let destination, let inner):
      let trimmed = inner.withoutBlanksAround
      guard trimmed.count == 1, let (storedImage, description, _) = image(of: trimmed[0]) else { return nil }
      return (storedImage, description, destination)
    default: return nil
    }
  }

  private func append(
    _ image: StoredImage, _ description: String, link: String?, to text: inout ReadingText, margin: Margin
  ) {
    let number = text.images.count
    let caption = caption(description, number, link: link)
    guard let size = cells(of: image, margin: margin) else {
      text.images.append(.init(image: image, description: description, cells: nil))
      return appendFramed(caption, to: &text, margin: margin)
    }
    let first = text.lines.count
    text.images.append(
      .init(
        image: image, description: description,
        cells: CellRect(column: margin.width, row: first, columns: size.columns, rows: size.rows)))
    for (row, line) in frame(size).enumerated() {
      text.lines.append(StyledLine((row == 0 ? margin.first ?? margin.runs : margin.runs) + [line]))
    }
    for line in wrapped(caption, to: max(8, width - margin.width)) {
      text.lines.append(StyledLine(margin.runs + line.runs))
    }
    text.addUnbreakable(first..<min(text.lines.count, first + size.rows + 1))
  }

  /// Returns the cells that an image takes, or `nil` if it is not drawn.
  private func cells(of image: StoredImage, margin: Margin) -> CellSize? {
    guard case .drawn(let rows, let cell) = imageStyle, let size = image.size else { return nil }
    // Images are enlarged at most to twice their size: half blocks show few details of small images.
    let header = ImageHeader(format: .png, width: 2 * min(size.width, 1 << 30), height: 2 * min(size.height, 1 << 30))
    let cells = header.fit(columns: max(8, width - margin.width), rows: max(1, rows), cell: cell)
    return cells.columns >= Self.minimumImageCells.columns && cells.rows >= Self.minimumImageCells.rows ? cells : nil
  }

  /// Returns the description of an image. The description is a link that opens the image's own page. If the author made
  /// the image a link, that link follows.
  private func caption(_ description: String, _ number: Int, link: String?) -> StyledText {
    var style = theme[.quiet].with(.italic)
    style.link = Hyperlink(ImageLink.destination(number))
    var caption = StyledText(description.isEmpty ? "Image" : description, style: style)
    if let link {
      caption.append(" ", style: theme[.quiet])
      append([.link(destination: link, text: [])], theme[.quiet], to: &caption)
    }
    return caption
  }

  /// Returns the rows of a frame around an image.
  private func frame(_ size: CellSize) -> [StyledRun] {
    let (corners, style) = (symbols.corners, theme.line(.faint))
    func row(_ left: Character, _ middle: Character, _ right: Character) -> StyledRun {
      StyledRun(String(left) + String(repeating: middle, count: max(0, size.columns - 2)) + String(right), style: style)
    }
    let sides = Array(repeating: row(symbols.vertical, " ", symbols.vertical), count: max(0, size.rows - 2))
    return [row(corners[0], symbols.horizontal, corners[1])] + sides
      + [row(corners[2], symbols.horizontal, corners[3])]
  }

  /// Appends a description with a frame around it.
  private func appendFramed(_ caption: StyledText, to text: inout ReadingText, margin: Margin) {
    let lines = wrapped(caption, to: max(4, width - margin.width - 4))
    let textColumns = lines.map(\.displayWidth).max() ?? 0
    let rows = frame(CellSize(columns: textColumns + 4, rows: 2))
    let side = StyledRun(String(symbols.vertical), style: theme.line(.faint))
    let first = text.lines.count
    text.lines.append(StyledLine((margin.first ?? margin.runs) + [rows[0]]))
    for line in lines {
      let blanks = spaces(textColumns - line.displayWidth + 1)
      text.lines.append(
        StyledLine(margin.runs + [side, StyledRun(spaces(1 + line.indent))] + line.runs + [StyledRun(blanks), side]))
    }
    text.lines.append(StyledLine(margin.runs + [rows[1]]))
    text.addUnbreakable(first..<text.lines.count)
  }
}

extension [Inline] {
  /// The elements without white space at both ends.
  fileprivate var withoutBlanksAround: [Inline] {
    var line = self[...]
    while let first = line.first, first.isBlank { line.removeFirst() }
    while let last = line.last, last.isBlank { line.removeLast() }
    if case .text(let text) = line.first { line[line.startIndex] = .text(String(text.drop(while: \.isWhitespace))) }
    if case .text(let text) = line.last {
      line[line.endIndex - 1] = .text(String(text.reversed().drop(while: \.isWhitespace).reversed()))
    }
    return Array(line)
  }
}

extension Inline {
  fileprivate var isBlank: Bool {
    switch self {
    case .text(let text): text.allSatisfy(\.isWhitespace)
    case .lineBreak, .target: true
    default: false
    }
  }
}

/// The display of images that are stored with a course.
package enum ImageStyle: Hashable, Sendable {
  /// Only the descriptions are shown, in the same way as text.
  case descriptions
  /// Only the descriptions are shown, each in a frame.
  case frames
  /// Images take as many rows as they need, with their descriptions below.
  ///
  /// - Parameters:
  ///   - rows: The maximum number of rows of an image, at least 1.
  ///   - cell: The size of a cell in pixels, from which the number of cells of an image is computed.
  case drawn(rows: Int, cell: CellPixels)

  /// Returns the same style with fewer rows per image.
  package func limited(rows: Int) -> ImageStyle {
    guard case .drawn(let maximum, let cell) = self else { return self }
    return .drawn(rows: max(1, min(maximum, rows)), cell: cell)
  }

  /// The same style with half of the rows per image.
  package var halved: ImageStyle {
    guard case .drawn(let maximum, let cell) = self else { return self }
    return .drawn(rows: max(1, maximum / 2), cell: cell)
  }

  /// The assumed size of a cell if the terminal does not report it.
  package static let usualCell = CellPixels(width: 8, height: 16)
}

/// The link on the description of an image, which shows the image on a page of its own.
package enum ImageLink {
  private static let prefix = "#picture:"

  /// Returns the destination for an image, counted from 0 through the text.
  package static func destination(_ number: Int) -> String { prefix + String(number) }

  /// Returns the destination of a link after other images were inserted above.
  static func moved(_ destination: String, by imageCount: Int) -> String {
    number(of: destination).map { self.destination($0 &+ imageCount) } ?? destination
  }

  /// Returns the number of the image, or `nil` for any other link.
  package static func number(of destination: String) -> Int? {
    destination.hasPrefix(prefix) ? Int(destination.dropFirst(prefix.count)) : nil
  }
}
