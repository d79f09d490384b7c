public import TextCanvas

/// One screen of an application: its layer, its place among other screens, its appearance and its input.
///
/// Subclass it, put your content into ``layer`` in ``didLoad()``, place it in ``layOut(in:)``, and answer input in
/// ``handle(_:)``. Containers (``StackScreen``, ``TabScreen``, ``ContentScreen``, or one of your own) show one screen
/// after another; each shown screen hears ``willAppear(animated:)`` and its three relatives, always in pairs, whatever
/// happens on the way.
@MainActor open class Screen {
  /// What it is called; for titles and messages.
  public var title: String

  /// The screen that contains it.
  public private(set) weak var parent: Screen?
  /// The screens it contains, in the order they were added.
  public private(set) var children: [Screen] = []
  /// Where it is between being away and being there.
  public internal(set) var appearance = AppearanceState.disappeared

  /// Vends the controllers of its transitions: for a container, of its own; for any screen, of its presentation.
  /// Its owner has to keep it.
  public weak var transitions: (any TransitionProvider)? {
    didSet { hasProvider = transitions != nil }
  }
  /// How it relates to the screen that presents it.
  public var presentationStyle = PresentationStyle.fullScreen
  /// The screen that this one presents itself; ``presented`` may be an ancestor's.
  private var ownPresented: Screen?
  /// The screen that presents it.
  public internal(set) weak var presenting: Screen?
  /// Whether it is being presented right now.
  public internal(set) var isBeingPresented = false
  /// Whether it is being dismissed right now.
  public internal(set) var isBeingDismissed = false

  /// Whether a child is one that the container lists; it alone takes it away.
  func holds(_ child: Screen) -> Bool { false }

  var loadedLayer: Layer?
  private var isAppearanceAnimated = false
  /// Whether its layer is being taken away without a call before.
  private var leavesByHand = false
  var run: TransitionRun?
  var presentationRun: TransitionRun?
  let operations = OperationQueue()
  /// What moves on after a transition in it, and after one of the screens presented on it.
  var loose: LooseMotion?
  var looseModals: LooseMotion?
  /// The parent that its last `didMove(to:)` told of.
  weak var acknowledgedParent: Screen?
  /// What it shows, for those who address screens by what they show.
  public var route: AnyHashable?

  /// Whether the keys go past it to the screen below, though it is presented.
  var passesFocus = false
  /// What a transition left hidden whose stage was gone; shown when the screen is seen again.
  var leftHidden: [HiddenOriginals] = []

  /// The screen that asked for this one to be presented.
  private weak var presentationSource: Screen?

  /// Whether it was given a provider, and did not yet find it gone.
  private var hasProvider = false

  /// Makes a screen.
  public init(title: String = "") {
    self.title = title
  }

  /// Makes its layer, when it is first needed.
  open func makeLayer() -> Layer {
    Layer()
  }

  /// Called once, when the layer was made: the place to fill it.
  open func didLoad() {}

  /// Places what is in the layer; called whenever its size has changed, within the animation that changed it.
  ///
  /// - Parameter size: Of the layer, in cells.
  open func layOut(in size: Size) {}

  /// Called before it is seen.
  open func willAppear(animated: Bool) {}
  /// Called when its layer is in the tree and has its place, before the first frame.
  open func isAppearing(animated: Bool) {}
  /// Called when it is there.
  open func didAppear(animated: Bool) {}
  /// Called before it leaves; it may come back without having left.
  open func willDisappear(animated: Bool) {}
  /// Called when it has left.
  open func didDisappear(animated: Bool) {}

  /// Called before its parent changes.
  open func willMove(to parent: Screen?) {}
  /// Called when its parent has changed, and the transition is over. Call `super`.
  open func didMove(to parent: Screen?) {
    acknowledgedParent = parent
  }

  /// Where it lies when it is presented in the custom style; by default the whole place. A sheet gives less, and what is
  /// below shows beside it.
  ///
  /// - Parameter bounds: Of the stage, in cells.
  open func presentationFrame(in bounds: Rect) -> Rect { bounds }

  /// Answers an event; what is not answered is handed to the parent.
  ///
  /// - Returns: Whether the event is answered.
  open func handle(_ event: InputEvent) -> Bool { false }

  /// The child that receives input before this screen does; containers answer with the one they show.
  open var focusedChild: Screen? { nil }

  /// The children whose appearance follows this screen's; by default those whose layers are in its layer.
  open var shownChildren: [Screen] {
    guard let loadedLayer else { return [] }
    return children.filter { child in child.loadedLayer.map { loadedLayer.contains($0) } ?? false }
  }
}

extension Screen {
  /// Its layer; made when it is first asked for.
  public var layer: Layer {
    if let loadedLayer { return loadedLayer }
    let layer = makeLayer()
    layer.owner = self
    if layer.name.isEmpty { layer.name = title }
    loadedLayer = layer
    didLoad()
    return layer
  }

