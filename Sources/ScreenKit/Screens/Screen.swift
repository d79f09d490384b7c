public import TextCanvas

/// A screen of an application: it has a layer, is part of a hierarchy of screens, appears and disappears, and handles
/// input.
///
/// Subclass it, add your content to ``layer`` in ``didLoad()``, set its frames in ``layOut(in:)``, and handle input in
/// ``handle(_:)``. Containers (``StackScreen``, ``TabScreen``, ``ContentScreen``, or one of your own) show one screen
/// after another. A screen gets balanced calls of ``willAppear(animated:)``, ``didAppear(animated:)``,
/// ``willDisappear(animated:)`` and ``didDisappear(animated:)``, even if transitions are cancelled or interrupted.
@MainActor open class Screen {
  /// The title of the screen, for headings and messages.
  public var title: String

  /// The container of the screen.
  public private(set) weak var parent: Screen?
  /// The screens that this one contains, in the order in which they were added.
  public private(set) var children: [Screen] = []
  /// The state of the screen's appearance.
  public internal(set) var appearance = AppearanceState.disappeared

  /// Provides the controllers of transitions: for a container, its own transitions; for any screen, its presentation
  /// and dismissal. Held weakly, so keep a strong reference to it.
  public weak var transitions: (any TransitionProvider)? {
    didSet { hasProvider = transitions != nil }
  }
  /// The relation to the presenter when this screen is presented.
  public var presentationStyle = PresentationStyle.fullScreen
  /// The screen that this screen itself presents. ``presented`` can be that of an ancestor.
  private var ownPresented: Screen?
  /// The presenter of this screen.
  public internal(set) weak var presenting: Screen?
  /// Whether the transition that presents this screen is running.
  public internal(set) var isBeingPresented = false
  /// Whether the transition that dismisses this screen is running.
  public internal(set) var isBeingDismissed = false

  /// Returns whether the container lists a child as one of its screens. Only the container itself may remove such a
  /// child.
  func holds(_ child: Screen) -> Bool { false }

  var loadedLayer: Layer?
  private var isAppearanceAnimated = false
  /// Whether the screen's layer is being removed without a preceding appearance call.
  private var leavesInteractively = false
  var run: TransitionRun?
  var presentationRun: TransitionRun?
  let operations = OperationQueue()
  /// The animations of ended transitions in this screen, and of ended presentations on it.
  var detachedAnimation: DetachedAnimation?
  var detachedModalAnimation: DetachedAnimation?
  /// The parent that was last passed to `didMove(to:)`.
  weak var reportedParent: Screen?
  /// Identifies the content of the screen, for programs that address screens by their content.
  public var route: AnyHashable?

  /// Whether key events go to the screen below, although this screen is presented.
  var passesFocus = false
  /// Layers that a transition left hidden because its stage was deallocated. They are shown when the screen appears
  /// again.
  var hiddenOriginals: [HiddenOriginals] = []

  /// The screen that requested the presentation of this one.
  private weak var presentationSource: Screen?

  /// Whether a provider was set, and its deallocation has not been reported yet.
  private var hasProvider = false

  /// Creates a screen.
  ///
  /// - Parameter title: The title, for headings and messages.
  public init(title: String = "") {
    self.title = title
  }

  /// Creates the screen's layer. Called when the layer is first needed.
  open func makeLayer() -> Layer {
    Layer()
  }

  /// Called once after the layer was created. Add sublayers here.
  open func didLoad() {}

  /// Sets the frames of the layer's content. Called after each change of its size, within the animation that changed
  /// it.
  ///
  /// - Parameter size: The size of the layer in cells.
  open func layOut(in size: Size) {}

  /// Called before the screen appears.
  ///
  /// - Parameter animated: Whether the transition is animated.
  open func willAppear(animated: Bool) {}
  /// Called when the screen's layer is in the layer tree with its final frame, before the first frame is drawn.
  ///
  /// - Parameter animated: Whether the transition is animated.
  open func isAppearing(animated: Bool) {}
  /// Called when the screen has appeared.
  ///
  /// - Parameter animated: Whether the transition was animated.
  open func didAppear(animated: Bool) {}
  /// Called before the screen disappears. If that is cancelled, `willAppear` follows without `didDisappear`.
  ///
  /// - Parameter animated: Whether the transition is animated.
  open func willDisappear(animated: Bool) {}
  /// Called when the screen has disappeared.
  ///
  /// - Parameter animated: Whether the transition was animated.
  open func didDisappear(animated: Bool) {}

