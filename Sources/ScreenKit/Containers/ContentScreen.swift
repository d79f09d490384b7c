public import TextCanvas

/// A container that shows one screen, which can be replaced.
@MainActor open class ContentScreen: Screen {
  private var current: Screen
  /// The margin around the content: columns on each side, rows above and below.
  public var contentInset: CellSize {
    didSet { loadedLayer?.setNeedsLayout() }
  }

  /// Creates a container that shows a screen.
  ///
  /// - Parameters:
  ///   - content: The first content.
  ///   - contentInset: The margin: columns on each side, rows above and below.
  ///   - title: The title of the container.
  public init(_ content: Screen, contentInset: CellSize = .zero, title: String = "") {
    current = content
    self.contentInset = contentInset
    super.init(title: title)
    addChild(content)
    content.didMove(to: self)
  }

  /// The current content. Setting it replaces the content without animation.
  public var content: Screen {
    get { current }
    set { set(newValue, animated: false) }
  }

  open override var focusedChild: Screen? { current }
  open override var shownChildren: [Screen] { [current] }

  override func holds(_ child: Screen) -> Bool { child === current }

  open override func didLoad() {
    layer.clipsToBounds = true
    layer.add(current.layer)
  }

  /// The frame of the content, in the coordinates of this screen's layer.
  var contentFrame: Rect {
    let columns = Double(contentInset.columns)
    let rows = Double(contentInset.rows)
    let bounds = layer.bounds
    return Rect(
      x: columns, y: rows, width: max(0, bounds.width - 2 * columns), height: max(0, bounds.height - 2 * rows))
  }

  open override func layOut(in size: Size) {
    for child in children where child.loadedLayer?.superlayer === layer { child.layer.frame = contentFrame }
  }

  /// Replaces the content.
  ///
  /// - Parameters:
  ///   - content: The screen to show.
  ///   - animated: Whether the transition is animated.
  /// - Returns: The transition, or `nil` if the screen is already shown or cannot be contained. A screen that
  ///   cannot be contained is reported as a ``ScreenIssue``.
  @discardableResult
  public func set(_ content: Screen, animated: Bool) -> Transition? {
    replace(with: content, animated: animated) { CrossFadeTransition() }
  }

  /// Replaces the content with a cross-fade, or with the animator of the provider, if it returns one.
  ///
  /// - Parameters:
  ///   - content: The screen to show.
  ///   - duration: Seconds. If `nil` or 0, the content is replaced immediately.
  /// - Returns: The transition, or `nil` if the screen is already shown or cannot be contained. A screen that
  ///   cannot be contained is reported as a ``ScreenIssue``.
  @discardableResult
  public func set(_ content: Screen, animationDuration duration: Double?) -> Transition? {
    let duration = duration ?? 0
    return replace(with: content, animated: duration > 0) { CrossFadeTransition(duration: duration, curve: .easeOut) }
  }

  private func replace(
    with content: Screen, animated: Bool, by animator: @escaping @MainActor () -> any AnimatedTransitioning
  ) -> Transition? {
    guard content !== current else { return nil }
    do {
      return try transition(
        from: current, to: content, operation: .replace, animated: animated, in: layer,
        frame: { [unowned self] in contentFrame }, by: animator
      ) { [unowned self] in current = $0 }
    } catch {
      ScreenIssue.refused(error).report(on: stage)
      return nil
    }
  }
}
