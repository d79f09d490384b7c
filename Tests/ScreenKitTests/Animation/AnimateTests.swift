import Testing
import TextCanvas

@testable import ScreenKit

/// A stage with one layer.
@MainActor struct SingleLayerStage {
  let stage = Stage(size: CellSize(columns: 10, rows: 2))
  let layer = Layer(frame: Rect(x: 0, y: 0, width: 2, height: 1))

  init() {
    stage.layer.add(layer)
    _ = stage.tick(at: 0)
  }

  /// Advances the stage to `time` and returns the presented x coordinate of the layer.
  func x(at time: Double) -> Double {
    stage.advance(to: time)
    return layer.presentation.frame.x
  }
}

@MainActor @Suite struct AnimateTests {
  @Test(.checklist("S2.1")) func `the model changes immediately, and the presentation animates to it`() {
    let it = SingleLayerStage()

    animate(duration: 1, curve: .linear) { it.layer.frame.x = 8 }

    #expect(it.layer.frame.x == 8)
    #expect([0, 0.25, 0.5, 1].map { it.x(at: $0) } == [0, 2, 4, 8])
    #expect(it.stage.nextFrameTime == 1)
    _ = it.stage.tick(at: 1)
    #expect(it.stage.nextFrameTime == nil)
  }

  @Test(.checklist("S2.2")) func `an animation without a curve eases in and out`() {
    let it = SingleLayerStage()

    animate(duration: 1) { it.layer.frame.x = 1 }

    #expect([0.25, 0.5].map { it.x(at: $0) } == [0.25, 0.5].map { TimingCurve.easeInOut.progress(at: $0) })
  }

  @Test(.checklist("S2.2"), arguments: [0, -1]) func `an animation without a duration ends at once`(duration: Double) {
    let it = SingleLayerStage()
    var finished: [Bool] = []

    animate(duration: duration) {
      it.layer.frame.x = 8
    } completion: {
      finished.append($0)
    }

    #expect(it.layer.presentation.frame.x == 8)
    #expect(finished == [true])
  }

  @Test(.checklist("S2.3")) func `the completion runs once, at the end of the animation`() {
    let it = SingleLayerStage()
    var finished: [Bool] = []

    animate(duration: 1) {
      it.layer.opacity = 0
    } completion: {
      finished.append($0)
    }
    it.stage.advance(to: 0.99)
    let early = finished
    it.stage.advance(to: 1)
    it.stage.advance(to: 5)

    #expect(early == [])
    #expect(finished == [true])
  }

  @Test(.checklist("S2.3")) func `an animation block without changes completes at once`() {
    let it = SingleLayerStage()
    var finished: [Bool] = []

    it.stage.perform(at: 0) {
      animate(duration: 1) {
        it.layer.opacity = 1
      } completion: {
        finished.append($0)
      }
    }

    #expect(finished == [true])
  }

  @Test(.checklist("S2.3")) func `stopping an animation completes it unfinished and keeps the presented value`() {
    let it = SingleLayerStage()
    var finished: [Bool] = []
    let animator = animate(duration: 1, curve: .linear) {
      it.layer.frame.x = 8
    } completion: {
      finished.append($0)
    }
    it.stage.advance(to: 0.5)

    animator.stop(finishing: false)

    #expect(finished == [false])
    #expect(it.layer.frame.x == 4)
    #expect(!it.layer.isAnimating)
  }

  @Test(.checklist("S2.4")) func `disabling animations applies changes at once and keeps running animations`() {
    let it = SingleLayerStage()
    animate(duration: 1, curve: .linear) { it.layer.frame.x = 8 }
    Layer.areAnimationsEnabled = false
    defer { Layer.areAnimationsEnabled = true }

    animate(duration: 1) { it.layer.opacity = 0 }
    let unanimated = it.layer.presentation.opacity
    Layer.areAnimationsEnabled = true
    animate(duration: 1, curve: .linear) { it.layer.opacity = 1 }

    #expect(unanimated == 0)
    #expect(it.layer.presentation.opacity == 0)
    #expect(it.x(at: 0.5) == 4)
    #expect(it.layer.presentation.opacity == 0.5)
  }

  @Test(.checklist("S2.5")) func `changes in withoutAnimation do not animate, even in nested blocks`() {
    let it = SingleLayerStage()

    animate(duration: 1, curve: .linear) {
      withoutAnimation {
        it.layer.frame.y = 1
        withoutAnimation { it.layer.opacity = 0.5 }
        animate(duration: 1) { it.layer.frame.width = 5 }
      }
      it.layer.frame.x = 8
    }

    #expect(it.layer.presentation.frame == Rect(x: 0, y: 1, width: 5, height: 1))
    #expect(it.layer.presentation.opacity == 0.5)
    #expect(it.x(at: 0.5) == 4)
  }

