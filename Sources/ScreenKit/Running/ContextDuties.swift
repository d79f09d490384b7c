/// What can be seen from outside of whether a container's own context does what ``TransitionContext`` asks of it.
@MainActor struct ContextDuties {
  let context: any TransitionContext

  /// When its hand starts it.
  func checkStart() {
    if context.from.loadedLayer?.superlayer !== context.container {
      report("the layer of '\(context.from.label)' is not in its container")
    }
    if context.container.stage == nil { report("its container is on no stage") }
    if !context.isInteractive { report("it is not interactive, and a hand is started") }
    if context.animationController == nil { report("it gives its hand no animation controller") }
  }

  /// When its hand has let go.
  func checkLetGo(finishes: Bool) {
    if context.transitionWasCancelled == finishes {
      report("transitionWasCancelled is \(finishes) after a \(finishes ? "finish" : "cancel")")
    }
  }

  /// When the animations under its hand have arrived.
  func checkEnd(finishes: Bool) {
    let (staying, leaving) = finishes ? (context.to, context.from) : (context.from, context.to)
    let container = context.container
    if staying.loadedLayer?.superlayer !== container { report("the layer of '\(staying.label)' is gone at the end") }
    if leaving.loadedLayer?.superlayer === container, context.presentationStyle == .custom, !context.operation.presents
    {
      report("the layer of '\(leaving.label)' is still there at the end")
    }
  }

  private func report(_ found: String) {
    let name = Transition(context.operation, from: context.from, to: context.to).label
    ScreenIssue.badContext(transition: name, found: found).report(on: context.container.stage)
  }
}

extension TransitionOperation {
  /// Whether the screen below may stay.
  fileprivate var presents: Bool { self == .present || self == .dismiss }
}
