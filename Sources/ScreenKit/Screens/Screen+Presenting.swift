import TextCanvas

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
