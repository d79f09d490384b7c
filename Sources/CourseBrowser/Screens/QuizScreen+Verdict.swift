import CoursePages
import LearningModel
import Motion
import ScreenKit
import TextCanvas

/// What is said of an answer as it is checked.
extension QuizScreen {
  /// Shows what was ticked and the verdict on it together where there is room for both, else the verdict.
  func showVerdict(_ run: QuizRun) {
    let first = set.choices.indices.first { run.ticked.contains($0) }.map { set.choices[$0].lowerBound }
    if let first, set.verdict.lowerBound + 2 - first <= paneFrame.rows {
      scroll(toShow: first..<set.verdict.upperBound)
    } else {
      scroll(toShow: set.verdict.lowerBound + 1..<set.verdict.upperBound)
    }
  }

  /// Shakes what was wrong and lets what was right shine.
  func playVerdict(_ run: QuizRun) {
    guard shell.motion == .full, let question = run.question else { return }
    for (number, choice) in question.choices.enumerated() where run.ticked.contains(number) {
      let rows = set.choices[number]
      guard rows.lowerBound >= scroll, !hasPicture(in: rows) else { continue }
      let layer = VerdictLayer(
        Array(text.lines[rows]), isRight: choice.isRight,
        frame: CellRect(
          column: paneFrame.column - VerdictLayer.margin, row: paneFrame.row + rows.lowerBound - scroll,
          columns: paneFrame.columns + 2 * VerdictLayer.margin, rows: rows.count),
        plain: drawing.theme[.ink], band: drawing.theme.bold(.activity))
      body.add(layer)
      verdicts.append(layer)
      layer.play()
    }
  }

  /// A picture is neither shaken nor coloured.
  private func hasPicture(in lines: Range<Int>) -> Bool {
    text.pictures.contains { $0.cells.map { lines.contains($0.row) } ?? false }
  }

  /// Ends that at once, as where the page is laid out anew.
  func endVerdict() {
    for layer in verdicts {
      layer.removeAllAnimations()
      layer.removeFromSuperlayer()
    }
    verdicts = []
  }
}
