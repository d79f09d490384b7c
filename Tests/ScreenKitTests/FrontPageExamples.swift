import ScreenKit
import TextCanvas

// The code on the overview page of the documentation. It uses only the public API.

// The transition of the overview page, copied literally.
final class Blind: AnimatedTransitioning, TransitionProvider {
  func transitionDuration(using context: (any TransitionContext)?) -> Double { 0.25 }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let comes = context.operation.isForward
    let page = comes ? context.to.layer : context.from.layer
    let up = -context.container.bounds.height
    if comes { page.offset.y = up }
    animate(duration: transitionDuration(using: context), curve: .easeOut) {
      page.offset.y = comes ? 0 : up
    } completion: { _ in
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? { self }
}

// The gesture of the overview page, copied literally.
@MainActor func letHandsPop(_ stack: StackScreen, from layer: Layer) -> PercentDrivenInteractiveTransition {
  let interaction = PercentDrivenInteractiveTransition()  // returned by the provider during the gesture
  layer.add(
    PanRecogniser(axes: .horizontal) { pan in
      let columns = stack.layer.bounds.width
      switch pan.state {
      case .began: stack.pop(animated: true)
      case .changed: interaction.update(pan.translation.x / columns)
      case .ended where pan.translation.x > columns / 3: interaction.finish(velocity: pan.velocity.x / columns)
      case .ended, .cancelled, .possible: interaction.cancel()
      }
    })
  return interaction
}

// The container of the overview page, copied literally.
final class Pile: Screen {
  private(set) var page: Screen

  init(_ page: Screen) {
    self.page = page
    super.init()
    addChild(page)
    page.didMove(to: self)
  }

  override func didLoad() { layer.add(page.layer) }
  override func layOut(in size: Size) { page.layer.frame = layer.bounds }
  override var focusedChild: Screen? { page }

  func show(_ next: Screen, operation: TransitionOperation = .replace) throws(ContainmentError) -> Transition {
    try transition(from: page, to: next, operation: operation) { self.page = $0 }
  }
}

// The loop of the overview page, copied literally.
@MainActor func draw(_ stage: Stage, now: () -> Double, wait: (Double) -> Void, show: (RenderNode) -> Void) {
  while let due = stage.nextFrameTime {  // nil if nothing moves
    // Each frame has a later time than the previous one, even if the clock stops.
    let time = max(due, stage.now + 1.0 / 60, now())
    wait(time)  // until that time or until the next input
    show(stage.tick(at: time))
  }
}