  /// Called before the parent changes.
  ///
  /// - Parameter parent: The new parent, or `nil` if the screen is being removed.
  open func willMove(to parent: Screen?) {}
  /// Called when the parent has changed and the transition has ended. Overriding methods must call `super`.
  ///
  /// - Parameter parent: The new parent, or `nil` if the screen was removed.
  open func didMove(to parent: Screen?) {
    reportedParent = parent
  }

  /// Returns the frame of the screen if it is presented in the custom style. By default all of the bounds. With a
  /// smaller frame, the presenter is visible around it.
  ///
  /// - Parameter bounds: The bounds of the stage in cells.
  open func presentationFrame(in bounds: Rect) -> Rect { bounds }

  /// Handles an input event. An event that is not handled is passed to the parent.
  ///
  /// - Parameter event: The event.
  /// - Returns: Whether the event was handled.
  open func handle(_ event: InputEvent) -> Bool { false }

  /// The child that receives input before this screen does. Containers return the visible child.
  open var focusedChild: Screen? { nil }

  /// The children whose appearance follows that of this screen. By default the children whose layers are in its layer.
  open var shownChildren: [Screen] {
    guard let loadedLayer else { return [] }
    return children.filter { child in child.loadedLayer.map { loadedLayer.contains($0) } ?? false }
  }
}

extension Screen {
  /// The screen's layer. It is created on first access.
  public var layer: Layer {
    if let loadedLayer { return loadedLayer }
    let layer = makeLayer()
    layer.owner = self
    if layer.name.isEmpty { layer.name = title }
    loadedLayer = layer
    didLoad()
    return layer
  }

  /// Whether the layer was created.
  public var isLayerLoaded: Bool { loadedLayer != nil }

  /// The stage that shows the screen, or `nil`.
  public var stage: Stage? { loadedLayer?.stage as? Stage }

  /// Returns the provider of controllers. If the provider was deallocated, reports this once.
  func liveProvider() -> (any TransitionProvider)? {
    if transitions == nil, hasProvider {
      hasProvider = false
      ScreenIssue.providerReleased(screen: label).report(on: stage ?? parent?.stage)
    }
    return transitions
  }

  /// The screen that this screen or one of its ancestors presents.
  public var presented: Screen? { ancestry.lazy.compactMap(\.ownPresented).first }

  /// The name of the screen in messages.
  var label: String { title.isEmpty ? String(describing: type(of: self)) : title }

  /// The screen, its parent, its parent's parent, and so on.
  var ancestry: [Screen] { Array(sequence(first: self, next: \.parent)) }

  /// The outermost ancestor, or the screen itself if it has no parent.
  public var root: Screen { ancestry[ancestry.count - 1] }

  /// Adds a child and calls its `willMove(to:)`. Call its `didMove(to:)` at the end of the transition, or immediately
  /// if there is none.
  ///
  /// A screen that contains this one, or that another container lists, cannot become a child. This is reported and has
  /// no effect.
  public func addChild(_ child: Screen) {
    guard child.parent !== self else { return }
    if let error = refusal(of: child) { return ScreenIssue.refused(error).report(on: stage) }
    child.removeFromParent()
    child.willMove(to: self)
    child.reportedParent = nil
    child.parent = self
    children.append(child)
  }

  /// Removes the screen from its parent and calls its `didMove(to: nil)`. Call its `willMove(to: nil)` before. Has no
  /// effect without a parent.
  ///
  /// A screen that a stack, tab or content screen lists can only be removed by that container. This is reported and has
  /// no effect.
  public func removeFromParent() {
    guard let parent else { return }
    if parent.holds(self) {
      let error = ContainmentError.ownedByContainer(screen: label, container: parent.label)
      return ScreenIssue.refused(error).report(on: parent.stage)
    }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    didMove(to: nil)
  }

