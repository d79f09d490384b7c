public import TextCanvas

/// Shows the last of a stack of screens; others are pushed on it and popped from it.
///
/// ```swift
/// let stack = StackScreen(root: courses)
/// try stack.push(lessons, animated: true)
/// stack.pop(animated: true)        // in mid-flight too: the push is completed, and turned into a pop
/// ```
///
/// A transition never blocks anything: whatever is asked for while one runs, is begun at once and starts from what is
/// seen. The animators come from ``Screen/transitions``, else screens slide.
@MainActor open class StackScreen: Screen {
  /// The screens, from the lowest to the one that is shown.
  public private(set) var screens: [Screen]

  /// Makes a stack of one screen.
  public init(root: Screen, title: String = "") {
    screens = [root]
    super.init(title: title)
    addChild(root)
    root.didMove(to: self)
  }

  /// The screen that is shown.
  public var top: Screen { screens[screens.count - 1] }

  open override var focusedChild: Screen? { top }
  open override var shownChildren: [Screen] { [top] }

  override func holds(_ child: Screen) -> Bool { screens.contains { $0 === child } }

  open override func didLoad() {
    layer.clipsToBounds = true
    layer.add(top.layer)
  }

  open override func layOut(in size: Size) {
    for child in children where child.loadedLayer?.superlayer === layer {
      child.layer.frame = Rect(origin: .zero, size: size)
    }
  }

  /// Puts a screen on the stack.
  ///
  /// - Throws: `ContainmentError.alreadyInStack`; `containsItself`, `heldElsewhere` or `presented` for a screen that has
  ///   another place.
  @discardableResult
  public func push(_ screen: Screen, animated: Bool) throws(ContainmentError) -> Transition {
    guard !screens.contains(where: { $0 === screen }) else {
      throw .alreadyInStack(screen: screen.label, container: label)
    }
    if let refusal = refusal(of: screen) { throw refusal }
    let handle = Transition(.push, from: top, to: screen)
    change(handle, animated: animated) { $0.contains { $0 === screen } ? $0 : $0 + [screen] }
    return handle
  }

  /// Puts a screen on the stack, unless the one on top shows the same route: two presses in quick succession go on
  /// once.
  ///
  /// - Parameters:
  ///   - route: What the screen shows.
  ///   - animated: Whether it moves there.
  ///   - make: Makes the screen, where one is needed.
  /// - Returns: The transition; nil where the route is on top already, and for a screen that cannot be pushed, which is
  ///   reported.
  @discardableResult
  public func push(
    route: some Hashable, animated: Bool, make: () -> Screen
  ) -> Transition? {
    let route = AnyHashable(route)
    guard top.route != route else { return nil }
    let screen = make()
    screen.route = route
    return reportingRefusal { () throws(ContainmentError) in try push(screen, animated: animated) }
  }

  /// Takes the top screen from the stack; returns nil, and does nothing, at the root.
  @discardableResult
  public func pop(animated: Bool) -> Transition? {
    guard screens.count > 1 else { return nil }
    let handle = Transition(.pop, from: top, to: screens[screens.count - 2])
    change(handle, animated: animated) { $0.count > 1 ? Array($0.dropLast()) : $0 }
    return handle
  }

  /// Takes all screens above one from the stack, in one transition; returns nil where it is on top already.
  ///
  /// - Throws: `ContainmentError.notInStack`.
  @discardableResult
  public func pop(to screen: Screen, animated: Bool) throws(ContainmentError) -> Transition? {
    guard let place = screens.firstIndex(where: { $0 === screen }) else {
      throw .notInStack(screen: screen.label, container: label)
    }
    guard place < screens.count - 1 else { return nil }
    let handle = Transition(.pop, from: top, to: screen)
    change(handle, animated: animated) { stack in
      stack.firstIndex { $0 === screen }.map { Array(stack[...$0]) } ?? stack
    }
    return handle
  }

  /// Takes all screens but the lowest from the stack, in one transition; returns nil at the root.
  @discardableResult
  public func popToRoot(animated: Bool) -> Transition? {
    guard screens.count > 1 else { return nil }
    let handle = Transition(.pop, from: top, to: screens[0])
    change(handle, animated: animated) { Array($0.prefix(1)) }
    return handle
  }

  /// Replaces the whole stack, in one transition: a pop where the new top was in the stack below the old one, a push
  /// where it was not in it; returns nil where the top stays.
  ///
  /// - Throws: `ContainmentError.emptyStack`, `ContainmentError.alreadyInStack` for a screen that is given twice;
  ///   `containsItself`, `heldElsewhere` or `presented` for one that has another place.
  @discardableResult
  public func setScreens(_ screens: [Screen], animated: Bool) throws(ContainmentError) -> Transition? {
    guard let newTop = screens.last else { throw .emptyStack(container: label) }
    for (place, screen) in screens.enumerated() where screens[..<place].contains(where: { $0 === screen }) {
      throw .alreadyInStack(screen: screen.label, container: label)
    }
    for screen in screens { if let refusal = refusal(of: screen) { throw refusal } }
    let isPop = self.screens.contains { $0 === newTop }
    let handle = Transition(isPop ? .pop : .push, from: top, to: newTop)
    change(handle, animated: animated) { _ in screens }
    // Which screen is the top is known only now: one that a hand has let go is left while it still is the top.
    return handle.outcome == .skipped(.superseded) ? nil : handle
  }

