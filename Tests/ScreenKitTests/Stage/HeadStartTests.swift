import TextCanvas
import Testing

@testable import ScreenKit

/// Tests that an animation started by an event has already moved in the first frame after it.
@MainActor @Suite struct HeadStartTests {
  /// A screen with a layer that a key moves by ten columns, linearly in one second.
  private final class Pushed: Screen {
    let mark = Layer(frame: Rect(x: 0, y: 0, width: 1, height: 1))

    override func didLoad() { layer.add(mark) }

    override func handle(_ event: InputEvent) -> Bool {
      animate(duration: 1, curve: .linear) { mark.frame.x += 10 }
      return true
    }
  }

  private let key = InputEvent.key(KeyEvent(.enter))

  private func stage(_ screen: Screen, headStart: Double) -> Stage {
    let stage = Stage(size: CellSize(columns: 20, rows: 3), rootScreen: screen)
    stage.headStart = headStart
    _ = stage.tick(at: 1)
    return stage
  }

  @Test func `an animation started by a key press is drawn one frame ahead`() {
    let screen = Pushed()
    let stage = stage(screen, headStart: 0.1)

    stage.handle(key, at: 2)
    #expect(abs(screen.mark.presentation.frame.x - 1) < 1e-9)
    _ = stage.tick(at: 2.5)
    #expect(abs(screen.mark.presentation.frame.x - 6) < 1e-9)
    _ = stage.tick(at: 2.9)
    #expect(screen.mark.presentation.frame.x == 10 && !screen.mark.isAnimating)
  }

  @Test(arguments: [0, -1]) func `without a head start an animation begins at its start value`(headStart: Double) {
    let screen = Pushed()
    let stage = stage(screen, headStart: headStart)

    stage.handle(key, at: 2)

    #expect(screen.mark.presentation.frame.x == 0)
  }

  @Test func `an animation that no event started has no head start`() {
    let screen = Pushed()
    let stage = stage(screen, headStart: 0.1)

    stage.schedule(after: 0.5) { animate(duration: 1, curve: .linear) { screen.mark.frame.x = 10 } }
    _ = stage.tick(at: 1.5)
    #expect(screen.mark.presentation.frame.x == 0)
    stage.perform(at: 4) { animate(duration: 1, curve: .linear) { screen.mark.frame.x = 0 } }
    #expect(screen.mark.presentation.frame.x == 10)
  }

  /// A stack that a key pushes or pops with a linear slide of one second.
  private final class Walker: StackScreen {
    let provider = TracingProvider()

    override func handle(_ event: InputEvent) -> Bool {
      guard case .key(let key) = event else { return false }
      if key.key == .enter {
        _ = try? push(Screen(title: "next"), animated: true)
      } else {
        pop(animated: true)
      }
      return true
    }
  }

  private func walker() -> (Walker, Stage) {
    let walker = Walker(root: Screen(title: "first"))
    walker.provider.animator = { _ in SlideTransition(duration: 1, curve: .linear) }
    walker.transitions = walker.provider
    return (walker, stage(walker, headStart: 0.1))
  }

  @Test func `a transition and its alongside animations have the head start`() {
    let (walker, stage) = walker()
    let bar = Layer(frame: Rect(x: 0, y: 2, width: 1, height: 1))
    stage.layer.add(bar)

    stage.handle(key, at: 2)
    _ = walker.transitionCoordinator?.animate(alongside: { _ in bar.frame.x = 10 })

    #expect(abs(walker.top.layer.presentedFrame().x - 18) < 1e-9)
    #expect(abs(bar.presentation.frame.x - 1) < 1e-9)
    _ = stage.tick(at: 2.4)
    #expect(abs(walker.top.layer.presentedFrame().x - 10) < 1e-9)
    #expect(abs(bar.presentation.frame.x - 5) < 1e-9)
  }

  @Test func `an interrupted animation continues from its presented value without a head start`() {
    let (walker, stage) = walker()
    stage.handle(key, at: 2)
    _ = stage.tick(at: 2.4)
    let layer = walker.top.layer
    let before = (layer.presentedFrame().x, layer.velocity(of: .translationX) + layer.velocity(of: .x))

    stage.handle(.key(KeyEvent(.left)), at: 2.4)

    #expect(abs(layer.presentedFrame().x - before.0) < 1e-9)
    #expect(abs(layer.velocity(of: .translationX) + layer.velocity(of: .x) - before.1) < 1e-6)
  }

  @Test func `a page moves in the first frame after the end of a gesture`() throws {
    let (walker, stage) = walker()
    _ = try walker.push(Screen(title: "next"), animated: false)
    let interaction = PercentDrivenInteractiveTransition()
    interaction.completionCurve = .linear
    walker.provider.interaction = interaction
    walker.pop(animated: true)
    interaction.update(0.5)
    let letGo = LetGo { interaction.cancel() }
    stage.layer.add(letGo.recogniser)

    for action in [MouseEvent.Action.press(.left), .drag(.left), .release(.left)] {
      let column = action == .press(.left) ? 1 : 3
      stage.handle(.mouse(MouseEvent(action, at: CellPoint(column: column, row: 1))), at: 3)
    }

    #expect(abs((walker.transitionCoordinator?.percentComplete ?? 0) - 0.4) < 1e-9)
  }

  /// Calls a closure when a drag ends.
  @MainActor private final class LetGo {
    let recogniser: PanRecogniser

    init(_ body: @escaping @MainActor () -> Void) {
      recogniser = PanRecogniser { if $0.state == .ended { body() } }
    }
  }
}
