import CoursePages
import LearningModel
import Pictures
import ScreenKit
import TextCanvas

/// A picture as large as there is room, opened from its place in a text.
@MainActor final class PictureScreen: OverlayScreen {
  private let picture: ReadingText.Picture
  private let pictureLayer = Layer()
  private var request: DrawnPictures.Request?

  private let openOutside: (KeptPicture) -> Void

  /// - Parameter openOutside: Opens the picture in the system's own program.
  init(
    _ picture: ReadingText.Picture, context: ScreenContext, source: @escaping () -> CellRect,
    openOutside: @escaping (KeptPicture) -> Void
  ) {
    (self.picture, self.openOutside) = (picture, openOutside)
    super.init(title: picture.words.isEmpty ? "Picture" : picture.words, context: context, source: source)
  }

  override var subject: String { super.subject + picture.picture.digest }
  override var bodyHeight: Int { metrics.size.rows }
  override var preferredTop: Int? { 0 }
  override var titleRows: Surface {
    let words = StyledText(title, style: drawing.theme.bold(role)).wrapped(to: .max / 2).first ?? StyledLine()
    var surface = Surface(columns: metrics.textWidth, rows: 1)
    surface.draw(
      words.truncated(to: metrics.textWidth, ellipsis: context.appearance.symbols.ellipsis), at: .zero)
    return surface
  }

  override func didLoad() {
    super.didLoad()
    body.add(pictureLayer)
  }

  override func didAppear(animated: Bool) {
    super.didAppear(animated: animated)
    show()
  }

  override func willDisappear(animated: Bool) {
    super.willDisappear(animated: animated)
    show()
  }

  override func layOutPanel() {
    super.layOutPanel()
    request = cells.map {
      DrawnPictures.Request(
        digest: picture.picture.digest, cells: $0.size, depth: context.appearance.theme.depth)
    }
    show()
  }

  /// Where the picture stands in the body: in its middle, as large as it fits; `nil` where only its words are shown.
  private var cells: CellRect? {
    let rows = bodyRows
    guard case .drawn(_, let cell) = context.appearance.pictures(rows: rows), let size = picture.picture.size,
      rows > 1, metrics.textWidth > 3
    else { return nil }
    // As large as it can be: whoever asks for it wants to see more of it.
    let facts = PictureFacts(format: .png, width: 4 * min(size.width, 1 << 30), height: 4 * min(size.height, 1 << 30))
    let fitting = facts.fit(columns: metrics.textWidth, rows: rows, cell: cell)
    return CellRect(
      column: (metrics.textWidth - fitting.columns) / 2, row: (rows - fitting.rows) / 2, columns: fitting.columns,
      rows: fitting.rows)
  }

  private func show() {
    guard appearance == .appeared, let cells, let request else { return showWords() }
    guard let surface = context.pictures.surface(of: request) else {
      showWords()
      return context.pictures.want([request], in: context.inBackground) { [weak self] in
        guard let self, context.pictures.surface(of: request) != nil else { return }
        context.besideInput { self.show() }
      }
    }
    pictureLayer.frame = Rect(cells)
    pictureLayer.content = surface
  }

  /// Its description, where nothing is drawn.
  private func showWords() {
    let cells = CellRect(column: 0, row: 0, columns: metrics.textWidth, rows: max(0, bodyRows))
    var surface = Surface(cells.size)
    let lines = StyledText(title, style: drawing.theme[.quiet]).wrapped(to: max(1, metrics.textWidth))
    for (row, line) in lines.enumerated() { surface.draw(line, at: CellPoint(column: 0, row: row)) }
    pictureLayer.frame = Rect(cells)
    pictureLayer.content = surface
  }

  /// Where it is seen, while it is at rest.
  var pictureInView: PictureInView? {
    guard appearance == .appeared, let cells, let request, context.pictures.surface(of: request) != nil else {
      return nil
    }
    let frame = panelFrame
    return PictureInView(
      digest: picture.picture.digest,
      cells: cells.offset(
        columns: frame.column + Int(body.frame.x), rows: frame.row + Int(body.frame.y)))
  }

  override var keys: [KeyHint] { [KeyHint("o", "open outside")] + super.keys }

  override func take(_ key: KeyEvent) -> Bool {
    guard key.key == .character("o"), key.modifiers.isEmpty else { return false }
    close()
    openOutside(picture.picture)
    return true
  }
}