  /// Replaces the top screen with a screen that is not in the stack, in one transition.
  ///
  /// - Parameters:
  ///   - screen: The new top screen.
  ///   - operation: The operation that the provider is asked for. The screen comes from the right if the operation
  ///     ``TransitionOperation/isForward``, otherwise from the left. For a neighbour, ``TransitionOperation/select(from:to:)``
  ///     has both directions.
  ///   - animated: Whether the transition is animated.
  /// - Throws: `ContainmentError.alreadyInStack`; `containsItself`, `heldElsewhere` or `presented` for a screen that is
  ///   contained or presented elsewhere.
  @discardableResult
  public func replaceTop(
    with screen: Screen, operation: TransitionOperation = .replace, animated: Bool
  ) throws(ContainmentError) -> Transition {
    guard !screens.contains(where: { $0 === screen }) else {
      throw .alreadyInStack(screen: screen.label, container: label)
    }
    if let refusal = refusal(of: screen) { throw refusal }
    let handle = Transition(operation, from: top, to: screen)
    change(handle, animated: animated, operation: operation) { stack in
      stack.contains { $0 === screen } ? stack : Array(stack.dropLast()) + [screen]
    }
    return handle
  }

  func setStack(_ screens: [Screen]) {
    self.screens = screens
  }
}

extension StackScreen {
  /// Changes the stack when the operations before it have begun.
  ///
  /// - Parameters:
  ///   - operation: The operation; `nil` is a pop if the new top is in the stack, otherwise a push.
  ///   - rule: Returns the new screens for the ones before.
  func change(
    _ handle: Transition, animated: Bool, operation: TransitionOperation? = nil,
    to rule: @escaping @MainActor ([Screen]) -> [Screen]
  ) {
    operations.perform {
      self.replaceRunning {
        let old = self.screens
        return self.begin(from: old, to: rule(old), handle: handle, operation: operation, animated: animated)
      }
    }
  }

  private func begin(
    from old: [Screen], to new: [Screen], handle: Transition, operation: TransitionOperation?, animated: Bool
  ) -> TransitionRun? {
    guard let from = old.last, let to = new.last else { return nil }
    let leaving = old.filter { screen in !new.contains { $0 === screen } }
    let coming = new.filter { screen in !old.contains { $0 === screen } }
    guard from !== to else {
      replaceBelow(new, leaving: leaving, coming: coming)
      handle.end(.skipped(.superseded))
      return nil
    }
    let operation = operation ?? (old.contains { $0 === to } ? .pop : .push)

    // Step three: the structure. What leaves unseen from the middle of the stack is told before the visible part.
    for screen in leaving where screen !== from { screen.willMove(to: nil) }
    if leaving.contains(where: { $0 === from }) { from.willMove(to: nil) }
    for screen in coming { addChild(screen) }
    setStack(new)

    var plan = TransitionPlan(
      operation: operation, host: self, container: layer, from: from, to: to, isAnimated: animated,
      arrange: { [unowned self] in
        .sideways(in: layer.bounds, columns: operation.isForward ? layer.bounds.width : -layer.bounds.width)
      }, goesBelow: operation == .pop,
      defaultAnimator: { StackScreen.defaultAnimator(for: operation, from: from, to: to) },
      settle: { [unowned self] completed in
        self.settle(completed, old: old, new: new, leaving: leaving, coming: coming)
      })
    plan.askProvider()
    // Under a hand nothing is decided yet: the stack changes when it lets go and the new screen is there.
    // Otherwise what leaves unseen has left now.
    plan.decided = { [unowned self] isInteractive in
      if isInteractive {
        self.setStack(old)
      } else {
        for screen in leaving where screen !== from { screen.removeFromParent() }
      }
    }
    plan.heads = { [unowned self] towardsNew in self.setStack(towardsNew ? new : old) }
    plan.settleUntold = { [unowned self] completed in
      self.setStack(completed ? new : old)
      self.takeChildren(completed ? new : old, insteadOf: completed ? leaving : coming)
    }
    return TransitionRun(plan, handle: handle)
  }

  private static func defaultAnimator(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> any AnimatedTransitioning {
    if CollectionScreen.goesLayoutToLayout(operation, from: from, to: to) { return LayoutTransition() }
    return SlideTransition()
  }

  private func settle(_ completed: Bool, old: [Screen], new: [Screen], leaving: [Screen], coming: [Screen]) {
    if completed {
      setStack(new)
      arrangeChildren(new)
      for screen in coming { screen.didMove(to: self) }
      for screen in leaving { screen.removeFromParent() }
    } else {
      setStack(old)
      for screen in coming {
        screen.willMove(to: nil)
        screen.removeFromParent()
      }
      // Those that left unseen had left already.
      for screen in leaving where screen.parent !== self { addChild(screen) }
      arrangeChildren(old)
      for screen in leaving { screen.didMove(to: self) }
    }
  }

  /// The top stays: what is below it changes unseen.
  private func replaceBelow(_ new: [Screen], leaving: [Screen], coming: [Screen]) {
    for screen in leaving { screen.willMove(to: nil) }
    for screen in coming { addChild(screen) }
    setStack(new)
    arrangeChildren(new)
    for screen in coming { screen.didMove(to: self) }
    for screen in leaving { screen.removeFromParent() }
  }
}
