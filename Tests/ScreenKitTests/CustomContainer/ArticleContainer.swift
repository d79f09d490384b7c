import ScreenKit
import TextCanvas

// A custom container as in issue 12 of objc.io and its sequel about interactive transitions. It uses only the public
// protocols: it has its own context, default animator and delegate, and a tab switcher that is disabled during
// transitions.

/// The delegate of the container. All methods are optional.
@MainActor protocol ArticleContainerDelegate: AnyObject {
  func container(_ container: ArticleContainer, didSelect screen: Screen)
  func container(
    _ container: ArticleContainer, animatorFrom from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)?
  func container(
    _ container: ArticleContainer, interactionFor animator: any AnimatedTransitioning
  ) -> (any InteractiveTransitioning)?
}

extension ArticleContainerDelegate {
  func container(_ container: ArticleContainer, didSelect screen: Screen) {}
  func container(
    _ container: ArticleContainer, animatorFrom from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? { nil }
  func container(
    _ container: ArticleContainer, interactionFor animator: any AnimatedTransitioning
  ) -> (any InteractiveTransitioning)? { nil }
}

enum ArticleError: Error, Hashable, CustomStringConvertible {
  case fromLayerNotInContainer
  case noScreens
  case notAChild(String)

  var description: String {
    switch self {
    case .fromLayerNotInContainer:
      "The fromViewController view must reside in the container view upon initializing the transition context."
    case .noScreens: "A container needs at least one screen."
    case .notAChild(let title): "'\(title)' is no child of the container."
    }
  }
}

@MainActor final class ArticleContext: TransitionContext {
  let container: Layer
  let from: Screen
  let to: Screen
  let operation: TransitionOperation
  var isAnimated = false
  var isInteractive = false
  private(set) var transitionWasCancelled = false
  private(set) var updates: [Double] = []
  var animationController: (any AnimatedTransitioning)?
  var completion: ((Bool) -> Void)?

  private let disappearing: (from: Rect, to: Rect)
  private let appearing: (from: Rect, to: Rect)

  init(from: Screen, to: Screen, indexes: (from: Int, to: Int)) throws(ArticleError) {
    guard from.isLayerLoaded, let container = from.layer.superlayer else { throw .fromLayerNotInContainer }
    self.container = container
    self.from = from
    self.to = to
    operation = .select(from: indexes.from, to: indexes.to)
    let bounds = container.bounds
    let travel = indexes.to > indexes.from ? -bounds.width : bounds.width
    disappearing = (bounds, Rect(x: travel, y: 0, width: bounds.width, height: bounds.height))
    appearing = (Rect(x: -travel, y: 0, width: bounds.width, height: bounds.height), bounds)
  }

  func initialFrame(for screen: Screen) -> Rect { screen === from ? disappearing.from : appearing.from }
  func finalFrame(for screen: Screen) -> Rect { screen === from ? disappearing.to : appearing.to }
  func updateInteractiveTransition(_ fraction: Double) {
    if isInteractive { updates.append(fraction) }
  }
  func pauseInteractiveTransition() {}
  func finishInteractiveTransition() { transitionWasCancelled = false }
  func cancelInteractiveTransition() { transitionWasCancelled = true }

  func completeTransition(_ didComplete: Bool) {
    completion?(didComplete)
  }
}

@MainActor final class ArticleContainer: Screen {
  private(set) var screens: [Screen]
  private(set) var selected: Screen?
  /// The index of the highlighted button.
  private(set) var highlighted = 0
  private(set) var isSwitcherEnabled = true
  weak var delegate: (any ArticleContainerDelegate)?
  /// The interaction controller of the container itself. It is used only if its gesture is active.
  var ownGesture: (hand: any InteractiveTransitioning, hasBegun: Bool)?
  private(set) var lastContext: ArticleContext?
  private(set) var lastAnimator: (any AnimatedTransitioning)?
  let containerLayer = Layer()

  init(_ screens: [Screen]) throws(ArticleError) {
    guard !screens.isEmpty else { throw .noScreens }
    self.screens = screens
    super.init(title: "container")
  }

  override func didLoad() {
    layer.add(containerLayer)
    show(selected ?? screens[0])
  }

  override func layOut(in size: Size) {
    containerLayer.frame = Rect(origin: .zero, size: size)
    selected?.layer.frame = containerLayer.bounds
  }

  override var shownChildren: [Screen] { selected.map { [$0] } ?? [] }

  func select(_ screen: Screen) throws(ArticleError) {
    guard screens.contains(where: { $0 === screen }) else { throw .notAChild(screen.title) }
    guard isLayerLoaded else {
      selected = screen
      return
    }
    show(screen)
  }

  /// Releases the animator that is kept for the tests.
  func releaseLast() { lastAnimator = nil }

  /// Simulates a press of a button.
  func press(_ index: Int) {
    guard isSwitcherEnabled else { return }
    show(screens[index])
    delegate?.container(self, didSelect: screens[index])
  }

  private func show(_ to: Screen) {
    guard let from = children.first else {
      selected = to
      addChild(to)
      to.layer.frame = containerLayer.bounds
      containerLayer.add(to.layer)
      to.didMove(to: self)
      return
    }
    guard from !== to else { return }
    to.layer.frame = containerLayer.bounds
    from.willMove(to: nil)
    addChild(to)
    let provided = delegate?.container(self, animatorFrom: from, to: to)
    let animator = provided ?? SpringSlideTransition()
    lastAnimator = animator
    let indexes = (
      from: screens.firstIndex { $0 === from } ?? 0, to: screens.firstIndex { $0 === to } ?? 0
    )
    guard let context = try? ArticleContext(from: from, to: to, indexes: indexes) else { return }
    let active = ownGesture.flatMap { $0.hasBegun ? $0.hand : nil }
    let interaction = active ?? (provided == nil ? nil : delegate?.container(self, interactionFor: animator))
    context.isAnimated = true
    context.isInteractive = interaction != nil
    context.animationController = animator
    context.completion = { [unowned self, unowned context] didComplete in
      end(context, animator: animator, didComplete: didComplete)
    }
    lastContext = context
    isSwitcherEnabled = false
    if interaction == nil { selected = to }
    from.beginAppearance(false, animated: true)
    to.beginAppearance(true, animated: true)
    if let interaction {
      interaction.startInteractiveTransition(context)
    } else {
      animator.animateTransition(using: context)
    }
  }

  private func end(_ context: ArticleContext, animator: any AnimatedTransitioning, didComplete: Bool) {
    let (from, to) = (context.from, context.to)
    if didComplete {
      from.layer.removeFromSuperlayer()
      from.removeFromParent()
      to.didMove(to: self)
      from.endAppearance()
      to.endAppearance()
      selected = to
    } else {
      to.beginAppearance(false, animated: true)
      to.endAppearance()
      from.beginAppearance(true, animated: true)
      from.endAppearance()
      to.layer.removeFromSuperlayer()
      to.willMove(to: nil)
      to.removeFromParent()
      from.didMove(to: self)
      selected = from
    }
    for layer in [from.layer, to.layer] {
      layer.transform = .identity
      layer.opacity = 1
    }
    highlighted = screens.firstIndex { $0 === selected } ?? 0
    animator.animationEnded(didComplete)
    isSwitcherEnabled = true
    context.completion = nil
    lastContext = nil
  }
}
