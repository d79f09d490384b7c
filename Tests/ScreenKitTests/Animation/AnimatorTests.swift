import Testing
import TextCanvas

@testable import ScreenKit

@MainActor @Suite struct AnimatorTests {
  @Test func `an animator does nothing before it starts`() {
    let it = SingleLayerStage()
    let animator = Animator(duration: 1, curve: .linear) { it.layer.frame.x = 8 }

    #expect(it.layer.frame.x == 0)
    #expect(animator.state == .inactive)
    animator.start()
    #expect(it.layer.frame.x == 8)
    #expect(it.x(at: 0.5) == 4)
  }

  @Test func `an animator can be paused, scrubbed and continued`() {
    let it = SingleLayerStage()
    let animator = animate(duration: 1, curve: .linear) { it.layer.frame.x = 8 }
    it.stage.advance(to: 0.25)

    animator.pause()
    let paused = it.x(at: 5)
    animator.fractionComplete = 0.75
    let scrubbed = it.x(at: 6)
    animator.continueAnimation()

    #expect(paused == 2)
    #expect(scrubbed == 6)
    #expect(abs(it.x(at: 6.125) - 7) < 1e-9)
    #expect(it.x(at: 6.25) == 8)
    #expect(animator.state == .ended)
  }

  @Test func `a paused animator needs no frames`() {
    let it = SingleLayerStage()
    let animator = animate(duration: 1) { it.layer.frame.x = 8 }

    animator.pause()
    _ = it.stage.tick(at: 0.1)

    #expect(it.stage.nextFrameTime == nil)
  }

  @Test func `reversing keeps position and velocity and restores the model value`() {
    let it = SingleLayerStage()
    let animator = animate(duration: 1, curve: .spring(duration: 0.5, bounce: 0)) { it.layer.frame.x = 1 }
    it.stage.advance(to: 0.15)

    animator.isReversed = true

    // Reference values: the spring of 0.5 s without bounce, reversed at 0.15 s.
    let expected = [0.561960454, 0.584104234, 0.463285997, 0.328073485, 0.218190979, 0.139431733]
    for (step, value) in expected.enumerated() {
      #expect(abs(it.x(at: 0.15 + Double(step) * 0.05) - value) < 1e-6)
    }
    it.stage.advance(to: 3)
    #expect(it.layer.frame.x == 0)
    #expect(!it.layer.isAnimating)
  }

  @Test func `reversing a timing curve also keeps the velocity`() {
    let it = SingleLayerStage()
    let animator = animate(duration: 1) { it.layer.frame.x = 1 }
    it.stage.advance(to: 0.5)
    let before = it.layer.velocity(of: .x)

    animator.isReversed = true

    #expect(abs(it.layer.velocity(of: .x) - before) < 1e-9)
    #expect((0...100).map { it.x(at: 0.5 + Double($0) / 100) }.allSatisfy { $0 > -1e-3 && $0 < 1 })
  }

  @Test func `continuing with a velocity starts at that velocity and never overshoots`() {
    let it = SingleLayerStage()
    let animator = animate(duration: 1, curve: .linear) { it.layer.frame.x = 1 }
    animator.fractionComplete = 0.5

    animator.continueAnimation(velocity: 40)

    #expect(abs(it.layer.velocity(of: .x) - 40) < 1e-9)
    #expect((0...100).allSatisfy { it.x(at: Double($0) / 100) <= 1 })
    #expect(it.layer.frame.x == 1)
  }

  @Test func `an animation added with a delay factor starts later than the others`() {
    let it = SingleLayerStage()
    let animator = Animator(duration: 1, curve: .linear) { it.layer.frame.x = 8 }
    animator.addAnimations(delayFactor: 0.5) { it.layer.opacity = 0 }

    animator.start()
    it.stage.advance(to: 0.75)

    #expect(it.layer.presentation.frame.x == 6)
    #expect(it.layer.presentation.opacity == 0.5)
  }

  @Test func `stopping with finishing jumps to the target value`() {
    let it = SingleLayerStage()
    let animator = animate(duration: 1) { it.layer.frame.x = 8 }

    animator.stop(finishing: true)

    #expect(it.layer.presentation.frame.x == 8)
    #expect(animator.state == .ended)
  }
}
