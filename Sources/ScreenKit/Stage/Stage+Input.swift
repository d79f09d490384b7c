public import TextCanvas

extension Stage {
  /// Hands an event to the one it is for: a key to the focused screen, the mouse to what is seen under it; what they do
  /// not answer goes on to their parents. A resize is done here.
  ///
  /// Transitions never hold input back: from the moment one begins, the screen it leads to has the focus.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - time: When, in seconds; what the event begins, begins then. Nil is now.
  /// - Returns: Whether somebody answered it.
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
  public var focusedScreen: Screen? {
    guard var screen = fullSizeScreens.last(where: { !$0.passesFocus }) ?? rootScreen else { return nil }
    while let child = screen.focusedChild { screen = child }
    return screen
  }

  private func handleMouse(_ event: MouseEvent) -> Bool {
    let point = Point(x: Double(event.position.column) + 0.5, y: Double(event.position.row) + 0.5)
    let target: Layer?
    switch event.action {
    case .drag, .release: target = grabbed ?? hitTest(point)
    default: target = hitTest(point)
    }
    if case .press = event.action { grabbed = target }
    if case .release = event.action { grabbed = nil }

    guard let target else { return focusedScreen?.offer(.mouse(event)) ?? false }
    var isTaken = false
    for layer in sequence(first: target, next: \.superlayer) {
      for recogniser in layer.recognisers where recogniser.handle(event, at: now) { isTaken = true }
      if isTaken { return true }
    }
    let screen = sequence(first: target, next: \.superlayer).lazy.compactMap(\.owner).first
    return (screen ?? focusedScreen)?.offer(.mouse(event)) ?? false
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
