import Testing
import TextCanvas

@testable import ScreenKit

@MainActor @Suite struct LayerTests {
  /// Makes a layer filled with one letter.
  private func letter(_ text: String, _ frame: Rect) -> Layer {
    let layer = Layer(frame: frame)
    layer.name = text
    layer.drawing = { state in
      var surface = Surface(state.cells.size)
      for row in 0..<surface.rows {
        surface.draw(String(repeating: text, count: surface.columns), at: CellPoint(column: 0, row: row))
      }
      return surface
    }
    return layer
  }

  private func makeLetters() -> (stage: Stage, a: Layer, b: Layer) {
    let stage = Stage(size: CellSize(columns: 6, rows: 1))
    let a = letter("a", Rect(x: 0, y: 0, width: 4, height: 1))
    let b = letter("b", Rect(x: 2, y: 0, width: 4, height: 1))
    stage.layer.add(a)
    stage.layer.add(b)
    return (stage, a, b)
  }

  @Test func `setting a value to NaN changes nothing`() {
    let layer = Layer(frame: Rect(x: 1, y: 2, width: 3, height: 4))

    layer.offset.x = .nan
    layer.opacity = .nan

    #expect(layer.model == LayerState(frame: Rect(x: 1, y: 2, width: 3, height: 4)))
  }

  @Test func `an overshooting spring keeps opacity within 0…1 and sizes nonnegative`() {
    let (stage, a, _) = makeLetters()
    a.opacity = 0

    animate(duration: 1, dampingRatio: 0.1) {
      a.opacity = 1
      a.frame.width = 0
    }

    var highest = 0.0
    for step in 0...100 {
      stage.advance(to: Double(step) / 100)
      highest = max(highest, a.presentation.opacity)
      #expect((0...1).contains(a.presentation.opacity))
      #expect(a.presentation.frame.width >= 0)
    }
    #expect(highest == 1)
  }

  @Test func `a layer with a higher zPosition is drawn and hit first`() {
    let (stage, a, b) = makeLetters()
    let before = (stage.picture(at: 0), stage.hitTest(Point(x: 2.5, y: 0.5)) === b)

    a.zPosition = 1

    #expect(before == (["aabbbb"], true))
    #expect(stage.picture(at: 0) == ["aaaabb"])
    #expect(stage.hitTest(Point(x: 2.5, y: 0.5)) === a)
  }

  @Test(arguments: ["hidden", "faded", "disabled"])
  func `hidden, transparent and disabled layers pass mouse events through`(state: String) {
    let (stage, a, b) = makeLetters()

    switch state {
    case "hidden": b.isHidden = true
    case "faded": b.opacity = 0
    default: b.isUserInteractionEnabled = false
    }

    #expect(stage.hitTest(Point(x: 2.5, y: 0.5)) === a)
  }

  @Test func `layers can be inserted above or below a sibling`() {
    let (stage, a, b) = makeLetters()
    let c = letter("c", .zero)

    stage.layer.add(c, below: b)
    let below = stage.layer.sublayers.map(\.name)
    stage.layer.add(c, below: a)
    let lowest = stage.layer.sublayers.map(\.name)
    stage.layer.add(c, above: a)

    #expect(below == ["a", "c", "b"])
    #expect(lowest == ["c", "a", "b"])
    #expect(stage.layer.sublayers.map(\.name) == ["a", "c", "b"])
  }

  @Test func `a property has no velocity outside its keyframe's time range`() {
    let (stage, a, _) = makeLetters()

    animateKeyframes(duration: 1, [Keyframe(start: 0.5, duration: 0.25) { a.offset.x = 10 }])

    let velocities = [0.25, 0.6, 0.9].map { time in
      stage.advance(to: time)
      return a.velocity(of: .translationX)
    }
    #expect(velocities == [0, 40, 0])
    animateKeyframes(duration: 1, [Keyframe(start: 0.5, duration: 0.5) { a.offset.y = 10 }])
    stage.advance(to: 1)
    #expect(a.velocity(of: .translationY) == 0)
  }
}

@MainActor @Suite struct TimelineTests {
  @Test func `time never goes back`() {
    let stage = Stage(size: CellSize(columns: 1, rows: 1), now: 4)

    stage.advance(to: 3)
    _ = stage.tick(at: 2)
    stage.perform(at: 1) {}

    #expect(stage.now == 4)
  }

  @Test func `scheduled closures run in time order, each at its own time`() {
    let stage = Stage(size: CellSize(columns: 1, rows: 1))
    var times: [Double] = []
    for time in [3.0, 1, 2] { stage.schedule(after: time) { times.append(stage.now) } }

    stage.advance(to: 10)

    #expect(times == [1, 2, 3])
  }
}
