import ScreenKit
import TextCanvas

/// A page on which one row or card has a frame.
@MainActor protocol FramedPage {
  var frameLayer: Layer { get }
  /// The frame in cells of the page, or `nil` if there is none.
  var framedCells: CellRect? { get }
}

extension FramedPage {
  /// Hides the frame if an overlay would cover a part of it.
  ///
  /// - Parameter panel: The frame of the overlay in cells of the page, or `nil` if the overlay is closing.
  func hideFrame(cutBy panel: CellRect?) {
    let isCut = panel.flatMap { panel in framedCells.map { panel.cuts($0) } } ?? false
    frameLayer.opacity = isCut ? 0 : 1
  }
}

extension CellRect {
  /// Returns whether the rectangle covers a part of another rectangle, but not all of it.
  fileprivate func cuts(_ other: CellRect) -> Bool {
    let shared = intersection(other)
    return !shared.isEmpty && shared != other
  }
}
