import CoursePages
import Foundation
import ScreenKit
import TextCanvas

/// A card with two sides that turns about its vertical axis.
///
/// Only the width of the box changes. The text is not compressed, because omitting letters would produce different
/// words. Words that cross an edge of the box are hidden, and the whole text fades as the card turns away.
@MainActor final class CardLayer: Layer {
  /// Duration of a turn, and of the cross-fade with reduced motion, in seconds.
  static let turnTime = 0.32
  static let fadeTime = 0.12
  /// The key of the layer value for the turn: 0 shows the front, 1 the back.
  static let isTurned: LayerKey = "turned"

  var front = CardDrawing.Side() { didSet { setNeedsLayout() } }
  var back = CardDrawing.Side() { didSet { setNeedsLayout() } }
  private let box = Layer()
  private let textLayer = Layer()
  /// Clips the text to the box.
  private let window = Layer()
  private var canTurn = true

  init() {
    super.init()
    window.clipsToBounds = true
    window.add(textLayer)
    add(box)
    add(window)
  }

  /// Shows one side.
  ///
  /// - Parameter motion: With full motion the card turns, with reduced motion it fades. With `none` or `nil`, the side
  ///   changes at once.
  func show(back isTurned: Bool, motion: MotionPreference?) {
    let value = isTurned ? 1.0 : 0
    guard let motion, motion != .none, values[Self.isTurned] ?? 0 != value else {
      removeAllAnimations()
      withoutAnimation { values[Self.isTurned] = value }
      return
    }
    canTurn = motion == .full
    animate(duration: canTurn ? Self.turnTime : Self.fadeTime, curve: canTurn ? .easeInOut : .linear) {
      values[Self.isTurned] = value
    }
  }

  /// The duration of the rest of a turn after ``hurry()``, in seconds.
  static let hurriedTime = 0.09

  /// Speeds up a running turn from its current state.
  func hurry() {
    let (presented, target) = (presentation, model)
    removeAllAnimations()
    withoutAnimation { (values, opacity) = (presented.values, presented.opacity) }
    animate(duration: Self.hurriedTime, curve: .easeOut) { (values, opacity) = (target.values, target.opacity) }
  }

  override func layOutSublayers() { layOutSublayers(presented: presentation) }

  override func layOutSublayers(presented state: LayerState) {
    let turned = state.values[Self.isTurned] ?? 0
    let side = turned >= 0.5 ? back : front
    let size = state.cells.size
    (box.content, textLayer.content) = (side.box, side.text)
    box.frame = Rect(CellRect(size))
    guard canTurn, turned > 0, turned < 1 else {
      // One side fades out completely before the other fades in, so that the two texts never overlap.
      box.transform = .identity
      textLayer.opacity = abs(1 - 2 * turned)
      return show(CellRect(size), of: size)
    }
    // The count on the border is hidden during the turn, because an edge could cut its letters.
    box.content = side.withoutBox
    // In the middle of the turn, the card is two columns wide, so that it does not disappear.
    let narrowed = max(abs(cos(turned * .pi)), 2 / Double(max(2, size.columns)))
    box.transform.flip = turned >= 0.5 ? -acos(narrowed) : acos(narrowed)
    textLayer.opacity = narrowed
    let columns = nearestCell(Double(size.columns) * narrowed)
    let first = nearestCell((Double(size.columns) - Double(columns)) / 2)
    let visibleCells = CellRect(column: first + 1, row: 0, columns: max(0, columns - 2), rows: size.rows)
    textLayer.content = side.text.withoutPartialWords(in: visibleCells.column..<visibleCells.endColumn)
    show(visibleCells, of: size)
  }

  /// Shows the text only in the given cells of the card. The text itself does not move.
  private func show(_ visibleCells: CellRect, of size: CellSize) {
    window.frame = Rect(visibleCells)
    textLayer.frame = Rect(CellRect(size).offset(columns: -visibleCells.column))
  }
}
