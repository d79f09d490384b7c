import CoursePages
import Foundation
import ScreenKit
import TextCanvas

/// A card with two sides that turns over about its vertical middle.
///
/// What turns is the card: its box narrows and widens. The words on it stay as they are written, since letters that are
/// left out make other words; those that the card's edge has come to are not seen, and all fade as the card turns away.
@MainActor final class CardLayer: Layer {
  /// Seconds of a turn, and of the cross-fade that stands for it.
  static let turnTime = 0.32
  static let fadeTime = 0.12
  /// 0 where the front is seen, 1 where the back is.
  static let turned: LayerKey = "turned"

  var front = CardDrawing.Side() { didSet { setNeedsLayout() } }
  var back = CardDrawing.Side() { didSet { setNeedsLayout() } }
  private let box = Layer()
  private let words = Layer()
  /// What the words are seen through.
  private let window = Layer()
  private var turns = true

  init() {
    super.init()
    window.clipsToBounds = true
    window.add(words)
    add(box)
    add(window)
  }

  /// Shows one side.
  ///
  /// - Parameter motion: The card turns over, or fades into its other side, or is there at once; `nil` for at once.
  func show(back isTurned: Bool, motion: MotionPreference?) {
    let value = isTurned ? 1.0 : 0
    guard let motion, motion != .none, values[Self.turned] ?? 0 != value else {
      removeAllAnimations()
      withoutAnimation { values[Self.turned] = value }
      return
    }
    turns = motion == .full
    animate(duration: turns ? Self.turnTime : Self.fadeTime, curve: turns ? .easeInOut : .linear) {
      values[Self.turned] = value
    }
  }

  /// Seconds of what is left of a turn that somebody does not wait for.
  static let hurriedTime = 0.09

  /// Comes to the side that it turns to from where it is, sooner than it would have.
  func hurry() {
    let (seen, end) = (presentation, model)
    removeAllAnimations()
    withoutAnimation { (values, opacity) = (seen.values, seen.opacity) }
    animate(duration: Self.hurriedTime, curve: .easeOut) { (values, opacity) = (end.values, end.opacity) }
  }

  override func layOutSublayers() { layOutSublayers(presented: presentation) }

  override func layOutSublayers(presented state: LayerState) {
    let turned = state.values[Self.turned] ?? 0
    let side = turned >= 0.5 ? back : front
    let size = state.cells.size
    (box.content, words.content) = (side.box, side.words)
    box.frame = Rect(CellRect(size))
    guard turns, turned > 0, turned < 1 else {
      // One side fades out before the other fades in: two texts are never seen on top of each other.
      box.transform = .identity
      words.opacity = abs(1 - 2 * turned)
      return show(CellRect(size), of: size)
    }
    // Letters that are left out make other words: none stand on its edge.
    box.content = side.bare
    // Seen from its edge it is as thin as a card can be, and still there.
    let narrowed = max(abs(cos(turned * .pi)), 2 / Double(max(2, size.columns)))
    box.transform.flip = turned >= 0.5 ? -acos(narrowed) : acos(narrowed)
    words.opacity = narrowed
    let columns = nearestCell(Double(size.columns) * narrowed)
    let first = nearestCell((Double(size.columns) - Double(columns)) / 2)
    let part = CellRect(column: first + 1, row: 0, columns: max(0, columns - 2), rows: size.rows)
    words.content = side.words.withWholeWords(in: part.column..<part.endColumn)
    show(part, of: size)
  }

  /// Shows so much of the words, which stay where they are.
  private func show(_ part: CellRect, of size: CellSize) {
    window.frame = Rect(part)
    words.frame = Rect(CellRect(size).offset(columns: -part.column))
  }
}
