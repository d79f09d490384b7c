public import TextCanvas

/// A container that shows the last screen of a stack. Screens are pushed onto it and popped from it.
///
/// ```swift
/// let stack = StackScreen(root: courses)
/// try stack.push(lessons, animated: true)
/// stack.pop(animated: true)        // also during the push, which is completed first
/// ```
///
/// A running transition never blocks an operation. A new operation starts immediately and continues from the presented
/// positions. ``Screen/transitions`` provides the animators; without one, screens slide.
@MainActor open class StackScreen: Screen {
  /// The screens of the stack. The last one is visible.
  public private(set) var screens: [Screen]

  /// Creates a stack with one screen.
  ///
  /// - Parameters:
  ///   - root: The lowest screen.
  ///   - title: The title of the container.
  public init(root: Screen, title: String = "") {
    screens = [root]
    super.init(title: title)
    addChild(root)
    root.didMove(to: self)
  }

  /// The visible screen: the last one of the stack.
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

  /// Pushes a screen onto the stack.
  ///
  /// - Parameters:
  ///   - screen: The new top screen.
  ///   - animated: Whether the transition is animated.
  /// - Returns: The transition.
  /// - Throws: `ContainmentError.alreadyInStack`; `containsItself`, `ownedByContainer` or `presented` for a screen that
  ///   is contained or presented elsewhere.
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

  /// Pushes a screen onto the stack, unless the top screen has the same route. Two key presses in quick succession thus
  /// push only one screen.
  ///
  /// - Parameters:
  ///   - route: Identifies what the screen shows.
  ///   - animated: Whether the transition is animated.
  ///   - make: Creates the screen. Called only if it is needed.
  /// - Returns: The transition, or `nil` if the top screen has the route already, or if the screen cannot be pushed. A
  ///   screen that cannot be pushed is reported as a ``ScreenIssue``.
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

  /// Pops the top screen.
  ///
  /// - Parameter animated: Whether the transition is animated.
  /// - Returns: The transition, or `nil` if only the root is in the stack.
  @discardableResult
  public func pop(animated: Bool) -> Transition? {
    guard screens.count > 1 else { return nil }
    let handle = Transition(.pop, from: top, to: screens[screens.count - 2])
    change(handle, animated: animated) { $0.count > 1 ? Array($0.dropLast()) : $0 }
    return handle
  }

  /// Pops all screens above the given one, in one transition.
  ///
  /// - Parameters:
  ///   - screen: The new top screen, which must be in the stack.
  ///   - animated: Whether the transition is animated.
  /// - Returns: The transition, or `nil` if the screen is the top already.
  /// - Throws: `ContainmentError.notInStack`.
  @discardableResult
  public func pop(to screen: Screen, animated: Bool) throws(ContainmentError) -> Transition? {
    guard let index = screens.firstIndex(where: { $0 === screen }) else {
      throw .notInStack(screen: screen.label, container: label)
    }
    guard index < screens.count - 1 else { return nil }
    let handle = Transition(.pop, from: top, to: screen)
    change(handle, animated: animated) { stack in
      stack.firstIndex { $0 === screen }.map { Array(stack[...$0]) } ?? stack
    }
    return handle
  }

  /// Pops all screens except the root, in one transition.
  ///
  /// - Parameter animated: Whether the transition is animated.
  /// - Returns: The transition, or `nil` if only the root is in the stack.
  @discardableResult
  public func popToRoot(animated: Bool) -> Transition? {
    guard screens.count > 1 else { return nil }
    let handle = Transition(.pop, from: top, to: screens[0])
    change(handle, animated: animated) { Array($0.prefix(1)) }
    return handle
  }

  /// Replaces the whole stack in one transition: a pop if the new top is already in the stack, otherwise a push.
  ///
  /// - Parameters:
  ///   - screens: The new screens, from the root to the top.
  ///   - animated: Whether the transition is animated.
  /// - Returns: The transition, or `nil` if the top screen is the same as before.
  /// - Throws: `ContainmentError.emptyStack`, `ContainmentError.alreadyInStack` for a screen that is listed twice;
  ///   `containsItself`, `ownedByContainer` or `presented` for a screen that is contained or presented elsewhere.
  @discardableResult
  public func setScreens(_ screens: [Screen], animated: Bool) throws(ContainmentError) -> Transition? {
    guard let newTop = screens.last else { throw .emptyStack(container: label) }
    for (index, screen) in screens.enumerated() where screens[..<index].contains(where: { $0 === screen }) {
      throw .alreadyInStack(screen: screen.label, container: label)
    }
    for screen in screens { if let refusal = refusal(of: screen) { throw refusal } }
    let isPop = self.screens.contains { $0 === newTop }
    let handle = Transition(isPop ? .pop : .push, from: top, to: newTop)
    change(handle, animated: animated) { _ in screens }
    // Whether the top stays the same is known only now: `change` first ends a running transition, which can change the
    // top.
    return handle.outcome == .skipped(.superseded) ? nil : handle
  }