  @Test(.checklist("S2.6", "S2.7")) func `a spring overshoots and ends exactly at its duration`() {
    let it = SingleLayerStage()
    var end: Double?

    animate(duration: 1, dampingRatio: 0.75, initialVelocity: 0.5) {
      it.layer.frame.x = 1
    } completion: { _ in
      end = it.stage.now
    }

    // Reference values of the spring in objc.io issue 12: 1 s, damping ratio 0.75, initial velocity 0.5.
    let expected = [0, 0.290139914, 0.669899913, 0.907371863, 1.006556492, 1.028375962]
    for (step, value) in expected.enumerated() { #expect(abs(it.x(at: Double(step) / 10) - value) < 1e-6) }
    #expect(it.x(at: 1) == 1)
    #expect(end == 1)
  }

  @Test(.checklist("S2.6")) func `a spring without bounce never overshoots`() {
    let it = SingleLayerStage()

    animate(duration: 1, dampingRatio: 1) { it.layer.frame.x = 1 }

    #expect((0...100).allSatisfy { it.x(at: Double($0) / 100) <= 1 })
  }

  @Test func `retargeting a spring during its animation adds a second spring`() {
    // Measured on UIKit: from 50 to 150, retargeted to 350 after 0.25 s. The two springs are additive.
    let it = SingleLayerStage()
    it.layer.frame.x = 50
    animate(duration: 0.4, dampingRatio: 0.8) { it.layer.frame.x = 150 }
    it.stage.advance(to: 0.25)

    animate(duration: 0.4, dampingRatio: 0.8, initialVelocity: 1) { it.layer.frame.x = 350 }

    let times = [0.25, 0.26, 0.3, 0.35, 0.39, 0.4, 0.41, 0.5, 0.6, 0.64]
    let expected = [
      151.424891, 157.396239, 222.497065, 301.383257, 335.203089, 340.127694, 344.02422, 352.851566, 350.498861,
      350.116738,
    ]
    for (time, value) in zip(times, expected) { #expect(abs(it.x(at: time) - value) < 2e-4) }
    #expect(it.x(at: 0.65) == 350)
  }

  @Test func `an animation started in a completion starts on time, even in late frames`() {
    let frames = [[0.05, 0.1, 0.15], [0.15]].map { times in
      let it = SingleLayerStage()
      animate(duration: 0.1, curve: .linear) {
        it.layer.frame.x = 2
      } completion: { _ in
        animate(duration: 0.1, curve: .linear) { it.layer.frame.x = 4 }
      }
      return times.map { it.x(at: $0) }.last
    }

    #expect(frames[0] == frames[1])
    #expect(abs((frames[1] ?? 0) - 3) < 1e-9)
  }

  @Test func `sublayers laid out by a resized layer animate with it`() {
    let it = SingleLayerStage()
    let inner = Layer(frame: Rect(x: 0, y: 0, width: 2, height: 1))
    it.layer.add(inner)
    it.layer.layout = { layer in inner.frame = layer.bounds }

    animate(duration: 1, curve: .linear) { it.layer.frame.width = 6 }
    it.stage.advance(to: 0.5)

    #expect(inner.presentation.frame.width == 4)
  }

  @Test func `a delayed animation keeps the start value until its delay ends`() {
    let it = SingleLayerStage()

    animate(duration: 1, delay: 1, curve: .linear) { it.layer.frame.x = 8 }

    #expect(it.stage.tick(at: 0).children.first?.frame.x == 0)
    #expect(it.stage.nextFrameTime == 1)
    #expect([0.5, 1, 1.5, 2].map { it.x(at: $0) } == [0, 0, 4, 8])
  }

  @Test func `custom values of a layer animate, and the layer is drawn again`() {
    let it = SingleLayerStage()
    it.layer.drawing = { state in
      var surface = Surface(columns: 2, rows: 1)
      surface.draw("\(Int((state.values["progress"] ?? 0) * 10))", at: .zero)
      return surface
    }

    animate(duration: 1, curve: .linear) { it.layer.values["progress"] = 1 }

    #expect([0, 0.5, 1].map { it.stage.picture(at: $0)[0].prefix(2) } == ["0 ", "5 ", "10"])
  }
}

/// Removing the animations of a layer calls their completions.
@MainActor @Suite struct RemovedAnimationTests {
  @Test(.checklist("S2.3")) func `removing all animations completes each of them once with false`() {
    let it = SingleLayerStage()
    var ends: [String] = []

    animate(duration: 1) {
      it.layer.frame.x = 8
    } completion: {
      ends.append("first \($0) at \(it.stage.now)")
    }
    animate(duration: 2) {
      it.layer.opacity = 0.5
    } completion: {
      ends.append("second \($0) at \(it.stage.now)")
    }
    it.stage.advance(to: 0.5)
    it.layer.removeAllAnimations()
    let notified = ends
    it.stage.advance(to: 5)

    #expect(notified == ["first false at 0.5", "second false at 0.5"])
    #expect(ends == notified)
    #expect((it.layer.presentation.frame.x, it.layer.isAnimating) == (8, false))
    _ = it.stage.tick(at: 5)
    #expect(it.stage.nextFrameTime == nil)
  }

  @Test func `an animation of two layers continues on one after it is removed from the other`() {
    let it = SingleLayerStage()
    let other = Layer()
    it.stage.layer.add(other)
    var ends: [String] = []

    animate(duration: 1, curve: .linear) {
      it.layer.frame.x = 8
      other.frame.x = 4
    } completion: {
      ends.append("\($0) at \(it.stage.now)")
    }
    it.stage.advance(to: 0.5)
    it.layer.removeAllAnimations()
    let middle = (it.layer.presentation.frame.x, other.presentation.frame.x, ends)
    it.stage.advance(to: 2)

    #expect(middle == (8, 2, []))
    #expect(ends == ["true at 1.0"])
  }
}

@MainActor @Suite struct KeyframeTests {
  @Test(.checklist("S2.8", "S2.9", "S2.10", "S2.11"))
  func `keyframes run in their time ranges, each from the previous end value`() {
    let it = SingleLayerStage()
    var ends: [Double] = []
    let third = 1.0 / 3

    animateKeyframes(
      duration: 0.35, delay: 0.1,
      [
        Keyframe(start: 0, duration: third) { it.layer.frame.x = 0.2 },
        Keyframe(start: third, duration: third) { it.layer.frame.x = 0.9 },
        Keyframe(start: 2 * third, duration: third) { it.layer.frame.x = 1 },
      ]
    ) { _ in ends.append(it.stage.now) }

    let expected = [0, 0.06, 0.12, 0.18, 0.34, 0.55, 0.76, 0.91, 0.94, 0.97, 1]
    for (step, value) in expected.enumerated() {
      #expect(abs(it.x(at: 0.1 + 0.35 * Double(step) / 10) - value) < 1e-9)
    }
    it.stage.advance(to: 1)
    #expect(ends.count == 1)
    #expect(abs((ends.first ?? 0) - 0.45) < 1e-12)
  }

  @Test(.checklist("S2.9", "S2.10")) func `a keyframe that ends after the animation is clipped and reported`() {
    let it = SingleLayerStage()
    var issues: [ScreenIssue] = []
    it.stage.onIssue = { issues.append($0) }

    it.stage.perform(at: 0) {
      _ = animateKeyframes(duration: 1, [Keyframe(start: 0.5, duration: 1) { it.layer.frame.x = 8 }])
    }

    #expect(issues == [.keyframeOutsideAnimation(start: 0.5, duration: 1)])
    #expect([0.5, 0.75, 1].map { it.x(at: $0) } == [0, 4, 8])
  }

  @Test(
    .checklist("S2.9"),
    arguments: [
      (-0.25, 0.75, [0, 4, 8, 8]), (0.5, -0.5, [0, 0, 8, 8]), (-1, 0.5, [8, 8, 8, 8]), (2, 1, [0, 0, 0, 0]),
      (0, 2, [0, 2, 4, 6]),
    ] as [(Double, Double, [Double])])
  func `a keyframe with an invalid time range is clipped and reported`(
    start: Double, duration: Double, places: [Double]
  ) {
    let it = SingleLayerStage()
    var issues: [ScreenIssue] = []
    it.stage.onIssue = { issues.append($0) }

    it.stage.perform(at: 0) {
      _ = animateKeyframes(duration: 1, [Keyframe(start: start, duration: duration) { it.layer.frame.x = 8 }])
    }
    let positions = [0.0001, 0.25, 0.5, 0.75].map { it.x(at: $0).rounded() }
    it.stage.advance(to: 1)

    #expect(issues == [.keyframeOutsideAnimation(start: start, duration: duration)])
    #expect(positions == places)
    #expect(it.x(at: 1) == 8)
  }

  @Test func `keyframes within the animation are not reported, even with zero length`() {
    let it = SingleLayerStage()
    var issues: [ScreenIssue] = []
    it.stage.onIssue = { issues.append($0) }

    it.stage.perform(at: 0) {
      _ = animateKeyframes(
        duration: 1, [Keyframe(start: 0, duration: 1) {}, Keyframe(start: 1, duration: 0) { it.layer.frame.x = 8 }])
    }

    #expect(issues == [])
    #expect([0.99, 1].map { it.x(at: $0) } == [0, 8])
  }
}