  /// Whether its layer was made.
  public var isLayerLoaded: Bool { loadedLayer != nil }

  /// The stage it is on.
  public var stage: Stage? { loadedLayer?.stage as? Stage }

  /// Its provider, to be asked for the controllers of a transition; one that is gone is reported once.
  func askedProvider() -> (any TransitionProvider)? {
    if transitions == nil, hasProvider {
      hasProvider = false
      ScreenIssue.providerGone(screen: label).report(on: stage ?? parent?.stage)
    }
    return transitions
  }

  /// The screen that it presents, or one of its ancestors.
  public var presented: Screen? { ancestry.lazy.compactMap(\.ownPresented).first }

  /// What it is called in messages.
  var label: String { title.isEmpty ? String(describing: type(of: self)) : title }

  /// Itself, its parent, and so on.
  var ancestry: [Screen] { Array(sequence(first: self, next: \.parent)) }

  /// Its outermost ancestor, or itself.
  public var root: Screen { ancestry[ancestry.count - 1] }

  /// Makes another screen a child; tells it with `willMove(to:)`. When its transition is over, or at once where there
  /// is none, call its `didMove(to:)`.
  ///
  /// What contains this screen cannot become its child, nor what another container still shows: that is reported, and
  /// changes nothing.
  public func addChild(_ child: Screen) {
    guard child.parent !== self else { return }
    if let error = refusal(of: child) { return ScreenIssue.refused(error).report(on: stage) }
    child.removeFromParent()
    child.willMove(to: self)
    child.acknowledgedParent = nil
    child.parent = self
    children.append(child)
  }

  /// Takes it from its parent; tells it with `didMove(to: nil)`. Call its `willMove(to: nil)` before. Does nothing
  /// without a parent; what a stack, tabs or a content screen still list is theirs to remove: that is reported.
  public func removeFromParent() {
    guard let parent else { return }
    if parent.holds(self) {
      let error = ContainmentError.heldElsewhere(screen: label, container: parent.label)
      return ScreenIssue.refused(error).report(on: parent.stage)
    }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    didMove(to: nil)
  }

  /// Why a screen cannot become a child; nil where it can.
  func refusal(of child: Screen) -> ContainmentError? {
    if ancestry.contains(where: { $0 === child }) {
      return .containsItself(screen: child.label, container: label)
    }
    if let other = child.parent, other !== self, other.holds(child) {
      return .heldElsewhere(screen: child.label, container: other.label)
    }
    if child.presenting != nil {
      return .presented(screen: child.label, container: label)
    }
    return nil
  }

  /// Has other children, without calls.
  func takeChildren(_ staying: [Screen], insteadOf leaving: [Screen]) {
    for child in leaving where child.parent === self {
      child.parent = nil
      child.acknowledgedParent = nil
    }
    for child in staying where child.parent == nil || child.parent === self {
      child.parent = self
      child.acknowledgedParent = self
    }
    children.removeAll { child in child.parent !== self }
    arrangeChildren(staying.filter { $0.parent === self })
  }

  /// Replaces the order of the children.
  func arrangeChildren(_ order: [Screen]) {
    children = order + children.filter { child in !order.contains { $0 === child } }
  }

