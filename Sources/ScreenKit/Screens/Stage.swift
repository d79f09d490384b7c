public import TextCanvas

/// Where screens are seen: it holds the outermost layer, keeps the time, makes the frames and hands out the input.
///
/// A stage that is dropped cuts off what runs on it without a call; set ``rootScreen`` nil before, and the screens
/// hear that they disappear.
///
/// A stage reads no clock. Time is what it is told, and between two tellings it stands still; so the same inputs at the
/// same times give the same frames.
///
/// ```swift
/// let stage = Stage(size: CellSize(columns: 80, rows: 24), rootScreen: stack)
/// stage.handle(.key(KeyEvent(.enter)), at: 12.5)            // starts a push, at 12.5
/// while let due = stage.nextFrameTime {                     // nil: nothing moves, nothing to do
///   show(stage.tick(at: max(due, stage.now + 1.0 / 60)))
/// }
/// ```
@MainActor public final class Stage: StageClock {
  /// Columns and rows.
  public private(set) var size: CellSize
  /// The outermost layer; the layers of the root screen and of presented screens are in it.
  public let layer = Layer()
  /// The screen that is seen, with what it contains and presents. Set it nil to let go of everything, also in
  /// mid-flight: what runs comes to its end first.
  public var rootScreen: Screen? {
    didSet { if rootScreen !== oldValue { replaceRoot(oldValue) } }
  }

  /// The layers that a pressed mouse button belongs to until it is released, from the innermost.
  var grabbed: [Animator.WeakLayer] = []

  /// Makes a stage.
  ///
  /// - Parameters:
  ///   - size: Columns and rows.
  ///   - rootScreen: The screen that is seen.
  ///   - now: The time it begins with, in seconds.
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

  // What runs refers to itself in circles; without a stage nothing else would cut them. What screens and completions
  // would call may be gone too, so nothing is called.
  isolated deinit {
    if let rootScreen {
      // A screen that is being dismissed leaves the chain meanwhile.
      for screen in Array(sequence(first: rootScreen, next: \.presented)) { screen.abandon() }
    }
    layer.abandonAnimators()
    timeline.end()
  }

  /// Advances to a time, and makes the frame for it.
  ///
  /// - Parameter time: In seconds; a time in the past counts as now.
  /// - Returns: What is seen then.
  public func tick(at time: Double) -> RenderNode {
    advance(to: time)
    let node = working {
      layer.layOutIfNeeded()
      return layer.renderNode()
    }
    needsFrame = false
    return node
  }

  /// Changes the size. What moves stays as far as it has come.
  ///
  /// - Parameters:
  ///   - size: Columns and rows.
  ///   - time: In seconds; nil is now.
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

  /// The root screen and everything presented on it, from the lowest to the highest.
  var fullSizeScreens: [Screen] {
    guard let rootScreen else { return [] }
    return Array(sequence(first: rootScreen, next: \.presented))
  }

  private func replaceRoot(_ old: Screen?) {
    working {
      if let old { Stage.letGo(of: old) }
      for screen in fullSizeScreens { show(screen) }
    }
    needsFrame = true
  }

  /// Brings what runs in a root and on it to its end, and takes all of it away.
  private static func letGo(of root: Screen) {
    for screen in sequence(first: root, next: \.presented) { screen.presentationRun?.settleNow() }
    for screen in sequence(first: root, next: \.presented) where screen.appearance == .appeared {
      screen.beginAppearance(false, animated: false)
      screen.loadedLayer?.removeFromSuperlayer()
      screen.endAppearance()
    }
    for screen in sequence(first: root, next: \.presented) { screen.dropLooseMotion() }
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
  /// Transitions never delay input: when one begins, the screen that it leads to has the focus.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - time: When it happened, in seconds of the stage's clock; transitions that it starts begin then. `nil` is now.
  /// - Returns: Whether a screen or a gesture recogniser handled it.
  @discardableResult
  public func handle(_ event: InputEvent, at time: Double? = nil) -> Bool {
    handle(event, at: time) { $0.handle(event) }
  }

  /// Delivers an event along the same path, with a closure in place of ``Screen/handle(_:)``, for example to look up a
  /// command once and offer it to each screen of the path.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - time: When it happened, in seconds of the stage's clock. `nil` is now.
  ///   - offer: Offers the event to one screen, and returns whether that screen handled it.
  /// - Returns: Whether a screen or a gesture recogniser handled it.
  @discardableResult
  public func handle(_ event: InputEvent, at time: Double? = nil, offering offer: (Screen) -> Bool) -> Bool {
    if let time { advance(to: time) } else { catchUp() }
    return answering {
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

  /// Runs a block as the answer to an event: what it begins has ``headStart`` behind it.
  private func answering<T>(_ body: () -> T) -> T {
    let before = timeline.headStart
    timeline.headStart = max(0, headStart)
    defer { timeline.headStart = before }
    return working(body)
  }

  /// The screen that receives keys: the innermost focused child of the highest presented screen. `nil` without a root screen.
  ///
  /// When a transition begins, the screen that it leads to has the focus; while a gesture drives the transition, the screen
  /// that it comes from.
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
    let screen = path.lazy.compactMap { $0.owner as? Screen }.first ?? focusedScreen
    return screen?.ancestry.contains(where: offer) ?? false
  }

  /// The innermost layer that is seen at a place of the stage, by what is presented now.
  public func hitTest(_ point: Point) -> Layer? {
    layer.hitTest(point)
  }
}
