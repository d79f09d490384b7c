public import TextCanvas

/// The root of a hierarchy of screens: it contains the outermost layer, keeps the time, makes the frames and delivers
/// the input.
///
/// A stage reads no clock. Its time changes only when the program passes a new one, so the same input at the same times
/// results in the same frames.
///
/// A stage that is deallocated stops its transitions without calling screens or completions. If the screens need their
/// disappearance calls, set ``rootScreen`` to `nil` before.
///
/// ```swift
/// let stage = Stage(size: CellSize(columns: 80, rows: 24), rootScreen: stack)
/// stage.handle(.key(KeyEvent(.enter)), at: 12.5)            // starts a push, at 12.5
/// while let due = stage.nextFrameTime {                     // nil: nothing moves, nothing to do
///   show(stage.tick(at: max(due, stage.now + 1.0 / 60)))
/// }
/// ```
@MainActor public final class Stage: StageClock {
  /// The size in columns and rows.
  public private(set) var size: CellSize
  /// The outermost layer, which contains the layers of the root screen and of all presented screens.
  public let layer = Layer()
  /// The root of the visible screens. Setting it to `nil` removes all screens. Running transitions end first.
  public var rootScreen: Screen? {
    didSet { if rootScreen !== oldValue { replaceRoot(oldValue) } }
  }

  /// The layers that receive mouse events until the pressed button is released, from the innermost one.
  var pressedLayers: [Animator.WeakLayer] = []

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - size: The size in columns and rows.
  ///   - rootScreen: The root of the visible screens.
  ///   - now: The initial time in seconds.
  public init(size: CellSize, rootScreen: Screen? = nil, now: Double = 0) {
    self.size = size
    super.init(now: now)
    layer.hostClock = self
    layer.name = "stage"
    layer.clipsToBounds = true
    layer.frame = Rect(CellRect(size))
    self.rootScreen = rootScreen
    replaceRoot(nil)
  }

  // Running transitions are part of reference cycles that nothing else would break. Screens and completions may refer
  // to objects that are already deallocated, so nothing is called.
  isolated deinit {
    if let rootScreen {
      // A screen that is being dismissed leaves the chain during the loop.
      for screen in Array(sequence(first: rootScreen, next: \.presented)) { screen.abandon() }
    }
    layer.abandonAnimators()
    timeline.end()
  }

  /// Advances to a time and makes the frame for it.
  ///
  /// - Parameter time: In seconds. Earlier times count as ``StageClock/now``.
  /// - Returns: The render tree of the frame.
  public func tick(at time: Double) -> RenderNode {
    advance(to: time)
    let node = working {
      layer.layOutIfNeeded()
      return layer.renderNode()
    }
    needsFrame = false
    return node
  }

  /// Changes the size. The progress of running transitions stays the same.
  ///
  /// - Parameters:
  ///   - size: The size in columns and rows.
  ///   - time: The time of the change in seconds, or `nil` for ``StageClock/now``.
  public func resize(to size: CellSize, at time: Double? = nil) {
    if let time { advance(to: time) }
    guard size != self.size else { return }
    self.size = size
    working {
      withoutAnimation {
        layer.frame = Rect(CellRect(size))
        for screen in fullSizeScreens { screen.loadedLayer?.frame = screen.place(in: layer.bounds) }
        layer.layOutIfNeeded()
        for screen in fullSizeScreens { screen.presentationRun?.layOutAgain() }
      }
    }
    needsFrame = true
  }

  /// The root screen and all presented screens, from the lowest to the highest.
  var fullSizeScreens: [Screen] {
    guard let rootScreen else { return [] }
    return Array(sequence(first: rootScreen, next: \.presented))
  }

  private func replaceRoot(_ old: Screen?) {
    working {
      if let old { Stage.release(of: old) }
      for screen in fullSizeScreens { show(screen) }
    }
    needsFrame = true
  }

  /// Ends the transitions of a root screen and of the screens presented on it, and removes all of them.
  private static func release(of root: Screen) {
    for screen in sequence(first: root, next: \.presented) { screen.presentationRun?.completeNow() }
    for screen in sequence(first: root, next: \.presented) where screen.appearance == .appeared {
      screen.beginAppearance(false, animated: false)
      screen.loadedLayer?.removeFromSuperlayer()
      screen.endAppearance()
    }
    for screen in sequence(first: root, next: \.presented) { screen.removeDetachedAnimations() }
  }

