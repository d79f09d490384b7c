import LearningModel
import ScreenKit
import TextCanvas

/// What stands beside the page. Pages that slide go by behind it.
@MainActor final class AsideLayer: Layer {
  /// What a transition has behind it, 0…1; it becomes another half way.
  private static let way: LayerKey = "way"

  private var aside: Aside?
  /// What is seen until a transition is half way.
  private var old: Aside??
  private var picture: AsideDrawing?
  private let text = Layer()

  init() {
    super.init(frame: .zero)
    fill = .default
    add(text)
    text.drawing = { [weak self] state in
      guard let self, let picture, let aside = shown(state) else { return nil }
      return picture.draw(aside).surface
    }
  }

  private func shown(_ state: LayerState) -> Aside? {
    if let old, (state.values[Self.way] ?? 1) < 0.5 { old } else { aside }
  }

  /// Places it beside the page of a size.
  func layOut(_ metrics: PageMetrics, look: Appearance) {
    isHidden = metrics.asideWidth == 0 || !metrics.fits
    picture = AsideDrawing(theme: look.theme, symbols: look.symbols, metrics: metrics)
    let left = metrics.left + metrics.width
    frame = Rect(
      x: Double(left), y: 0, width: Double(metrics.size.columns - left), height: Double(metrics.bodyEnd))
    text.frame = Rect(
      x: Double(metrics.asideLeft - left), y: 0, width: Double(metrics.asideWidth), height: Double(metrics.bodyEnd))
    text.setNeedsDisplay()
  }

  /// Shows something else; along with a transition, half way.
  func show(_ aside: Aside?, alongside coordinator: (any TransitionCoordinator)?) {
    guard aside != self.aside else { return }
    let isOnItsWay = old != nil && (text.presentation.values[Self.way] ?? 1) < 0.5
    old = isOnItsWay ? old : .some(self.aside)
    self.aside = aside
    guard let coordinator else { return settle() }
    withoutAnimation { text.values[Self.way] = 0 }
    let runs = coordinator.animate(
      alongside: { [text] _ in text.values[Self.way] = 1 }, completion: { [weak self] _ in self?.settle() })
    if !runs { settle() }
  }

  private func settle() {
    old = nil
    text.setNeedsDisplay()
  }

  /// The place whose row stands at a cell of the stage; `nil` where none does.
  func place(at point: CellPoint) -> NodeID? {
    guard !isHidden, let picture, let aside, frame.cells.contains(point) else { return nil }
    return picture.draw(aside).places[point.row]
  }
}
