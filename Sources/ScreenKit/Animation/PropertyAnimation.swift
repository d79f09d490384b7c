import Motion

/// One moving number of one layer: it adds to the model what is still missing of the change.
///
/// Several of one property add up, so that a change of plan bends the way instead of breaking it.
struct PropertyAnimation {
  let property: LayerProperty
  /// The value before, less the value after.
  var change: Double
  /// The part of the animator's fraction in which it runs, both within 0…1.
  let start: Double
  let length: Double
  let animator: Animator

  /// What it adds to the model at an animator's fraction.
  @MainActor func addition(at fraction: Double) -> Double {
    change * (1 - progress(at: fraction))
  }

  /// Whether it follows the animator at a fraction, and does not wait for its part or rest after it.
  func moves(at fraction: Double) -> Bool {
    guard length > 0 else { return false }
    return (start <= 0 || fraction >= start) && (start + length >= 1 || fraction <= start + length)
  }

  /// How far it has come; beyond 0…1 where the animator's curve goes beyond, but only past its own end of it.
  @MainActor func progress(at fraction: Double) -> Double {
    guard length > 0 else { return fraction >= start && fraction > 0 ? 1 : 0 }
    let progress = (fraction - start) / length
    let isFirst = start <= 0
    let isLast = start + length >= 1
    return max(isFirst ? -.infinity : 0, min(isLast ? .infinity : 1, progress))
  }
}