  /// Replaces the top screen with a screen that is not in the stack, in one transition.
  ///
  /// - Parameters:
  ///   - screen: The new top screen.
  ///   - operation: The operation that is passed to the provider. The screen enters from the right if the operation
  ///     ``TransitionOperation/isForward``, otherwise from the left. For a neighbouring screen,
  ///     ``TransitionOperation/select(from:to:)`` covers both directions.
  ///   - animated: Whether the transition is animated.
  /// - Returns: The transition.
  /// - Throws: `ContainmentError.alreadyInStack`; `containsItself`, `ownedByContainer` or `presented` for a screen that
  ///   is contained or presented elsewhere.
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
  /// Changes the stack after all earlier operations have started.
  ///
  /// - Parameters:
  ///   - handle: The handle of the transition.
  ///   - animated: Whether the transition is animated.
  ///   - operation: The operation. If `nil`, a pop if the new top is in the stack, otherwise a push.
  ///   - rule: Returns the new screens for the current ones.
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
    let arriving = new.filter { screen in !old.contains { $0 === screen } }
    guard from !== to else {
      replaceBelow(new, leaving: leaving, arriving: arriving)
      handle.end(.skipped(.superseded))
      return nil
    }
    let operation = operation ?? (old.contains { $0 === to } ? .pop : .push)

    // Step three of a transition: the structure changes. Screens that leave from the middle of the stack are notified
    // before the visible one.
    for screen in leaving where screen !== from { screen.willMove(to: nil) }
    if leaving.contains(where: { $0 === from }) { from.willMove(to: nil) }
    for screen in arriving { addChild(screen) }
    setStack(new)

    var plan = TransitionPlan(
      operation: operation, host: self, container: layer, from: from, to: to, isAnimated: animated,
      arrange: { [unowned self] in
        .sideways(in: layer.bounds, columns: operation.isForward ? layer.bounds.width : -layer.bounds.width)
      }, insertsBelow: operation == .pop,
      defaultAnimator: { StackScreen.defaultAnimator(for: operation, from: from, to: to) },
      complete: { [unowned self] completed in
        self.finishTransition(completed, old: old, new: new, leaving: leaving, arriving: arriving)
      })
    plan.askProvider()
    // While a gesture drives the transition, its outcome is open: the stack changes only when the gesture completes it.
    // Otherwise screens that leave from the middle of the stack are removed now.
    plan.decided = { [unowned self] isInteractive in
      if isInteractive {
        self.setStack(old)
      } else {
        for screen in leaving where screen !== from { screen.removeFromParent() }
      }
    }
    plan.directionDidChange = { [unowned self] towardsNew in self.setStack(towardsNew ? new : old) }
    plan.completeWithoutCallbacks = { [unowned self] completed in
      self.setStack(completed ? new : old)
      self.replaceChildren(completed ? new : old, replacing: completed ? leaving : arriving)
    }
    return TransitionRun(plan, handle: handle)
  }

  private static func defaultAnimator(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> any AnimatedTransitioning {
    if CollectionScreen.usesLayoutTransition(operation, from: from, to: to) { return LayoutTransition() }
    return SlideTransition()
  }

  private func finishTransition(_ completed: Bool, old: [Screen], new: [Screen], leaving: [Screen], arriving: [Screen])
  {
    if completed {
      setStack(new)
      arrangeChildren(new)
      for screen in arriving { screen.didMove(to: self) }
      for screen in leaving { screen.removeFromParent() }
    } else {
      setStack(old)
      for screen in arriving {
        screen.willMove(to: nil)
        screen.removeFromParent()
      }
      // The screens from the middle of the stack were removed when the transition started.
      for screen in leaving where screen.parent !== self { addChild(screen) }
      arrangeChildren(old)
      for screen in leaving { screen.didMove(to: self) }
    }
  }

  /// Replaces the screens below the top. The top stays, so nothing visible changes.
  private func replaceBelow(_ new: [Screen], leaving: [Screen], arriving: [Screen]) {
    for screen in leaving { screen.willMove(to: nil) }
    for screen in arriving { addChild(screen) }
    setStack(new)
    arrangeChildren(new)
    for screen in arriving { screen.didMove(to: self) }
    for screen in leaving { screen.removeFromParent() }
  }
}
