public import TextCanvas

/// Shows one of several screens that stand side by side; all of them stay as they were left.
@MainActor open class TabScreen: Screen {
  /// The screens, from left to right.
  public let screens: [Screen]
  private var selected: Int

  /// Makes a container of at least one screen.
  ///
  /// - Parameters:
  ///   - screens: From left to right. An empty list is reported, and gets one empty screen.
  ///   - selected: Which of them is shown first, from 0.
  ///   - title: What the container is called.
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

  /// Which screen is shown, from 0. Setting it animates; what lies outside is reported and ignored.
  public var selectedIndex: Int {
    get { selected }
    set { _ = reportingRefusal { () throws(ContainmentError) in try select(newValue, animated: true) } }
  }

  /// The screen that is shown. Setting it animates; one that is no tab is reported and ignored.
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

  /// Shows another screen; returns nil, and does nothing, for the one that is shown.
  ///
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
      settle: { [unowned self] completed in self.selected = completed ? index : old })
    plan.askProvider()
    plan.decided = { [unowned self] isInteractive in
      if isInteractive { self.selected = old }
    }
    plan.heads = { [unowned self] towardsNew in self.selected = towardsNew ? index : old }
    plan.settleUntold = plan.settle
    return TransitionRun(plan, handle: handle)
  }
}
