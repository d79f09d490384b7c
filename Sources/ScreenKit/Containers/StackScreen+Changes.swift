import TextCanvas

extension StackScreen {
  /// Brings the stack to what a rule makes of it, when its turn comes.
  func change(_ handle: Transition, animated: Bool, to rule: @escaping @MainActor ([Screen]) -> [Screen]) {
    operations.perform {
      self.replaceRunning {
        let old = self.screens
        return self.begin(from: old, to: rule(old), handle: handle, animated: animated)
      }
    }
  }

  private func begin(
    from old: [Screen], to new: [Screen], handle: Transition, animated: Bool
  ) -> TransitionRun? {
    guard let from = old.last, let to = new.last else { return nil }
    let leaving = old.filter { screen in !new.contains { $0 === screen } }
    let coming = new.filter { screen in !old.contains { $0 === screen } }
    guard from !== to else {
      replaceBelow(new, leaving: leaving, coming: coming)
      handle.end(.skipped(.superseded))
      return nil
    }
    let isPop = old.contains { $0 === to }
    let operation = isPop ? TransitionOperation.pop : .push

    // Step three: the structure. What leaves unseen from the middle of the stack is told before the visible part.
    for screen in leaving where screen !== from { screen.willMove(to: nil) }
    if leaving.contains(where: { $0 === from }) { from.willMove(to: nil) }
    for screen in coming { addChild(screen) }
    setStack(new)

    var plan = TransitionPlan(
      operation: operation, host: self, container: layer, from: from, to: to, isAnimated: animated,
      arrange: { [unowned self] in
        .sideways(in: layer.bounds, columns: isPop ? -layer.bounds.width : layer.bounds.width)
      }, goesBelow: isPop,
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
