import Testing
import TextCanvas

@testable import ScreenKit

/// Tests the values of each container's context at the start of its animator.
@MainActor @Suite struct ContextTests {
  private struct ContextValues: Equatable {
    var style: PresentationStyle
    var initial: [Rect]
    var final: [Rect]
    /// The initial and final frame of a screen that is not part of the transition.
    var other: [Rect]
    /// The frame of the new layer at that time. `layers` has the names of the layers in the container.
    var newFrame: Rect
    var layers: String
  }

  /// Returns the context's values for the transitions forward and back, in a container of 10 × 2.
  private func said(in kind: ContainerScene.Kind) throws -> [ContextValues] {
    let it = ContainerScene(kind)
    var all: [ContextValues] = []
    for navigate in [it.forward, it.back] {
      it.provider.other = Scripted { context in
        let screens = [context.from, context.to]
        all.append(
          ContextValues(
            style: context.presentationStyle, initial: screens.map(context.initialFrame),
            final: screens.map(context.finalFrame),
            other: [context.initialFrame(for: it.c), context.finalFrame(for: it.c)],
            newFrame: context.to.layer.frame, layers: context.container.sublayers.map(\.name).joined()))
        context.completeTransition(true)
      }
      _ = try navigate(true)
    }
    return all
  }

  private func place(_ x: Double, _ y: Double = 0) -> Rect { Rect(x: x, y: y, width: 10, height: 2) }

  @Test(
    .checklist("S0.10", "S0.12", "S0.13", "S0.14", "S0.15", "S0.16", "S0.23", "S2.24", "S2.32"),
    arguments: [ContainerScene.Kind.stack, .tabs, .content, .pile])
  func `the context places both screens side by side in a container`(
    kind: ContainerScene.Kind
  ) throws {
    let reported = try said(in: kind)

    // `ContentScreen` has no direction: new content always enters from the right.
    let back = kind == .content ? 10.0 : -10
    #expect(
      reported == [
        ContextValues(
          style: .custom, initial: [place(0), place(10)], final: [place(-10), place(0)], other: [place(10), place(0)],
          newFrame: place(0), layers: "AB"),
        ContextValues(
          style: .custom, initial: [place(0), place(back)], final: [place(-back), place(0)],
          other: [place(back), place(0)], newFrame: place(0), layers: [.stack, .pile].contains(kind) ? "AB" : "BA"),
      ])
  }

  @Test(.checklist("S0.16", "S0.23", "S2.13", "S2.24"), arguments: [ContainerScene.Kind.modal, .customModal])
  func `the context of a presentation moves the presented screen in from below`(kind: ContainerScene.Kind) throws {
    let reported = try said(in: kind)

    let style = kind == .modal ? PresentationStyle.fullScreen : .custom
    #expect(
      reported == [
        ContextValues(
          style: style, initial: [place(0), place(0, 2)], final: [place(0), place(0)], other: [place(0, 2), place(0)],
          newFrame: place(0), layers: "AB"),
        ContextValues(
          style: style, initial: [place(0), place(0)], final: [place(0, 2), place(0)], other: [place(0), place(0)],
          newFrame: place(0), layers: "AB"),
      ])
  }

  @Test(.checklist("S0.15", "S0.16"), arguments: [((0, 1), 10.0), ((1, 0), -10.0)])
  func `the article's context moves any other screen in from the side`(
    indexes: (Int, Int), side: Double
  ) throws {
    let container = Layer(frame: Rect(x: 3, y: 1, width: 10, height: 2))
    let (from, to, third) = (Screen(), Screen(), Screen())
    container.add(from.layer)

    let context = try ArticleContext(from: from, to: to, indexes: indexes)

    #expect([from, to, third].map(context.initialFrame) == [place(0), place(side), place(side)])
    #expect([from, to, third].map(context.finalFrame) == [place(-side), place(0), place(0)])
  }
}

