import ScreenKit
import TextCanvas

/// A page on which one row, or one card, has the frame.
@MainActor protocol FramedPage {
  var frameLayer: Layer { get }
  /// Where the frame stands, in cells of the page; `nil` where nothing has it.
  var framedCells: CellRect? { get }
}

extension FramedPage {
  /// Hides the frame where an overlay would cut it; shows it again where none does.
  ///
  /// - Parameter panel: Where the overlay stands, in cells of the page; `nil` where it goes.
  func hideFrame(cutBy panel: CellRect?) {
    let isCut = panel.flatMap { panel in framedCells.map { panel.cuts($0) } } ?? false
    frameLayer.opacity = isCut ? 0 : 1
  }
}

extension CellRect {
  /// Whether a part of another one lies in it, and a part outside.
  fileprivate func cuts(_ other: CellRect) -> Bool {
    let shared = intersection(other)
    return !shared.isEmpty && shared != other
  }
}
