import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// What stands beside the page. Pages that slide go by behind it.
@MainActor final class AsideLayer: Layer, ChoosablePane {
  private(set) var aside: Aside?
  private var picture: AsideDrawing?
  /// What is there, and over it pictures of what was, as far as they have not given way yet.
  private let window = Layer()
  private let text = Layer()
  private(set) var places: [Int: NodeID] = [:]
  var chosenRow: Int? { didSet { if chosenRow != oldValue { draw() } } }
  /// The key that gives it the keys, as the screen shows it.
  var key: String?

  init() {
    super.init(frame: .zero)
    fill = .default
    window.clipsToBounds = true
    text.fill = .default
    window.add(text)
    add(window)
  }

  /// Places it beside the page of a size.
  func layOut(_ metrics: PageMetrics, look: Appearance) {
    isHidden = metrics.asideWidth == 0 || !metrics.fits
    picture = AsideDrawing(theme: look.theme, symbols: look.symbols, metrics: metrics)
    let left = metrics.left + metrics.width
    frame = Rect(
      x: Double(left), y: 0, width: Double(metrics.size.columns - left), height: Double(metrics.keysRow))
    window.frame = Rect(
      x: Double(metrics.asideLeft - left), y: 0, width: Double(metrics.asideWidth), height: Double(metrics.keysRow))
    draw()
  }

  /// Shows something else; what was there gives way to it, along with a transition where there is one.
  ///
  /// - Parameter dissolve: How it does; `nil` where nothing moves.
  func show(_ aside: Aside?, alongside coordinator: (any TransitionCoordinator)?, dissolve: Dissolve?) {
    guard aside != self.aside else { return }
    let before = self.aside
    let old = dissolve.map { dissolve in
      let old = window.snapshot()
      old.frame = Rect(origin: .zero, size: window.frame.size)
      old.dissolve = dissolve
      return old
    }
    self.aside = aside
    chosenRow = nil
    draw()
    guard let old, !isHidden else { return }
    window.add(old)
    let runs = coordinator?.animate(
      alongside: { _ in old.dissolved = 1 },
      completion: { [weak self] context in
        old.removeFromSuperlayer()
        // A page that went back is still there, and what stood beside it.
        guard let self, context.transitionWasCancelled, self.aside == aside else { return }
        self.aside = before
        draw()
      })
    guard runs != true else { return }
    animate(duration: PreviewLayer.time, curve: .linear) {
      old.dissolved = 1
    } completion: { _ in
      old.removeFromSuperlayer()
    }
  }

  private func draw() {
    for old in window.sublayers where old !== text { old.removeFromSuperlayer() }
    text.frame = Rect(origin: .zero, size: window.frame.size)
    // Who has the keys needs not be told how to get them.
    picture?.key = chosenRow == nil ? key : nil
    let drawn = picture.flatMap { picture in aside.map(picture.draw) }
    var surface = drawn?.surface
    if let picture, surface != nil { markChosen(on: &surface!, in: picture.theme[.strong]) }
    (text.content, places) = (surface, drawn?.places ?? [:])
  }

  /// The place whose row stands at a cell of the stage; `nil` where none does.
  func place(at point: CellPoint) -> NodeID? {
    isHidden || !frame.cells.contains(point) ? nil : places[point.row]
  }
}

/// Something beside a page, or below its list, whose rows lead to places: with keys as with the mouse.
@MainActor protocol ChoosablePane: Layer {
  /// What it shows.
  var aside: Aside? { get }
  /// The rows that lead to places, from its first.
  var places: [Int: NodeID] { get }
  /// The row that the keys have chosen; `nil` where they are the page's.
  var chosenRow: Int? { get set }
}

extension ChoosablePane {
  /// Whether there is anything to choose in it, and it is seen.
  var isChoosable: Bool { !isHidden && !places.isEmpty }

  /// The place of the chosen row.
  var chosenPlace: NodeID? { chosenRow.flatMap { places[$0] } }

  /// What the chosen row is called.
  var chosenTitle: String? {
    guard let chosenPlace, case .outline(let rows, _) = aside?.content else { return nil }
    return rows.first { $0.card.node == chosenPlace }?.card.title
  }

  /// Chooses another row, so many further; as far as there are any.
  func choose(by step: Int) {
    let rows = places.keys.sorted()
    guard let last = rows.indices.last, let index = rows.firstIndex(where: { $0 >= chosenRow ?? 0 }) else { return }
    chosenRow = rows[chosenRow == nil ? 0 : max(0, min(last, index + max(-rows.count, min(rows.count, step))))]
  }

  /// Marks the chosen row on what is drawn: all of it in one colour, from its first column to its last.
  func markChosen(on surface: inout Surface, in style: Style) {
    guard let chosenRow else { return }
    let row = CellRect(column: 0, row: chosenRow, columns: surface.columns, rows: 1)
    let words = surface.part(row)
    surface.fill(row, with: .blank)
    surface.overlay(words, at: CellPoint(column: 0, row: chosenRow))
    surface.mapStyles(in: row) { _ in style.with(.reverse) }
  }
}
