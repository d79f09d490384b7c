import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// The side pane to the right of the page. Sliding pages pass below it.
@MainActor final class SidePaneLayer: Layer, ChoosablePane {
  private(set) var pane: SidePane?
  private var drawingModel: SidePaneDrawing?
  /// The key of the layer value for the progress of the transition alongside which the content changes.
  private static let progress: LayerKey = "paneProgress"

  private let text = Layer()
  /// The earlier content. It covers the new one up to a fraction of the transition.
  private let oldText = Layer()
  private var changeFraction = 0.5
  private(set) var places: [Int: NodeID] = [:]
  var chosenRow: Int? { didSet { if chosenRow != oldValue { draw() } } }
  /// The label of the key that moves the focus to the pane.
  var key: String?

  init() {
    super.init(frame: .zero)
    fill = .default
    for layer in [text, oldText] {
      layer.fill = .default
      add(layer)
    }
    oldText.isHidden = true
  }

  /// Sets the frame for a page size, and draws again.
  func layOut(_ metrics: PageMetrics, appearance: Appearance) {
    isHidden = metrics.sidePaneWidth == 0 || !metrics.isSupported
    drawingModel = SidePaneDrawing(theme: appearance.theme, symbols: appearance.symbols, metrics: metrics)
    let leftColumn = metrics.firstColumn + metrics.width
    frame = Rect(
      x: Double(leftColumn), y: 0, width: Double(metrics.size.columns - leftColumn), height: Double(metrics.keysRow))
    for layer in [text, oldText] {
      layer.frame = Rect(
        x: Double(metrics.sidePaneColumn - leftColumn), y: 0, width: Double(metrics.sidePaneWidth),
        height: Double(metrics.keysRow))
    }
    draw()
  }

  /// Replaces the content at once or, if a transition is given, during that transition. If the transition is cancelled,
  /// the pane shows its earlier content again.
  ///
  /// If a card opens or closes, the content changes when the text of the page is invisible, because both can show the
  /// same text. Otherwise it changes in the middle.
  func show(_ pane: SidePane?, alongside coordinator: (any TransitionCoordinator)?) {
    guard pane != self.pane else { return }
    let (oldPane, oldContent) = (self.pane, (oldText.isHidden ? text : oldText).content)
    self.pane = pane
    chosenRow = nil
    draw()
    withoutAnimation { values[Self.progress] = 0 }
    changeFraction =
      switch (coordinator?.context.animationController as? OpenCardTransition)?.direction {
      case .down: OpeningGeometry.textStartFraction
      case .up: 1 - OpeningGeometry.textStartFraction
      case nil: 0.5
      }
    let isAnimated = coordinator?.animate(
      alongside: { [weak self] _ in self?.values[Self.progress] = 1 },
      completion: { [weak self] context in
        guard let self, self.pane == pane else { return }
        if context.transitionWasCancelled { self.pane = oldPane }
        draw()
      })
    guard isAnimated == true else { return }
    oldText.content = oldContent
    oldText.isHidden = oldContent == nil
  }

  override func layOutSublayers(presented state: LayerState) {
    oldText.isHidden = oldText.content == nil || (state.values[Self.progress] ?? 0) >= changeFraction
  }

  private func draw() {
    (oldText.content, oldText.isHidden) = (nil, true)
    // While the pane has the focus, it does not show the key that moves the focus to it.
    drawingModel?.key = chosenRow == nil ? key : nil
    let drawn = drawingModel.flatMap { model in pane.map(model.draw) }
    var surface = drawn?.surface
    if let drawingModel, surface != nil { highlightChosenRow(on: &surface!, in: drawingModel.theme[.strong]) }
    (text.content, places) = (surface, drawn?.places ?? [:])
  }

  /// Returns the place whose row contains a cell of the stage, or `nil` if the cell is not in such a row.
  func place(at point: CellPoint) -> NodeID? {
    isHidden || !frame.cells.contains(point) ? nil : places[point.row]
  }
}

/// A pane next to a page or below its list. Its rows open places, by key or click.
@MainActor protocol ChoosablePane: Layer {
  var pane: SidePane? { get }
  /// The places that the rows open, by row from the top of the pane.
  var places: [Int: NodeID] { get }
  /// The selected row, or `nil` if the pane does not have the focus.
  var chosenRow: Int? { get set }
}

extension ChoosablePane {
  /// Whether the pane is visible and at least one row opens a place.
  var isChoosable: Bool { !isHidden && !places.isEmpty }

  var chosenPlace: NodeID? { chosenRow.flatMap { places[$0] } }

  /// The title of the place that the selected row opens, or `nil` if no row is selected.
  var chosenTitle: String? {
    guard let chosenPlace, case .outline(let rows, _) = pane?.content else { return nil }
    return rows.first { $0.card.node == chosenPlace }?.card.title
  }

  /// The rows that open places, as a list. If no row is selected, the first one is.
  private var list: SelectionList {
    var list = SelectionList(chosen: places.keys.count { $0 < chosenRow ?? 0 })
    list.layOut(SelectionList.Form(), count: places.count, height: places.count)
    return list
  }

  /// Selects a row, counting only the rows that open places.
  func choose(_ index: Int) {
    var list = list
    list.choose(index)
    chosenRow = places.keys.sorted()[list.chosen]
  }

  /// Returns the index of the row that a command selects, or `nil` if the command does not select a row.
  func target(of command: Command) -> Int? { list.target(of: command) }

  /// Draws the selected row in one style across the full width of the surface.
  func highlightChosenRow(on surface: inout Surface, in style: Style) {
    guard let chosenRow else { return }
    let row = CellRect(column: 0, row: chosenRow, columns: surface.columns, rows: 1)
    let rowSurface = surface.cropped(row)
    surface.fill(row, with: .blank)
    surface.overlay(rowSurface, at: CellPoint(column: 0, row: chosenRow))
    surface.mapStyles(in: row) { _ in style.with(.reverse) }
  }
}
