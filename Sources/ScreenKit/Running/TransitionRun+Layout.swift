public import TextCanvas

extension TransitionRun {
  /// Lays out both ends again where the container has another size; the fraction stays.
  func layOutAgain() {
    guard phase == .running, plan.restoresLayers else { return }
    let (old, new) = (frames, plan.arrange())
    guard new != old, old.toFinal.width > 0, old.toFinal.height > 0 else { return }
    let columns = new.toFinal.width / old.toFinal.width
    let rows = new.toFinal.height / old.toFinal.height
    frames = new
    withoutAnimation {
      for layer in plan.container.sublayers where !furniture.contains(where: { $0 === layer }) {
        let isScreen = layer === plan.from.layer || layer === plan.to.layer
        layer.stretch(columns: columns, rows: rows, keepingFrame: isScreen)
      }
      for settling in carried { settling.stretch(columns: columns, rows: rows) }
      plan.to.layer.frame = frames.toFinal
      plan.from.layer.frame = frames.fromInitial
      plan.container.layOutIfNeeded()
      animator?.containerDidResize(using: self)
    }
  }
}

extension Rect {
  func scaled(columns: Double, rows: Double) -> Rect {
    Rect(x: x * columns, y: y * rows, width: width * columns, height: height * rows)
  }
}

extension LayerProperty {
  /// By how much its values change when their container is stretched.
  func stretch(columns: Double, rows: Double) -> Double {
    switch self {
    case .x, .width, .translationX: columns
    case .y, .height, .translationY: rows
    default: 1
    }
  }
}

extension Layer {
  /// Fits the layer and the ends of its animations to a container that was stretched.
  func stretch(columns: Double, rows: Double, keepingFrame: Bool) {
    if !keepingFrame { frame = frame.scaled(columns: columns, rows: rows) }
    offset = Point(x: offset.x * columns, y: offset.y * rows)
    for index in animations.indices {
      animations[index].change *= animations[index].property.stretch(columns: columns, rows: rows)
    }
  }

  /// Gives a property that is being animated other ends; how far it has come stays. For animators, when their container
  /// was resized.
  ///
  /// Where several animations move the property, they become one, the last.
  ///
  /// - Parameters:
  ///   - property: What moves.
  ///   - start: Its value at the beginning.
  ///   - end: Its value at the end.
  public func redirect(_ property: LayerProperty, from start: Double, to end: Double) {
    withoutAnimation { set(property, to: end) }
    guard let last = animations.lastIndex(where: { $0.property == property }) else { return }
    animations[last].change = start - end
    let kept = animations[last].animator
    animations = animations.enumerated().filter { $0.offset == last || $0.element.property != property }.map(\.element)
    kept.adopt(self)
    setNeedsFrame()
  }

  /// Gives the frame other ends; see ``redirect(_:from:to:)``.
  public func redirectFrame(from start: Rect, to end: Rect) {
    redirect(.x, from: start.x, to: end.x)
    redirect(.y, from: start.y, to: end.y)
    redirect(.width, from: start.width, to: end.width)
    redirect(.height, from: start.height, to: end.height)
  }
}
