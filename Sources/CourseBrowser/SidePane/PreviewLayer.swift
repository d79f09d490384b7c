import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// The pane below a short list: shows what the selected place contains.
///
/// The pane belongs to the page of the list. When a card opens, the frame of the card covers the pane, or the text of the
/// pane moves to the page.
@MainActor final class PreviewLayer: Layer, ChoosablePane {
  /// The minimum useful height. If there are fewer rows, the pane is hidden.
  static let minimumRows = 6

  private(set) var pane: SidePane?
  private var drawingModel: SidePaneDrawing?
  /// The parameters of the last layout. Used to skip a layout with the same parameters: a list calls
  /// ``layOut(in:metrics:appearance:key:keepsContents:)`` for every key press.
  private var layoutKey: LayoutKey?
  private let text = Layer()
  /// The places that rows of an outline open, by row.
  private(set) var places: [Int: NodeID] = [:]
  var chosenRow: Int? { didSet { if chosenRow != oldValue { draw() } } }

  init() {
    super.init(frame: .zero)
    isHidden = true
    clipsToBounds = true
    text.fill = .default
    add(text)
  }

  private struct LayoutKey: Equatable {
    var rows: Range<Int>
    var metrics: PageMetrics
    var colourDepth: ColourDepth
    var pageAppearance: PageAppearance
    /// A symbol that identifies the symbol set.
    var sign: String
    var key: String?
  }

  /// Lays out the pane in some rows of the superlayer, and hides it if there are too few rows.
  ///
  /// - Parameters:
  ///   - key: The label of the key that moves the focus to the pane.
  ///   - keepsContents: Whether the content is kept if the first row changes.
  func layOut(in rows: Range<Int>, metrics: PageMetrics, appearance: Appearance, key: String?, keepsContents: Bool) {
    let theme = appearance.theme
    let newLayoutKey = LayoutKey(
      rows: rows, metrics: metrics, colourDepth: theme.colourDepth, pageAppearance: theme.pageAppearance,
      sign: appearance.symbols.ellipsis, key: key)
    guard newLayoutKey != self.layoutKey else { return }
    self.layoutKey = newLayoutKey
    let old = frame.cells
    isHidden = !metrics.showsPreviewBelow || rows.count < Self.minimumRows
    guard !isHidden else { return reset() }
    if !keepsContents, old.row != rows.lowerBound { reset() }
    frame = Rect(
      CellRect(column: metrics.ruleColumn, row: rows.lowerBound, columns: metrics.ruleWidth, rows: rows.count))
    drawingModel = SidePaneDrawing(
      theme: appearance.theme, symbols: appearance.symbols, metrics: metrics, belowListIn: rows.count)
    draw()
  }

  /// Replaces the content at once.
  func show(_ pane: SidePane?) {
    guard pane != self.pane else { return }
    self.pane = pane
    chosenRow = nil
    draw()
  }

  /// Hides the pane and removes its content until the next layout.
  func hide() {
    isHidden = true
    layoutKey = nil
    reset()
  }

  private func reset() {
    pane = nil
    chosenRow = nil
    draw()
  }

  private func draw() {
    text.frame = Rect(origin: .zero, size: frame.size)
    // While the pane has the focus, it does not show the key that moves the focus to it.
    drawingModel?.key = chosenRow == nil ? layoutKey?.key : nil
    guard let pane, let drawingModel, !isHidden else {
      (text.content, places) = (nil, [:])
      return
    }
    var drawn = drawingModel.preview(pane)
    highlightChosenRow(on: &drawn.surface, in: drawingModel.theme[.strong])
    (text.content, places) = (drawn.surface, drawn.places)
  }

  /// The visible content as a fragment of a page snapshot, with rows relative to the page's body. `nil` if nothing is
  /// visible.
  var fragment: PageFragments.Fragment? {
    guard !isHidden, let surface = text.content else { return nil }
    return PageFragments.Fragment(surface: surface, rect: frame.cells, isPreview: true, places: places)
  }

  /// Returns the place whose row contains a cell, or `nil` if the cell is not in such a row. The cell is relative to
  /// the top of the page's body.
  func place(at point: CellPoint) -> NodeID? {
    frame.cells.contains(point) ? places[point.row - frame.cells.row] : nil
  }
}

/// A page that may have a preview below its list.
@MainActor protocol PreviewingPage: Screen {
  var preview: PreviewLayer { get }
  /// The row of the terminal in which the page's body begins.
  var bodyTop: Int { get }
}

extension ListScreen: PreviewingPage {
  var bodyTop: Int { bodyRows.lowerBound }
}

extension TabPage: PreviewingPage {
  var bodyTop: Int { metrics.bodyTop }
}

extension PreviewingPage {
  /// Returns the place whose row of the preview contains a cell of the stage, or `nil` if the cell is not in such a
  /// row.
  func previewPlace(at point: CellPoint) -> NodeID? {
    preview.place(at: CellPoint(column: point.column, row: point.row - bodyTop))
  }
}