  /// Returns the reason why a screen cannot become a child, or `nil` if it can.
  func refusal(of child: Screen) -> ContainmentError? {
    if ancestry.contains(where: { $0 === child }) {
      return .containsItself(screen: child.label, container: label)
    }
    if let other = child.parent, other !== self, other.holds(child) {
      return .ownedByContainer(screen: child.label, container: other.label)
    }
    if child.presenting != nil {
      return .presented(screen: child.label, container: label)
    }
    return nil
  }

  /// Replaces children without notifying them.
  func replaceChildren(_ staying: [Screen], replacing leaving: [Screen]) {
    for child in leaving where child.parent === self {
      child.parent = nil
      child.reportedParent = nil
    }
    for child in staying where child.parent == nil || child.parent === self {
      child.parent = self
      child.reportedParent = self
    }
    children.removeAll { child in child.parent !== self }
    arrangeChildren(staying.filter { $0.parent === self })
  }

  /// Changes the order of the children.
  func arrangeChildren(_ order: [Screen]) {
    children = order + children.filter { child in !order.contains { $0 === child } }
  }

  /// Starts the appearance or disappearance of the screen and its shown children. Called by containers.
  ///
  /// If the opposite is in progress, that is cancelled. A call that is invalid in the current state is reported and has
  /// no effect.
  ///
  /// - Parameters:
  ///   - appearing: Whether the screen appears. If `false`, it disappears.
  ///   - animated: Whether the transition is animated. Passed on to the screen.
  public func beginAppearance(_ appearing: Bool, animated: Bool) {
    switch (appearance, appearing) {
    case (.disappeared, true), (.disappearing, true):
      _ = layer
      for originals in hiddenOriginals { originals.show() }
      hiddenOriginals = []
      appearance = .appearing
      isAppearanceAnimated = animated
      willAppear(animated: animated)
    case (.appeared, false), (.appearing, false):
      finishRunningTransitions(animated: animated)
      appearance = .disappearing
      isAppearanceAnimated = animated
      willDisappear(animated: animated)
    default:
      reportUnbalanced(appearing ? .beginAppearing : .beginDisappearing)
      return
    }
    for child in shownChildren where child.canBegin(appearing) {
      child.beginAppearance(appearing, animated: animated)
    }
  }

  /// Ends the appearance or disappearance that ``beginAppearance(_:animated:)`` started.
  public func endAppearance() {
    switch appearance {
    case .appearing:
      appearance = .appeared
      didAppear(animated: isAppearanceAnimated)
    case .disappearing:
      appearance = .disappeared
      didDisappear(animated: isAppearanceAnimated)
    case .appeared, .disappeared:
      reportUnbalanced(.end)
      return
    }
    for child in shownChildren where child.appearance == .appearing || child.appearance == .disappearing {
      if run?.involves(child) == true { continue }
      child.endAppearance()
    }
  }

  /// Notifies the screen and its shown children that their layers are in the layer tree with their final frames.
  func announceAppearing() {
    guard appearance == .appearing else { return }
    isAppearing(animated: isAppearanceAnimated)
    for child in shownChildren { child.announceAppearing() }
  }

  private func canBegin(_ appearing: Bool) -> Bool {
    appearing
      ? appearance == .disappeared || appearance == .disappearing : appearance == .appeared || appearance == .appearing
  }

  private func reportUnbalanced(_ call: AppearanceCall) {
    ScreenIssue.unbalancedAppearance(screen: label, state: appearance, call: call).report(on: stage ?? parent?.stage)
  }

  /// Removes the screen and its children from a deallocated stage, without notifying them.
  func abandon() {
    let allChildren = children
    for run in runs { run.abandon() }
    removeDetachedAnimations()
    appearance = .disappeared
    for child in allChildren { child.abandon() }
  }
}

// The notifications that a screen receives from its layer.
extension Screen: LayerOwner {
  func layerDidLayOut() {
    layOut(in: layer.bounds.size)
    run?.layOutAgain()
    detachedAnimation?.containerWasLaidOut()
  }

  /// If a layer is added directly to a parent that has appeared, its screen appears, unless the container makes these
  /// calls.
  func layerDidEnter(_ stage: StageClock?) {
    guard stage != nil, let parent, parent.appearance == .appeared, appearance == .disappeared else { return }
    beginAppearance(true, animated: false)
    announceAppearing()
    endAppearance()
  }

