import ScreenKit
import TextCanvas

// The code on the documentation page Examples. It uses only the public API.

// A container that replaces its child with an animation block.
final class Box: Screen {
  private(set) var content: Screen

  init(_ content: Screen) {
    self.content = content
    super.init()
    addChild(content)
    content.didMove(to: self)
  }

  override func didLoad() { layer.add(content.layer) }
  override func layOut(in size: Size) { content.layer.frame = layer.bounds }

  func fade(to next: Screen, seconds: Double = 0.3) throws(ContainmentError) -> Transition {
    let old = content
    addChild(next)
    old.willMove(to: nil)
    next.layer.frame = layer.bounds
    next.layer.opacity = 0
    content = next
    return try transition(from: old, to: next, duration: seconds, curve: .easeOut) {
      old.layer.opacity = 0
      next.layer.opacity = 1
    } completion: { [unowned self] _ in
      next.didMove(to: self)
      old.removeFromParent()
      old.layer.opacity = 1
    }
  }
}

// A list whose selected title moves to the page that opens.
final class Shelf: Screen, TransitionSource {
  let titles: [String]
  private let rows: [Layer]
  var chosen = 0
  private(set) var leaving: TransitionID?

  init(_ titles: [String]) {
    self.titles = titles
    rows = titles.map { line($0) }
    super.init()
  }

  override func didLoad() { for row in rows { layer.add(row) } }
  override func layOut(in size: Size) { for (index, row) in rows.enumerated() { row.frame = frame(ofRow: index) } }

  private func frame(ofRow index: Int) -> Rect {
    Rect(x: 2, y: Double(index), width: layer.bounds.width - 2, height: 1)
  }
  private func index(of id: TransitionID) -> Int? { sourceIDs.firstIndex(of: id) }

  var sourceID: TransitionID? { TransitionID(titles[chosen]) }
  var sourceIDs: [TransitionID] { titles.map { TransitionID($0) } }
  var transitionDuration: Double? { 0.4 }
  func sourceFrame(for id: TransitionID) -> Rect? { index(of: id).map(frame) }
  func sourceLayer(for id: TransitionID) -> Layer? { index(of: id).map { line(titles[$0]) } }
  func originalLayer(for id: TransitionID) -> Layer? { index(of: id).map { rows[$0] } }

  func prepareAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen) {
    moving.opacity = 0.5
  }
  func finalizeAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen) {
    moving.opacity = 1
  }
  func willStartSourceAnimation(for id: TransitionID) { leaving = id }
  func didEndSourceAnimation(for id: TransitionID) { leaving = nil }
}

// A page with its title in the first row.
final class Book: Screen, TransitionTarget {
  let name: String
  private let heading: Layer
  private(set) var coming: TransitionID?

  init(_ name: String) {
    self.name = name
    heading = line(name)
    super.init()
  }

  override func didLoad() { layer.add(heading) }
  override func layOut(in size: Size) { heading.frame = Rect(x: 0, y: 0, width: size.width, height: 1) }

  var targetIDs: [TransitionID] { [TransitionID(name)] }
  func targetFrame(for id: TransitionID) -> Rect? { heading.frame }
  func originalLayer(for id: TransitionID) -> Layer? { heading }
  func willStartTargetAnimation(for id: TransitionID) { coming = id }
  func didEndTargetAnimation(for id: TransitionID) { coming = nil }
}

// The transition provider of `Shelf` and `Book`. The stack uses its own transition if no element matches.
final class Matches: TransitionProvider {
  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    MatchedTransition(from: from, to: to)
  }
}

// The same items in two layouts.
@MainActor func cabinet(of names: [String]) -> (list: CollectionScreen, grid: CollectionScreen) {
  let items = CollectionItems(names.map { TransitionID($0) }) { line($0.description) }
  let list = CollectionScreen(items, layout: ListLayout(), title: "list")
  let grid = CollectionScreen(items, layout: GridLayout(across: 2), title: "grid")
  grid.usesLayoutToLayoutTransitions = true
  return (list, grid)
}

// A panel that follows a gesture.
@MainActor final class Drawer {
  private let animator: Animator

  init(_ panel: Layer, rows: Double) {
    animator = Animator(duration: 0.4, curve: .easeOut) { panel.offset.y = -rows }
    animator.addAnimations(delayFactor: 0.5) { panel.opacity = 1 }
    animator.start()
    animator.pause()
  }

  func pull(to fraction: Double) { animator.fractionComplete = fraction }

  func letGo(open: Bool, velocity: Double = 0, then: @escaping @MainActor () -> Void) {
    animator.isReversed = !open
    animator.addCompletion { _ in then() }
    animator.continueAnimation(velocity: velocity)
  }
}

// A line of text that fills the width of its layer.
@MainActor func line(_ text: String) -> Layer {
  let layer = Layer()
  layer.drawing = { state in
    var surface = Surface(state.cells.size)
    surface.draw(text, at: .zero)
    return surface
  }
  return layer
}

// A custom layout: each item starts one column further right than the previous one.
struct Stairs: CollectionLayout {
  func frames(count: Int, in size: Size) -> [Rect] {
    (0..<count).map { Rect(x: Double($0), y: Double($0), width: size.width - Double($0), height: 1) }
  }
}

