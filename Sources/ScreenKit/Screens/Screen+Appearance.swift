import TextCanvas

extension Screen {
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
}

extension Screen {
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