/// Tests the order of the calls around the animation of a container.
@MainActor @Suite struct ContainerOrderTests {
  /// Records at each call which layers are in the container, and whether its input is enabled.
  private final class Watching: TracingScreen {
    var state: () -> String = { "" }
    override func didMove(to parent: Screen?) {
      super.didMove(to: parent)
      trace.note("  \(state())")
    }
    override func didDisappear(animated: Bool) {
      super.didDisappear(animated: animated)
      trace.note("  \(state())")
    }
  }

  @Test(.checklist("S0.23", "S0.24", "S0.32"), arguments: [true, false])
  func `the container of objc.io issue 12 removes the old layer first and enables input last`(completes: Bool) throws {
    final class Last: AnimatedTransitioning {
      let begins: (any TransitionContext) -> Void
      let ends: () -> Void
      init(begins: @escaping (any TransitionContext) -> Void, ends: @escaping () -> Void) {
        (self.begins, self.ends) = (begins, ends)
      }
      func transitionDuration(using context: (any TransitionContext)?) -> Double { 1 }
      func animateTransition(using context: any TransitionContext) { begins(context) }
      func animationEnded(_ completed: Bool) { ends() }
    }
    let trace = Trace()
    let screens = "AB".map { Watching("\($0)", trace) }
    let container = try ArticleContainer(screens)
    let delegate = ArticleDelegate()
    container.delegate = delegate
    let stage = makeStage(container)
    let state = { [unowned container] in
      container.containerLayer.sublayers.map(\.name).joined() + (container.isSwitcherEnabled ? " on" : " off")
    }
    for screen in screens { screen.state = state }
    var frame: Rect?
    delegate.animator = Last {
      frame = $0.to.layer.frame
      $0.addToLayer()
      if !completes { $0.cancelInteractiveTransition() }
      _ = trace.take()
      $0.completeTransition(completes)
    } ends: {
      trace.note("ended")
      trace.note("  \(state())")
    }

    container.press(1)

    #expect(frame == Rect(stage.layer.bounds.cells))
    let calls = trace.take().filter { !$0.contains("ppear(") && !$0.hasSuffix("didAppear") }
    #expect(
      calls
        == (completes
          ? [
            "A.didMove(nil)", "  B off", "B.didMove(container)", "  B off", "A.didDisappear", "  B off", "ended",
            "  B off",
          ]
          : [
            "B.didDisappear", "  AB off", "B.willMove(nil)", "B.didMove(nil)", "  A off", "A.didMove(container)",
            "  A off", "ended", "  A off",
          ]))
    #expect(state() == (completes ? "B on" : "A on"))
  }

  @Test(.checklist("S0.24", "S2.31"), arguments: ["stack", "content", "pile"])
  func `the library's containers remove the old layer before any callback`(kind: String) throws {
    let trace = Trace()
    let (from, to) = (Watching("A", trace), Watching("B", trace))
    let stack = StackScreen(root: from)
    let (container, show): (Screen, () throws -> Void) =
      switch kind {
      case "stack": (stack, { _ = try stack.setScreens([to], animated: true) })
      case "content":
        {
          from.removeFromParent()
          let content = ContentScreen(TracingScreen("?"))
          content.content = to
          content.content = from.parent == nil ? from : Watching("A", trace)
          return (content, { content.set(to, animated: true) })
        }()
      default:
        {
          let pile = Pile(Watching("A", trace))
          return (pile, { _ = try pile.show(to) })
        }()
      }
    let stage = makeStage(container)
    for screen in [to] + container.children.compactMap({ $0 as? Watching }) {
      screen.state = { [unowned container] in container.layer.sublayers.map(\.name).joined() }
    }
    try show()
    stage.advance(to: 0.1)
    _ = trace.take()

    stage.advance(to: 3)

    #expect(Set(trace.take().filter { $0.hasPrefix("  ") }) == ["  B"])
  }
}