// A transition for each operation.
final class Looks: TransitionProvider {
  private let tabs: TransitionCatalog?
  private(set) var shown: [String] = []

  init(tabs name: String) { tabs = TransitionCatalog(rawValue: name) }

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    switch operation {
    case .push, .pop: FlipTransition(duration: 0.4)
    case .replace: from is CollectionScreen ? LayoutTransition(duration: 0.2) : ZoomTransition()
    case .present, .dismiss: CoverTransition(duration: 0.2)
    case .select: tabs?.makeAnimator(from: from, to: to) ?? SpringSlideTransition()
    }
  }

  func willShow(_ screen: Screen, in container: Screen, animated: Bool) { shown.append("to " + screen.title) }
  func didShow(_ screen: Screen, in container: Screen, animated: Bool) { shown.append("at " + screen.title) }
}

// A sheet that covers the lower rows of its presenter.
final class Sheet: Screen {
  private let rows: Double
  private(set) var heard: [String] = []

  init(_ title: String, rows: Double) {
    self.rows = rows
    super.init(title: title)
    presentationStyle = .custom
  }

  override func presentationFrame(in bounds: Rect) -> Rect {
    Rect(x: 0, y: bounds.height - rows, width: bounds.width, height: rows)
  }

  override func didLoad() { layer.fill = .default }
  override func isAppearing(animated: Bool) { heard.append(isBeingPresented ? "is presented" : "appears") }
  override func didDisappear(animated: Bool) { heard.append("is gone") }
}

@MainActor func framed(_ page: Screen) -> ContentScreen {
  ContentScreen(page, contentInset: CellSize(columns: 1, rows: 1))
}

// An animator that uses the frames of the context.
final class Shove: AnimatedTransitioning {
  func transitionDuration(using context: (any TransitionContext)?) -> Double { 0.3 }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let (from, to) = (context.from, context.to)
    if context.movesToLayer { to.layer.frame = context.initialFrame(for: to) }
    animate(duration: transitionDuration(using: context), curve: .linear) {
      if context.movesFromLayer { from.layer.frame = context.finalFrame(for: from) }
      if context.movesToLayer { to.layer.frame = context.finalFrame(for: to) }
    } completion: { _ in
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}

// A custom interactive transition: each click of a mouse wheel advances it by a third.
@MainActor final class Clicks: InteractiveTransitioning {
  private weak var context: (any TransitionContext)?
  private var count = 0

  var completionSpeed: Double { 2 }
  var wantsInteractiveStart: Bool { true }

  func startInteractiveTransition(_ context: any TransitionContext) {
    self.context = context
    context.animationController?.animateTransition(using: context)
  }

  func click() {
    context?.pauseInteractiveTransition()
    count += 1
    context?.updateInteractiveTransition(Double(count) / 3)
    if count == 3 { context?.finishInteractiveTransition() }
  }

  func giveUp() { context?.cancelInteractiveTransition() }
}

// Records the events of an interactive transition.
@MainActor final class Journal {
  private(set) var lines: [String] = []

  func follow(_ coordinator: any TransitionCoordinator) {
    lines.append(coordinator.initiallyInteractive ? "a hand begins" : "it begins")
    if coordinator.isInterruptible { lines.append("it can be caught") }
    coordinator.notifyWhenInteractionChanges { [weak self] context in
      self?.lines.append(context.isInteractive ? "caught" : "let go")
    }
    coordinator.notifyWhenInteractionEnds { [weak self, weak coordinator] context in
      let velocity = coordinator?.completionVelocity ?? 0
      self?.lines.append((context.transitionWasCancelled ? "back" : "on") + " at \(velocity)")
    }
  }

  func note(_ outcome: TransitionOutcome) {
    switch outcome {
    case .completed: lines.append("there")
    case .cancelled: lines.append("as before")
    case .skipped(let reason): lines.append(reason == .reducedMotion ? "there, without motion" : "there at once")
    }
  }

  func note(faultsOf stage: StageClock) {
    stage.onIssue = { [weak self] issue in self?.lines.append(issue.description) }
  }
}

// Two screens next to each other; the second can be collapsed.
final class Split: Screen {
  private(set) var isFolded = false

  init(_ main: Screen, _ side: Screen) {
    super.init()
    for child in [main, side] {
      addChild(child)
      child.didMove(to: self)
    }
  }

  override func didLoad() { for child in children { layer.add(child.layer) } }
  override var shownChildren: [Screen] { isFolded ? [children[0]] : children }

  override func layOut(in size: Size) {
    let half = size.width / 2
    children[0].layer.frame = Rect(x: 0, y: 0, width: isFolded ? size.width : half, height: size.height)
    children[1].layer.frame = Rect(x: isFolded ? size.width : half, y: 0, width: half, height: size.height)
  }

  func fold(moves: Bool = true) {
    guard !isFolded, appearance == .appeared else { return }
    let side = children[1]
    side.beginAppearance(false, animated: moves)
    isFolded = true
    Layer.areAnimationsEnabled = moves
    animate(duration: 0.2, curve: .linear) {
      self.layOut(in: self.layer.bounds.size)
    } completion: { _ in
      side.layer.isHidden = true
      side.endAppearance()
    }
    Layer.areAnimationsEnabled = true
  }
}