  /// Begins to bring it in or to take it out; for containers. The shown children go along.
  ///
  /// In the middle of the opposite it means that the opposite is cancelled. Anything else that cannot be is reported,
  /// and changes nothing.
  ///
  /// - Parameters:
  ///   - appearing: In, or out.
  ///   - animated: What the screen is told.
  public func beginAppearance(_ appearing: Bool, animated: Bool) {
    switch (appearance, appearing) {
    case (.disappeared, true), (.disappearing, true):
      _ = layer
      for originals in leftHidden { originals.show() }
      leftHidden = []
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

  /// Ends what ``beginAppearance(_:animated:)`` began.
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

  /// Tells it and its shown children that they are in the tree and have their place.
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

  /// Is away with everything it contains, at once, because its stage is gone; nothing is called.
  func abandon() {
    let everyone = children
    for run in runs { run.abandon() }
    dropLooseMotion()
    appearance = .disappeared
    for child in everyone { child.abandon() }
  }
}

// What a layer tells the screen it belongs to.
extension Screen: LayerOwner {
  func layerDidLayOut() {
    layOut(in: layer.bounds.size)
    run?.layOutAgain()
    loose?.containerWasLaidOut()
  }

  /// A layer that was put into a shown parent by hand brings its screen in, unless its container does that already.
  func layerDidEnter(_ stage: StageClock?) {
    guard stage != nil, let parent, parent.appearance == .appeared, appearance == .disappeared else { return }
    beginAppearance(true, animated: false)
    announceAppearing()
    endAppearance()
  }

  func layerWillLeave(_ stage: StageClock?) {
    guard stage != nil, parent != nil, appearance == .appeared else { return }
    leavesByHand = true
    beginAppearance(false, animated: false)
  }

  func layerDidLeave(_ stage: StageClock?) {
    guard leavesByHand else { return }
    leavesByHand = false
    endAppearance()
  }
}

/// Where a screen is between being away and being there.
public enum AppearanceState: Hashable, Sendable, CustomStringConvertible {
  /// Not seen.
  case disappeared
  /// Coming in.
  case appearing
  /// There.
  case appeared
  /// Going out.
  case disappearing

  /// In words.
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
  /// Shows a screen over everything.
  ///
  /// It is presented by this screen's outermost ancestor; the provider hears of this screen. The controllers come from
  /// the *presented* screen's ``transitions``, and what happens to the presenter depends on its
  /// ``presentationStyle``.
  ///
  /// - Throws: `ContainmentError.alreadyPresenting`, also for a screen that itself presents another one;
  ///   `ContainmentError.alreadyShown`.
  @discardableResult
  public func present(_ screen: Screen, animated: Bool) throws(ContainmentError) -> Transition {
    let presenter = root
    if let known = presenter.presented, !known.isBeingDismissed {
      throw .alreadyPresenting(screen: presenter.label, presented: known.label)
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
    let wasSeen = presenter.stage != nil
    presenter.outermostPresenter.operations.perform {
      presenter.replaceRunning(isPresentation: true) {
        // What it interrupts may have taken the presenter itself away again.
        if wasSeen, presenter.stage == nil {
          handle.end(.skipped(.superseded))
          return nil
        }
        return presenter.beginPresenting(screen, from: self, handle: handle, animated: animated)
      }
    }
    return handle
  }

  /// Takes away the screen that this one presents, with everything presented on that; asked of a presented screen, or
  /// of one within it, takes that screen itself away. Returns nil where there is nothing to take away.
  @discardableResult
  public func dismiss(animated: Bool) -> Transition? {
    let presenter: Screen
    if root.presented != nil {
      presenter = root
    } else if let own = root.presenting {
      presenter = own
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
      arrange: { [unowned self] in .arriving(screen, over: self, in: container.bounds) },
      style: screen.presentationStyle,
      isPresentation: true, keepsFromLayer: keeps, fromDisappears: !keeps, appearsFirst: true,
      defaultAnimator: { CoverTransition() },
      settle: { [unowned self] completed in
        screen.isBeingPresented = false
        screen.passesFocus = false
        if !completed { self.letGo(of: screen) }
      })
    plan.settleUntold = plan.settle
    plan.decided = { isInteractive in screen.passesFocus = isInteractive }
    plan.heads = { towardsNew in screen.passesFocus = !towardsNew }
    plan.vend = {
      TransitionPlan.asking(screen.askedProvider(), for: .present, from: source, to: screen)
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
    // Everything above goes at once, and its picture with the screen that leaves.
    var pictures: [Layer] = []
    if let upper = screen.presented {
      if animated { pictures = sequence(first: upper, next: \.presented).compactMap { $0.loadedLayer?.stillOnStage() } }
      let first = Transition(.dismiss, from: upper, to: screen)
      screen.beginDismissing(upper, handle: first, animated: false)?.start()
    }
    let keeps = screen.presentationStyle == .custom
    let container = screen.loadedLayer?.superlayer ?? layer
    screen.isBeingDismissed = true
    var plan = TransitionPlan(
      operation: .dismiss, host: self, container: container, from: screen, to: self, isAnimated: animated,
      arrange: { [unowned self] in .arriving(screen, over: self, in: container.bounds).reversed },
      style: screen.presentationStyle,
      isPresentation: true, goesBelow: true, toAppears: !keeps, appearsFirst: true,
      defaultAnimator: { CoverTransition() },
      settle: { _ in
        screen.isBeingDismissed = false
        screen.passesFocus = false
      })
    plan.beforeCallbacks = { [unowned self] completed in
      if completed { self.letGo(of: screen) }
    }
    plan.settleUntold = { [settle = plan.settle, letGo = plan.beforeCallbacks] completed in
      letGo(completed)
      settle(completed)
    }
    plan.decided = { isInteractive in screen.passesFocus = !isInteractive }
    plan.heads = { towardsNew in screen.passesFocus = towardsNew }
    plan.vend = { [unowned self] in
      TransitionPlan.asking(screen.askedProvider(), for: .dismiss, from: screen, to: self)
    }
    plan.willShow = { [unowned self] in screen.transitions?.willShow(self, in: self, animated: animated) }
    plan.didShow = { [unowned self] completed in
      screen.transitions?.didShow(completed ? self : screen, in: self, animated: animated)
    }
    for picture in pictures { screen.layer.add(picture) }
    let run = TransitionRun(plan, handle: handle)
    run.stills = pictures
    return run
  }

  /// Where it lies among the layers of the stage.
  func place(in bounds: Rect) -> Rect {
    presenting != nil && presentationStyle == .custom ? presentationFrame(in: bounds) : bounds
  }

  private func letGo(of screen: Screen) {
    ownPresented = nil
    screen.presenting = nil
    screen.presentationSource = nil
  }
}
