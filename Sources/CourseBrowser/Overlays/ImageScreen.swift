import CoursePages
import LearningModel
import Images
import ScreenKit
import TextCanvas

/// An image in the largest possible size. The overlay grows from the position of the image in a text.
@MainActor final class ImageScreen: OverlayScreen {
  private let image: ReadingText.Image
  private let imageLayer = Layer()
  private var request: ImageCache.Request?

  private let openOutside: (StoredImage) -> Void

  /// Creates the overlay.
  ///
  /// - Parameter openOutside: Opens the image in the system's program.
  init(
    _ image: ReadingText.Image, context: ScreenContext, source: @escaping () -> CellRect,
    openOutside: @escaping (StoredImage) -> Void
  ) {
    (self.image, self.openOutside) = (image, openOutside)
    super.init(title: image.description.isEmpty ? "Image" : image.description, context: context, source: source)
  }

  override var subject: String { super.subject + image.image.digest }
  override var bodyHeight: Int { metrics.size.rows }
  override var preferredTop: Int? { 0 }
  override var titleRows: Surface {
    let titleLine = StyledText(title, style: drawing.theme.bold(role)).wrapped(to: .max / 2).first ?? StyledLine()
    var surface = Surface(columns: metrics.textWidth, rows: 1)
    surface.draw(
      titleLine.truncated(to: metrics.textWidth, ellipsis: context.appearance.symbols.ellipsis), at: .zero)
    return surface
  }

  override func didLoad() {
    super.didLoad()
    body.add(imageLayer)
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
      ImageCache.Request(
        digest: image.image.digest, cells: $0.size, colourDepth: context.appearance.theme.colourDepth)
    }
    show()
  }

  /// The rectangle of the image in the body, centred and as large as possible. `nil` if only the description is shown.
  private var cells: CellRect? {
    let rows = bodyRows
    guard case .drawn(_, let cell) = context.appearance.imageStyle(rows: rows), let size = image.image.size,
      rows > 1, metrics.textWidth > 3
    else { return nil }
    // The image may be enlarged up to four times, because the learner opened it to see more of it.
    let header = ImageHeader(format: .png, width: 4 * min(size.width, 1 << 30), height: 4 * min(size.height, 1 << 30))
    let fittingSize = header.fit(columns: metrics.textWidth, rows: rows, cell: cell)
    return CellRect(
      column: (metrics.textWidth - fittingSize.columns) / 2, row: (rows - fittingSize.rows) / 2,
      columns: fittingSize.columns,
      rows: fittingSize.rows)
  }

  private func show() {
    guard appearance == .appeared, let cells, let request else { return showDescription() }
    guard let surface = context.imageCache.surface(of: request) else {
      showDescription()
      return context.imageCache.request([request], in: context.runInBackground) { [weak self] in
        guard let self, context.imageCache.surface(of: request) != nil else { return }
        context.performWithoutInput { self.show() }
      }
    }
    imageLayer.show(surface, column: cells.column, row: cells.row)
  }

  /// Shows the description instead of the image.
  private func showDescription() {
    var surface = Surface(columns: metrics.textWidth, rows: max(0, bodyRows))
    let lines = StyledText(title, style: drawing.theme[.quiet]).wrapped(to: max(1, metrics.textWidth))
    for (row, line) in lines.enumerated() { surface.draw(line, at: CellPoint(column: 0, row: row)) }
    imageLayer.show(surface)
  }

  /// The position of the image on the stage, or `nil` while the overlay moves.
  var visibleImage: VisibleImage? {
    guard appearance == .appeared, let cells, let request, context.imageCache.surface(of: request) != nil else {
      return nil
    }
    let frame = panelFrame
    return VisibleImage(
      digest: image.image.digest,
      cells: cells.offset(
        columns: frame.column + nearestCell(body.frame.x), rows: frame.row + nearestCell(body.frame.y)))
  }

  override func offer(_ command: Command) -> Offer? {
    guard command == .openOutside else { return super.offer(command) }
    return Offer("open in viewer") { [self] in
      close()
      openOutside(image.image)
    }
  }
}
