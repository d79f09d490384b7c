public import TextCanvas

extension TransitionRun {
  /// Updates the frames of both screens if the size of the container has changed. The progress stays the same.
  func layOutAgain() {
    guard phase == .running, plan.restoresLayers else { return }
    let (old, new) = (frames, plan.arrange())
    guard new != old, old.toFinal.width > 0, old.toFinal.height > 0 else { return }
    let columns = new.toFinal.width / old.toFinal.width
    let rows = new.toFinal.height / old.toFinal.height
    frames = new
    withoutAnimation {
      for layer in plan.container.sublayers where !existingLayers.contains(where: { $0 === layer }) {
        let isScreen = layer === plan.from.layer || layer === plan.to.layer
        layer.stretch(columns: columns, rows: rows, keepingFrame: isScreen)
      }
      for spring in residualAnimations { spring.stretch(columns: columns, rows: rows) }
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
  /// Returns the factor for the property's values if the container is resized by the given factors.
  func stretch(columns: Double, rows: Double) -> Double {
    switch self {
    case .x, .width, .translationX: columns
    case .y, .height, .translationY: rows
    default: 1
    }
  }
}

extension Layer {
  /// Scales the layer and the ends of its animations with the container.
  func stretch(columns: Double, rows: Double, keepingFrame: Bool) {
    if !keepingFrame { frame = frame.scaled(columns: columns, rows: rows) }
    offset = Point(x: offset.x * columns, y: offset.y * rows)
    for index in animations.indices {
      animations[index].change *= animations[index].property.stretch(columns: columns, rows: rows)
    }
  }

  /// Changes the start and end of an animated property. The progress stays the same. Animators call it after a resize
  /// of the container.
  ///
  /// If several animations move the property, they are replaced by the last one.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - start: Its value at the start of the animation.
  ///   - end: Its value at the end of the animation, which the model gets immediately.
  public func redirect(_ property: LayerProperty, from start: Double, to end: Double) {
    withoutAnimation { set(property, to: end) }
    guard let last = animations.lastIndex(where: { $0.property == property }) else { return }
    animations[last].change = start - end
    let animator = animations[last].animator
    animations = animations.enumerated().filter { $0.offset == last || $0.element.property != property }.map(\.element)
    animator.adopt(self)
    setNeedsFrame()
  }

  /// Changes the start and end of an animated frame. See ``redirect(_:from:to:)``.
  ///
  /// - Parameters:
  ///   - start: The frame at the start of the animation.
  ///   - end: The frame at the end of the animation, which the model gets immediately.
  public func redirectFrame(from start: Rect, to end: Rect) {
    redirect(.x, from: start.x, to: end.x)
    redirect(.y, from: start.y, to: end.y)
    redirect(.width, from: start.width, to: end.width)
    redirect(.height, from: start.height, to: end.height)
  }
}
