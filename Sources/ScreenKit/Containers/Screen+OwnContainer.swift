public import TextCanvas

extension Screen {
  /// Shows another screen in a container of your own, with all that the library's containers have: ``transitions`` is
  /// asked for animator and hand, the screens hear their calls in order and have a coordinator, less motion is respected,
  /// whatever runs is interrupted without a jump, and what never ends is ended.
  ///
  /// A screen that is no child yet becomes one and takes the place of the old one, which leaves; a cancel undoes that.
  /// Where both are children already, the container settles in `completion` which of them stays one: then call
  /// `willMove(to: nil)` of what leaves before this, and `didMove(to:)` or `removeFromParent()` in there.
  ///
  /// ```swift
  /// try transition(from: page, to: next, operation: .replace) { self.page = $0 }
  /// ```
  ///
  /// - Parameters:
  ///   - from: The child that is shown.
  ///   - to: The screen to show.
  ///   - operation: What the provider is asked for; also sets the side from which the new screen comes.
  ///   - animated: Whether it is animated.
  ///   - container: The layer that holds the screens' layers; nil is the one that the old screen's is in.
  ///   - frame: Where a screen lies in that layer, asked again after each layout; nil is the whole of it.
  ///   - animator: Makes the animator where the provider has none.
  ///   - shows: Called with the screen that the keys are for, whenever that is another one: the new one when it begins,
  ///     the old one while a hand holds it or when it is turned around, and at the end the one that is there.
  ///   - completion: Called once at the end, before the animator's and the coordinator's completions; `shown` is whether
  ///     the new screen is there.
  /// - Throws: `ContainmentError.noCommonParent` where the old screen is no child, `ContainmentError.sameScreen`;
  ///   `containsItself`, `heldElsewhere` or `presented` for a new screen that has another place.
  @discardableResult
  public func transition(
    from: Screen, to: Screen, operation: TransitionOperation, animated: Bool = true, in container: Layer? = nil,
    frame: (@MainActor () -> Rect)? = nil,
    by animator: @escaping @MainActor () -> any AnimatedTransitioning = { SlideTransition() },
    completion: @escaping @MainActor (_ shown: Bool) -> Void = { _ in }, shows: @escaping @MainActor (Screen) -> Void
  ) throws(ContainmentError) -> Transition {
    guard from.parent === self else { throw .noCommonParent(from: from.label, to: to.label, container: label) }
    guard from !== to else { throw .sameScreen(screen: to.label, container: label) }
    if let refusal = refusal(of: to) { throw refusal }
    let handle = Transition(operation, from: from, to: to)
    operations.perform {
      self.replaceRunning {
        let place = container ?? from.loadedLayer?.superlayer ?? self.layer
        // What was interrupted may have taken the old screen away again: then another child is there.
        let inPlace = self.children.filter { $0.loadedLayer?.superlayer === place }
        let from = inPlace.contains { $0 === from } ? from : inPlace.last ?? from
        guard from !== to else {
          shows(to)
          completion(true)
          handle.end(.skipped(.superseded))
          return nil
        }
        var plan = self.plan(operation, from: from, to: to, in: place, shows: shows, completion: completion)
        plan.isAnimated = animated
        plan.defaultAnimator = animator
        plan.arrange = {
          let rest = frame?() ?? place.bounds
          return .sideways(in: rest, columns: operation.isForward ? rest.width : -rest.width)
        }
        plan.askProvider()
        return TransitionRun(plan, handle: handle)
      }
    }
    return handle
  }

  /// The structure: which screens are children while it runs, and which at the end.
  private func plan(
    _ operation: TransitionOperation, from: Screen, to: Screen, in place: Layer,
    shows: @escaping @MainActor (Screen) -> Void, completion: @escaping @MainActor (Bool) -> Void
  ) -> TransitionPlan {
    let joins = to.parent !== self
    if joins {
      from.willMove(to: nil)
      addChild(to)
    }
    shows(to)
    var plan = TransitionPlan(
      operation: operation, host: self, container: place, from: from, to: to, isAnimated: true,
      arrange: { .still(in: place.bounds) }, goesBelow: operation == .pop || operation == .dismiss,
      defaultAnimator: { SlideTransition() },
      settle: { [unowned self] completed in
        let (leaving, staying) = completed ? (from, to) : (to, from)
        shows(staying)
        if joins {
          if !completed { leaving.willMove(to: nil) }
          leaving.removeFromParent()
          staying.didMove(to: self)
        }
        completion(completed)
      })
    plan.decided = { isInteractive in
      if isInteractive { shows(from) }
    }
    plan.heads = { towardsNew in shows(towardsNew ? to : from) }
    plan.settleUntold = { [unowned self] completed in
      let (leaving, staying) = completed ? (from, to) : (to, from)
      shows(staying)
      if joins { self.takeChildren([staying], insteadOf: [leaving]) }
    }
    return plan
  }
}
