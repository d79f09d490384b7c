public import TextCanvas

extension Layer {
  /// What is seen of it now: the model, and what its animations add to it.
  public var presentation: LayerState {
    guard !animations.isEmpty || !settlings.isEmpty else { return model }
    var state = model
    for animation in animations {
      state[animation.property] += animation.addition(at: animation.animator.fraction)
    }
    for settling in settlings { state[settling.property] += settling.addition }
    state.opacity = max(0, min(1, state.opacity))
    state.frame.width = max(0, state.frame.width)
    state.frame.height = max(0, state.frame.height)
    return state
  }

  /// How fast a number of it changes now, in its units a second.
  public func velocity(of property: LayerProperty) -> Double {
    var sum = 0.0
    for animation in animations where animation.property == property {
      guard animation.moves(at: animation.animator.fraction) else { continue }
      sum -= animation.change / animation.length * animation.animator.velocity
    }
    for settling in settlings where settling.property == property { sum += settling.velocity }
    return sum
  }

  /// Whether anything of it moves.
  public var isAnimating: Bool { !animations.isEmpty || !settlings.isEmpty }

  /// Takes away everything that still moves on it: it is seen as its model says.
  ///
  /// An animation that moved nothing else is over at once, and its completions get `false`; one that moves other layers too
  /// still moves those.
  public func removeAllAnimations() {
    let moving = animations
    animations = []
    for settling in settlings { settling.stop() }
    setNeedsFrame()
    for animation in moving { animation.animator.forget(self) }
  }

  /// Lets go of what moves it and everything in it, also of what is only held; no completion is called.
  func abandonAnimators() {
    for animation in animations { animation.animator.abandon() }
    for sublayer in sublayers { sublayer.abandonAnimators() }
  }

  /// Where it is seen in the coordinates of another layer of the same tree, or of the outermost one.
  ///
  /// Scaling and turning of the layers on the way are left out.
  public func presentedFrame(in other: Layer? = nil) -> Rect {
    let state = presentation
    var rect = state.frame
    rect.x += state.transform.translation.x
    rect.y += state.transform.translation.y
    var next = superlayer
    while let layer = next, layer !== other {
      let outer = layer.presentation
      rect.x += outer.frame.x + outer.transform.translation.x
      rect.y += outer.frame.y + outer.transform.translation.y
      next = layer.superlayer
    }
    return rect
  }
}
