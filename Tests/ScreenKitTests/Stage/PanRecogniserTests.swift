import Testing
import TextCanvas

@testable import ScreenKit

@MainActor @Suite struct PanRecogniserTests {
  private func mouse(_ action: MouseEvent.Action, _ column: Int) -> InputEvent {
    .mouse(MouseEvent(action, at: CellPoint(column: column, row: 0)))
  }

  @Test func `a pan reports the velocity of its last tenth of a second`() {
    let stage = makeStage(TracingScreen("A"), columns: 40)
    var reports: [String] = []
    stage.layer.add(
      PanRecogniser(axes: .horizontal, threshold: 2) { pan in
        reports.append("\(pan.state) \(pan.translation.x) \(pan.velocity.x)")
      })

    for (action, column, time) in [
      (MouseEvent.Action.press(.left), 0, 0.0), (.drag(.left), 1, 0.5), (.drag(.left), 2, 1.0), (.drag(.left), 5, 1.05),
      (.drag(.left), 10, 1.1), (.release(.left), 10, 1.1),
    ] {
      stage.handle(mouse(action, column), at: time)
    }

    #expect(
      reports.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
        "began 2.0", "changed 5.0", "changed 10.0", "ended 10.0",
      ])
    // Eight columns in the last 0.1 s, including its start. In the second half of that interval the speed was higher.
    #expect(reports.last?.hasSuffix(" 80.0") == true || reports.last?.contains(" 79.99") == true)
  }

  @Test func `a pan that reverses ends with the velocity of its latest direction`() {
    let stage = makeStage(TracingScreen("A"), columns: 60)
    var speed: Double?
    stage.layer.add(
      PanRecogniser(axes: .horizontal) { pan in
        if pan.state == .ended { speed = pan.velocity.x }
      })

    for (action, column, time) in [
      (MouseEvent.Action.press(.left), 0, 0.0), (.drag(.left), 40, 0.02), (.drag(.left), 30, 0.04),
      (.drag(.left), 10, 0.08), (.release(.left), 10, 0.08),
    ] {
      stage.handle(mouse(action, column), at: time)
    }

    // The mouse moved from column 40 to 10 in 0.06 s, although the total translation is ten columns to the right.
    #expect(abs((speed ?? 0) + 500) < 1e-6)
  }

  @Test(.checklist("S0.54")) func `the article's gesture halves the drag's distance and finishes beyond a fifth`()
    throws
  {
    for (columns, stays) in [(3, true), (5, false)] {
      let it = try TracedStack("AB")
      let interaction = PercentDrivenInteractiveTransition()
      it.provider.interaction = interaction
      it.stack.layer.add(
        PanRecogniser(axes: .horizontal) { pan in
          let fraction = 0.5 * pan.translation.x / 10
          switch pan.state {
          case .began: it.stack.pop(animated: true)
          case .changed: interaction.update(fraction)
          case .ended: fraction > 0.2 ? interaction.finish() : interaction.cancel()
          case .possible, .cancelled: interaction.cancel()
          }
        })

      it.stage.handle(mouse(.press(.left), 0), at: 0)
      for column in 1...columns { it.stage.handle(mouse(.drag(.left), column), at: Double(column) / 10) }
      let reported = interaction.percentComplete
      it.stage.handle(mouse(.release(.left), columns), at: 1)
      it.stage.advance(to: 3)

      #expect(abs(reported - 0.05 * Double(columns)) < 1e-12)
      #expect(it.stackTitles == (stays ? "AB" : "A"))
    }
  }

  @Test func `a horizontal pan ignores vertical drags and recognises horizontal ones`() {
    let stage = makeStage(TracingScreen("A"), columns: 40, rows: 9)
    let small = Layer(frame: Rect(x: 0, y: 0, width: 2, height: 9))
    stage.layer.add(small)
    var reports: [String] = []
    small.add(PanRecogniser(axes: .horizontal, threshold: 2) { reports.append("\($0.state) \($0.translation.x)") })
    func drag(to column: Int, _ row: Int, at time: Double) {
      stage.handle(.mouse(MouseEvent(.drag(.left), at: CellPoint(column: column, row: row))), at: time)
    }

    stage.handle(mouse(.press(.left), 0), at: 0)
    drag(to: 0, 7, at: 0.1)
    let across = reports
    drag(to: 9, 7, at: 0.2)
    drag(to: 30, 7, at: 0.3)
    stage.handle(mouse(.release(.left), 30), at: 0.4)

    #expect(across == [])
    #expect(reports == ["began 9.0", "changed 30.0", "ended 30.0"])
  }

  @Test func `a pan cancelled during a drag reports no further states`() {
    let stage = makeStage(TracingScreen("A"))
    var states: [PanRecogniser.State] = []
    let pan = PanRecogniser { states.append($0.state) }
    stage.layer.add(pan)
    stage.handle(mouse(.press(.left), 0), at: 0)
    stage.handle(mouse(.drag(.left), 3), at: 0.1)

    pan.cancel()
    stage.handle(mouse(.release(.left), 3), at: 0.2)

    #expect(states == [.began, .cancelled])
  }

  @Test func `a recogniser removed from its layer receives no drags`() {
    let stage = makeStage(TracingScreen("A"))
    var states: [PanRecogniser.State] = []
    let pan = PanRecogniser { states.append($0.state) }
    stage.layer.add(pan)

    stage.layer.remove(pan)
    stage.handle(mouse(.press(.left), 0), at: 0)
    stage.handle(mouse(.drag(.left), 3), at: 0.1)
    stage.handle(mouse(.release(.left), 3), at: 0.2)

    #expect(states == [])
  }
}
