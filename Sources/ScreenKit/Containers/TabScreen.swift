public import TextCanvas

/// A container that shows one of several screens. The other screens keep their state.
@MainActor open class TabScreen: Screen {
  /// The screens, from left to right.
  public let screens: [Screen]
  private var selected: Int

  /// Creates a container of at least one screen.
  ///
  /// - Parameters:
  ///   - screens: The screens from left to right. If the list is empty, this is reported, and an empty screen is added.
  ///   - selected: The index of the first screen to show. Values outside the list are limited to it.
  ///   - title: The title of the container.
  public init(_ screens: [Screen], selected: Int = 0, title: String = "") {
    let isEmpty = screens.isEmpty
    let screens = isEmpty ? [Screen()] : screens
    self.screens = screens
    self.selected = max(0, min(screens.count - 1, selected))
    super.init(title: title)
    if isEmpty { ScreenIssue.refused(.emptyTabs(container: label)).report(on: nil) }
    for screen in screens {
      addChild(screen)
      screen.didMove(to: self)
    }
  }

  /// The index of the selected screen. Setting it animates the change. An index outside the list is reported and
  /// ignored.
  public var selectedIndex: Int {
    get { selected }
    set { _ = reportingRefusal { () throws(ContainmentError) in try select(newValue, animated: true) } }
  }

  /// The selected screen. Setting it animates the change. A screen that is not in the list is reported and ignored.
  public var selectedScreen: Screen {
    get { screens[selected] }
    set {
      _ = reportingRefusal { () throws(ContainmentError) in
        guard let index = screens.firstIndex(where: { $0 === newValue }) else {
          throw .noSuchTab(screen: newValue.label, container: label)
        }
        return try select(index, animated: true)
      }
    }
  }

  open override var focusedChild: Screen? { selectedScreen }
  open override var shownChildren: [Screen] { [selectedScreen] }

  override func holds(_ child: Screen) -> Bool { screens.contains { $0 === child } }

  open override func didLoad() {
    layer.clipsToBounds = true
    layer.add(selectedScreen.layer)
  }

  open override func layOut(in size: Size) {
    for child in children where child.loadedLayer?.superlayer === layer {
      child.layer.frame = Rect(origin: .zero, size: size)
    }
  }

  /// Selects another screen.
  ///
  /// - Parameters:
  ///   - index: The index of the screen to show.
  ///   - animated: Whether the transition is animated.
  /// - Returns: The transition, or `nil` if the screen is selected already.
  /// - Throws: `ContainmentError.noSuchChild`.
  @discardableResult
  public func select(_ index: Int, animated: Bool) throws(ContainmentError) -> Transition? {
    guard screens.indices.contains(index) else {
      throw .noSuchChild(index: index, container: label, count: screens.count)
    }
    guard index != selected else { return nil }
    let handle = Transition(.select(from: selected, to: index), from: selectedScreen, to: screens[index])
    operations.perform {
      self.replaceRunning { self.begin(to: index, handle: handle, animated: animated) }
    }
    return handle
  }

  private func begin(to index: Int, handle: Transition, animated: Bool) -> TransitionRun? {
    let old = selected
    guard index != old else {
      handle.end(.skipped(.superseded))
      return nil
    }
    let from = screens[old]
    let to = screens[index]
    let operation = TransitionOperation.select(from: old, to: index)
    selected = index
    var plan = TransitionPlan(
      operation: operation, host: self, container: layer, from: from, to: to, isAnimated: animated,
      arrange: { [unowned self] in
        .sideways(in: layer.bounds, columns: index > old ? layer.bounds.width : -layer.bounds.width)
      },
      defaultAnimator: { SlideTransition() },
      complete: { [unowned self] completed in self.selected = completed ? index : old })
    plan.askProvider()
    plan.decided = { [unowned self] isInteractive in
      if isInteractive { self.selected = old }
    }
    plan.directionDidChange = { [unowned self] towardsNew in self.selected = towardsNew ? index : old }
    plan.completeWithoutCallbacks = plan.complete
    return TransitionRun(plan, handle: handle)
  }
}