  private func show(_ screen: Screen) {
    if screen.presented?.presentationStyle == .fullScreen { return }
    screen.beginAppearance(true, animated: false)
    screen.layer.frame = screen.place(in: layer.bounds)
    layer.add(screen.layer)
    screen.layer.layOutIfNeeded()
    screen.announceAppearing()
    screen.endAppearance()
  }
}

extension Stage {
  /// Delivers an event: a key to the focused screen, a mouse event to the screen under the pointer, and then to the
  /// ancestors of that screen until one handles it. The stage handles a resize itself.
  ///
  /// Transitions never delay input: when one starts, its new screen has the focus.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - time: The time of the event, in seconds of the stage's clock. Transitions that the event starts begin at that
  ///     time. If `nil`, the current time.
  /// - Returns: Whether a screen or a gesture recogniser handled it.
  @discardableResult
  public func handle(_ event: InputEvent, at time: Double? = nil) -> Bool {
    handle(event, at: time) { $0.handle(event) }
  }

  /// Delivers an event along the same path, with a closure instead of ``Screen/handle(_:)``, for example to look up a
  /// command once and offer it to each screen of the path.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - time: The time of the event, in seconds of the stage's clock. If `nil`, the current time.
  ///   - offer: Offers the event to one screen, and returns whether that screen handled it.
  /// - Returns: Whether a screen or a gesture recogniser handled it.
  @discardableResult
  public func handle(_ event: InputEvent, at time: Double? = nil, offering offer: (Screen) -> Bool) -> Bool {
    if let time { advance(to: time) } else { catchUp() }
    return handling {
      switch event {
      case .resize(let size):
        resize(to: size)
        return true
      case .mouse(let mouse):
        return handleMouse(mouse, offering: offer)
      case .key, .paste, .focus:
        return focusedScreen?.ancestry.contains(where: offer) ?? false
      }
    }
  }

  /// Runs a block as the answer to an event: animations that it starts are advanced by ``StageClock/headStart``.
  private func handling<T>(_ body: () -> T) -> T {
    let before = timeline.headStart
    timeline.headStart = max(0, headStart)
    defer { timeline.headStart = before }
    return working(body)
  }

  /// The screen that receives key events: the innermost focused child of the topmost presented screen. `nil` without a
  /// root screen.
  ///
  /// When a transition starts, its new screen has the focus. While a gesture drives the transition, its old screen has
  /// the focus.
  public var focusedScreen: Screen? {
    guard var screen = fullSizeScreens.last(where: { !$0.passesFocus }) ?? rootScreen else { return nil }
    while let child = screen.focusedChild { screen = child }
    return screen
  }

  private func handleMouse(_ event: MouseEvent, offering offer: (Screen) -> Bool) -> Bool {
    let point = Point(x: Double(event.position.column) + 0.5, y: Double(event.position.row) + 0.5)
    var path = hitTest(point).map { Array(sequence(first: $0, next: \.superlayer)) } ?? []
    switch event.action {
    case .drag, .release:
      // The pressed layer may have been removed. The layers that contained it still receive the drag.
      let remaining = pressedLayers.compactMap(\.layer).filter { $0.stage === self }
      if !remaining.isEmpty { path = remaining }
    case .press: pressedLayers = path.map(Animator.WeakLayer.init)
    default: break
    }
    if case .release = event.action { pressedLayers = [] }

    var isTaken = false
    for layer in path {
      for recogniser in layer.recognisers where recogniser.handle(event, at: now) { isTaken = true }
      if isTaken { return true }
    }
    let screen = path.lazy.compactMap { $0.owner as? Screen }.first ?? focusedScreen
    return screen?.ancestry.contains(where: offer) ?? false
  }

  /// Returns the innermost visible layer at a point of the stage, according to the presentation, or `nil` if there is
  /// none.
  ///
  /// - Parameter point: The point in cells.
  public func hitTest(_ point: Point) -> Layer? {
    layer.hitTest(point)
  }
}
