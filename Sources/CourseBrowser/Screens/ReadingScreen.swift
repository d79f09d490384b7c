internal import LearningModel
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// An activity that is read: its text, scrolled, and how far it has been read.
@MainActor class ReadingScreen: PageScreen {
  let content: ActivityContent
  private(set) var text = ReadingText()
  /// The first line that is seen.
  private(set) var scroll = 0
  private var textWidth = 0
  private let textLayer = Layer()

  init(place: Place, page: PageModel, content: ActivityContent, shell: any PageShell) {
    self.content = content
    super.init(place: place, page: page, shell: shell)
  }

  override func didLoad() {
    super.didLoad()
    body.add(textLayer)
  }

  /// What is set as text; kinds of activity with more to do than reading say it in their own way.
  var blocks: [Block] {
    switch content {
    case .reading(let blocks), .link(_, let blocks): blocks
    case .flashcards(let introduction, _), .quiz(let introduction, _): introduction
    }
  }

  // MARK: - Reading

  private var isScrolled: Bool { scroll > 0 && !metrics.isSmall }
  override var titleRow: Int { isScrolled ? metrics.scrolledTitleRow : metrics.titleRow }
  override var ruleRow: Int { isScrolled ? metrics.scrolledRuleRow : metrics.ruleRow }

  /// Rows of text that are seen; one row of air stands between the rule and the text's first line.
  var visibleRows: Int { max(1, bodyRows.count - (isScrolled ? 0 : airRows)) }
  private var airRows: Int { metrics.isSmall ? 0 : 1 }

  private var lastScroll: Int {
    // The header gives two rows back once the text is scrolled.
    let scrolledRows = metrics.isSmall ? metrics.bodyRows : metrics.bodyEnd - metrics.scrolledBodyTop
    let rows = metrics.bodyRows - airRows
    return text.lines.count <= rows ? 0 : max(1, text.lines.count - scrolledRows)
  }

  /// Whether the text's last line is seen.
  var endIsInView: Bool { scroll >= lastScroll }

  /// How much has been seen, 0…1.
  var fractionRead: Double {
    guard !text.lines.isEmpty else { return 1 }
    return min(1, Double(scroll + visibleRows) / Double(text.lines.count))
  }

  override var header: PageModel.Header {
    var header = page.header
    guard lastScroll > 0 else { return header }
    header.fraction = max(header.fraction, scroll == 0 ? 0 : fractionRead)
    return header
  }

  /// Where the learner stopped the last time.
  func resume(at position: ReadingPosition) {
    pendingBlock = position.fraction >= 1 ? nil : position.block
  }

  private var pendingBlock: Int?

  /// What to keep of how far the text was read.
  func position(at moment: Timestamp) -> ReadingPosition {
    ReadingPosition(
      block: text.block(at: scroll), fraction: fractionRead, heading: text.heading(at: scroll + visibleRows - 1)?.title,
      savedAt: moment)
  }

  func scroll(to line: Int) {
    let next = max(0, min(line, lastScroll))
    guard next != scroll else { return }
    scroll = next
    layOutPage()
    shell.pageChanged(self)
  }

  override func perform(_ command: Command) -> Bool {
    switch command {
    case .chooseNext: scroll(to: scroll + 1)
    case .choosePrevious: scroll(to: scroll - 1)
    case .chooseFirst: scroll(to: 0)
    case .chooseLast: scroll(to: lastScroll)
    case .pageBack: scroll(to: scroll - max(1, visibleRows - 2))
    case .readOn:
      if endIsInView { shell.readOn(from: self) } else { scroll(to: scroll + max(1, visibleRows - 2)) }
    default: return false
    }
    return true
  }

  override func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event, case .scroll(columns: 0, let rows) = mouse.action else { return false }
    scroll(to: scroll + rows * 3)
    return true
  }

  // MARK: - Layout

  override func layOutPage() {
    let width = metrics.textWidth
    if width != textWidth || text.lines.isEmpty {
      let heading = text.heading(at: scroll)
      let before = heading.map { scroll - $0.line } ?? scroll
      text = ReadingLayout(width: width, theme: shell.appearance.theme, symbols: shell.appearance.symbols).text(blocks)
      // After a change of width the reader stays at the same heading.
      if textWidth > 0, let heading, let same = text.headings.first(where: { $0.anchor == heading.anchor }) {
        scroll = max(0, min(same.line + before, lastScroll))
      } else {
        scroll = min(pendingBlock.flatMap { text.line(ofBlock: $0) } ?? scroll, lastScroll)
        pendingBlock = nil
      }
      textWidth = width
    }
    super.layOutPage()
    let air = isScrolled ? 0 : airRows
    textLayer.frame = Rect(
      x: Double(metrics.textLeft), y: Double(air), width: Double(width), height: Double(max(0, bodyRows.count - air)))
    textLayer.content = visibleText
  }

  private var visibleText: Surface {
    let rows = max(0, bodyRows.count - (isScrolled ? 0 : airRows))
    var surface = Surface(columns: metrics.textWidth, rows: rows)
    for (row, line) in text.lines.dropFirst(scroll).prefix(rows).enumerated() {
      surface.draw(line, at: CellPoint(column: 0, row: row))
    }
    return surface
  }

  override var bodyParts: [PagePicture.Part] {
    let surface = visibleText
    return [
      PagePicture.Part(
        surface: surface,
        rect: CellRect(
          column: metrics.textLeft, row: bodyRows.lowerBound + (isScrolled ? 0 : airRows),
          columns: metrics.textWidth, rows: surface.rows),
        node: nil)
    ]
  }
}