  func layerWillLeave(_ stage: StageClock?) {
    guard stage != nil, parent != nil, appearance == .appeared else { return }
    leavesInteractively = true
    beginAppearance(false, animated: false)
  }

  func layerDidLeave(_ stage: StageClock?) {
    guard leavesInteractively else { return }
    leavesInteractively = false
    endAppearance()
  }
}

/// The state of a screen's appearance.
public enum AppearanceState: Hashable, Sendable, CustomStringConvertible {
  /// The screen is not visible.
  case disappeared
  /// The transition that shows the screen is running.
  case appearing
  /// The screen is visible.
  case appeared
  /// The transition that removes the screen is running.
  case disappearing

  /// The state as part of an error message.
  public var description: String {
    switch self {
    case .disappeared: "not shown"
    case .appearing: "appearing"
    case .appeared: "shown"
    case .disappearing: "disappearing"
    }
  }
}

extension Screen {
  /// Presents a screen over all others.
  ///
  /// The presenter is the outermost ancestor of this screen; the provider gets this screen as `from`. The
  /// ``transitions`` of the *presented* screen provide the controllers. Its ``presentationStyle`` determines whether
  /// the presenter stays visible.
  ///
  /// - Parameters:
  ///   - screen: The screen to present.
  ///   - animated: Whether the transition is animated.
  /// - Returns: The transition.
  /// - Throws: `ContainmentError.alreadyPresenting` if the presenter or the given screen presents another one;
  ///   `ContainmentError.alreadyShown`.
  @discardableResult
  public func present(_ screen: Screen, animated: Bool) throws(ContainmentError) -> Transition {
    let presenter = root
    if let current = presenter.presented, !current.isBeingDismissed {
      throw .alreadyPresenting(screen: presenter.label, presented: current.label)
    }
    let isBelow = sequence(first: presenter, next: \.presenting).contains { $0 === screen }
    guard screen.parent == nil, !isBelow, screen.isBeingDismissed || screen.presenting == nil && screen.stage == nil
    else {
      throw .alreadyShown(screen: screen.label)
    }
    if let upper = screen.presented {
      throw .alreadyPresenting(screen: screen.label, presented: upper.label)
    }
    let handle = Transition(.present, from: presenter, to: screen)
    let wasVisible = presenter.stage != nil
    presenter.outermostPresenter.operations.perform {
      presenter.replaceRunning(isPresentation: true) {
        // The interrupted transition may have removed the presenter itself.
        if wasVisible, presenter.stage == nil {
          handle.end(.skipped(.superseded))
          return nil
        }
        return presenter.beginPresenting(screen, from: self, handle: handle, animated: animated)
      }
    }
    return handle
  }

  /// Dismisses the screen that this screen presents, with all screens presented on top of it. If it presents none but
  /// is itself presented or is inside a presented screen, dismisses that screen.
  ///
  /// - Parameter animated: Whether the transition is animated.
  /// - Returns: The transition, or `nil` if there is no screen to dismiss.
  @discardableResult
  public func dismiss(animated: Bool) -> Transition? {
    let presenter: Screen
    if root.presented != nil {
      presenter = root
    } else if let presentingScreen = root.presenting {
      presenter = presentingScreen
    } else {
      return nil
    }
    guard let screen = presenter.presented, !screen.isBeingDismissed else { return nil }
    let handle = Transition(.dismiss, from: screen, to: presenter)
    presenter.outermostPresenter.operations.perform {
      presenter.replaceRunning(isPresentation: true) {
        presenter.beginDismissing(screen, handle: handle, animated: animated)
      }
    }
    return handle
  }

