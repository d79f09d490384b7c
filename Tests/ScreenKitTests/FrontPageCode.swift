import Motion
import ScreenKit
import TextCanvas

// What the front page shows to others is written against nothing but what others have.

// The transition of the front page, as it stands there.
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

// The hand of the front page, as it stands there.
@MainActor func letHandsPop(_ stack: StackScreen, from layer: Layer) -> PercentDrivenInteractiveTransition {
  let hand = PercentDrivenInteractiveTransition()  // its provider vends it while it pulls
  layer.add(
    PanRecogniser(axes: .horizontal) { pan in
      let columns = stack.layer.bounds.width
      switch pan.state {
      case .began: stack.pop(animated: true)
      case .changed: hand.update(pan.translation.x / columns)
      case .ended where pan.translation.x > columns / 3: hand.finish(velocity: pan.velocity.x / columns)
      case .ended, .cancelled, .possible: hand.cancel()
      }
    })
  return hand
}
