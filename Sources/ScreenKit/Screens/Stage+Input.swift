public import TextCanvas

extension Stage {
  /// Hands an event to the one it is for: a key to the focused screen, the mouse to what is seen under it; what they do
  /// not answer is handed to their parents. A resize is done here.
  ///
  /// Transitions never hold input back: from the moment one begins, the screen it leads to has the focus.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - time: When, in seconds; what the event begins, begins then. Nil is now.
  /// - Returns: Whether a screen or a recogniser answered it.
  @discardableResult
  public func handle(_ event: InputEvent, at time: Double? = nil) -> Bool {
    if let time { advance(to: time) } else { catchUp() }
    return answering {
      switch event {
      case .resize(let size):
        resize(to: size)
        return true
      case .mouse(let mouse):
        return handleMouse(mouse)
      case .key, .paste, .focus:
        return focusedScreen?.offer(event) ?? false
      }
    }
  }

  /// Runs a block as the answer to an event: what it begins has ``headStart`` behind it.
  private func answering<T>(_ body: () -> T) -> T {
    let before = timeline.headStart
    timeline.headStart = max(0, headStart)
    defer { timeline.headStart = before }
    return working(body)
  }

  /// The screen that receives keys: the innermost one of those shown, on the highest presented screen.
  var focusedScreen: Screen? {
    guard var screen = fullSizeScreens.last(where: { !$0.passesFocus }) ?? rootScreen else { return nil }
    while let child = screen.focusedChild { screen = child }
    return screen
  }

  private func handleMouse(_ event: MouseEvent) -> Bool {
    let point = Point(x: Double(event.position.column) + 0.5, y: Double(event.position.row) + 0.5)
    var path = hitTest(point).map { Array(sequence(first: $0, next: \.superlayer)) } ?? []
    switch event.action {
    case .drag, .release:
      // What was pressed may be gone by now; whatever it lay in still follows the hand.
      let rest = grabbed.compactMap(\.layer).filter { $0.stage === self }
      if !rest.isEmpty { path = rest }
    case .press: grabbed = path.map(Animator.WeakLayer.init)
    default: break
    }
    if case .release = event.action { grabbed = [] }

    var isTaken = false
    for layer in path {
      for recogniser in layer.recognisers where recogniser.handle(event, at: now) { isTaken = true }
      if isTaken { return true }
    }
    return (path.lazy.compactMap { $0.owner as? Screen }.first ?? focusedScreen)?.offer(.mouse(event)) ?? false
  }

  /// The innermost layer that is seen at a place of the stage, by what is presented now.
  public func hitTest(_ point: Point) -> Layer? {
    layer.hitTest(point)
  }
}

extension Screen {
  /// Offers an event to the screen, then to its parents.
  func offer(_ event: InputEvent) -> Bool {
    for screen in sequence(first: self, next: \.parent) where screen.handle(event) { return true }
    return false
  }
}
