import Motion
import ScreenKit
import TextCanvas

// What the page of examples shows to others, written against nothing but what others have.

// The container that switches with a block.
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

// The list from which a title goes to its page.
final class Shelf: Screen, TransitionSource {
  let titles: [String]
  var chosen = 0

  init(_ titles: [String]) {
    self.titles = titles
    super.init()
  }

  var sourceID: TransitionID? { TransitionID(titles[chosen]) }
  var sourceIDs: [TransitionID] { titles.map { TransitionID($0) } }
  var transitionDuration: Double? { 0.4 }

  func sourceFrame(for id: TransitionID) -> Rect? {
    sourceIDs.firstIndex(of: id).map { Rect(x: 2, y: Double($0), width: layer.bounds.width - 2, height: 1) }
  }

  func sourceLayer(for id: TransitionID) -> Layer? { sourceIDs.firstIndex(of: id).map { line(titles[$0]) } }
  func prepareAnimation(of moving: Layer, from source: Screen, to target: Screen) { moving.opacity = 0.5 }
  func finalizeAnimation(of moving: Layer, from source: Screen, to target: Screen) { moving.opacity = 1 }
}

// The page with the title in its first row.
final class Book: Screen, TransitionTarget {
  let name: String

  init(_ name: String) {
    self.name = name
    super.init()
  }

  var targetIDs: [TransitionID] { [TransitionID(name)] }
  func targetFrame(for id: TransitionID) -> Rect? { Rect(x: 0, y: 0, width: layer.bounds.width, height: 1) }
}

// The provider of both: the stack's own transition where nothing matches.
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

// A panel that follows a hand.
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

// One line of text, as wide as it is given room.
@MainActor func line(_ text: String) -> Layer {
  let layer = Layer()
  layer.drawing = { state in
    var surface = Surface(state.cells.size)
    surface.draw(text, at: .zero)
    return surface
  }
  return layer
}