  private func beginPresenting(
    _ screen: Screen, from source: Screen, handle: Transition, animated: Bool
  ) -> TransitionRun? {
    guard presented == nil, screen.presenting == nil else {
      handle.end(.skipped(.superseded))
      return nil
    }
    let keeps = screen.presentationStyle == .custom
    let container = loadedLayer?.superlayer ?? layer
    ownPresented = screen
    screen.presenting = self
    screen.presentationSource = source
    screen.isBeingPresented = true
    var plan = TransitionPlan(
      operation: .present, host: self, container: container, from: self, to: screen, isAnimated: animated,
      arrange: { [unowned self] in arrival(of: screen, in: container.bounds) },
      style: screen.presentationStyle,
      isPresentation: true, keepsFromLayer: keeps, fromDisappears: !keeps, appearsFirst: true,
      defaultAnimator: { CoverTransition() },
      complete: { [unowned self] completed in
        screen.isBeingPresented = false
        screen.passesFocus = false
        if !completed { self.release(of: screen) }
      })
    plan.completeWithoutCallbacks = plan.complete
    plan.decided = { isInteractive in screen.passesFocus = isInteractive }
    plan.directionDidChange = { towardsNew in screen.passesFocus = !towardsNew }
    plan.vend = {
      TransitionPlan.asking(screen.liveProvider(), for: .present, from: source, to: screen)
    }
    plan.willShow = { [unowned self] in screen.transitions?.willShow(screen, in: self, animated: animated) }
    plan.didShow = { [unowned self] completed in
      if completed { screen.transitions?.didShow(screen, in: self, animated: animated) }
    }
    return TransitionRun(plan, handle: handle)
  }

  private func beginDismissing(_ screen: Screen, handle: Transition, animated: Bool) -> TransitionRun? {
    guard presented === screen else {
      handle.end(.skipped(.superseded))
      return nil
    }
    // All screens above are dismissed immediately. Their snapshots leave with the dismissed screen.
    var snapshots: [Layer] = []
    if let upper = screen.presented {
      if animated {
        snapshots = sequence(first: upper, next: \.presented).compactMap { $0.loadedLayer?.stageSnapshot() }
      }
      let first = Transition(.dismiss, from: upper, to: screen)
      screen.beginDismissing(upper, handle: first, animated: false)?.start()
    }
    let keeps = screen.presentationStyle == .custom
    let container = screen.loadedLayer?.superlayer ?? layer
    screen.isBeingDismissed = true
    var plan = TransitionPlan(
      operation: .dismiss, host: self, container: container, from: screen, to: self, isAnimated: animated,
      arrange: { [unowned self] in arrival(of: screen, in: container.bounds).reversed },
      style: screen.presentationStyle,
      isPresentation: true, insertsBelow: true, toAppears: !keeps, appearsFirst: true,
      defaultAnimator: { CoverTransition() },
      complete: { _ in
        screen.isBeingDismissed = false
        screen.passesFocus = false
      })
    plan.beforeCallbacks = { [unowned self] completed in
      if completed { self.release(of: screen) }
    }
    plan.completeWithoutCallbacks = { [settle = plan.complete, letGo = plan.beforeCallbacks] completed in
      letGo(completed)
      settle(completed)
    }
    plan.decided = { isInteractive in screen.passesFocus = !isInteractive }
    plan.directionDidChange = { towardsNew in screen.passesFocus = towardsNew }
    plan.vend = { [unowned self] in
      TransitionPlan.asking(screen.liveProvider(), for: .dismiss, from: screen, to: self)
    }
    plan.willShow = { [unowned self] in screen.transitions?.willShow(self, in: self, animated: animated) }
    plan.didShow = { [unowned self] completed in
      screen.transitions?.didShow(completed ? self : screen, in: self, animated: animated)
    }
    for snapshot in snapshots { screen.layer.add(snapshot) }
    let run = TransitionRun(plan, handle: handle)
    run.departingSnapshots = snapshots
    return run
  }

  /// Returns frames for a presented screen that enters from below the bounds, over this screen, which stays.
  private func arrival(of screen: Screen, in bounds: Rect) -> TransitionFrames {
    let (screenFrame, presenterFrame) = (screen.place(in: bounds), place(in: bounds))
    return TransitionFrames(
      fromInitial: presenterFrame, fromFinal: presenterFrame,
      toInitial: screenFrame.moved(rows: bounds.height - screenFrame.y), toFinal: screenFrame)
  }

  /// Returns the frame of the screen in the stage.
  func place(in bounds: Rect) -> Rect {
    presenting != nil && presentationStyle == .custom ? presentationFrame(in: bounds) : bounds
  }

  private func release(of screen: Screen) {
    ownPresented = nil
    screen.presenting = nil
    screen.presentationSource = nil
  }
}
