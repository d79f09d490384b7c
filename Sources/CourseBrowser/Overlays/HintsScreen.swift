import CoursePages
import Exercises
import LearningModel
import ScreenKit
import TextCanvas

/// The hints of an exercise that the learner has asked for, the newest first, and the author's solution.
@MainActor final class HintsScreen: SheetScreen {
  private let exercise: Exercise
  private let solution: [Block]
  private let work: ExerciseWork
  private let isPassed: Bool
  /// The time at which the question whether the solution is shown appeared.
  private var askedAt = 0.0

  init(
    _ exercise: Exercise, _ solution: [Block], _ work: ExerciseWork, isPassed: Bool, context: ScreenContext,
    source: @escaping () -> CellRect
  ) {
    (self.exercise, self.solution, self.work, self.isPassed) = (exercise, solution, work, isPassed)
    super.init(title: exercise.hints.isEmpty ? "Solution" : "Hints", context: context, source: source)
    askedAt = context.stage.now
  }

  private var next: RevealedHints.Next { work.hints.next(of: exercise, isPassed: isPassed) }

  override var topRight: String {
    exercise.hints.isEmpty ? "" : "\(work.hints.count) of \(exercise.hints.count)"
  }

  override func text(width: Int) -> [StyledLine] {
    func section(_ title: String, _ blocks: [Block]) -> [Block] {
      [.heading(level: 2, text: [.text(title)], anchor: "")] + blocks
    }
    var blocks: [Block] = []
    if work.hints.isAsking {
      blocks.append(
        .paragraph([
          .text(
            "You have not passed this exercise.\(context.label(of: .hint).map { " \($0) shows the solution." } ?? "")")
        ]))
    }
    if work.hints.showsSolution { blocks += section("Solution", solution) }
    for number in (0..<work.hints.count).reversed() {
      blocks += section("Hint \(number + 1)", exercise.hints[number])
    }
    return ReadingLayout(width: width, theme: drawing.theme, symbols: drawing.symbols).text(blocks).lines
  }

  override func offer(_ command: Command) -> Offer? {
    guard command == .hint else { return super.offer(command) }
    let label =
      switch next {
      case .hint: "next hint"
      case .solution, .question: "solution"
      case .nothing: ""
      }
    guard next != .nothing else { return nil }
    return Offer(label, order: -1) { [self] in
      let now = context.stage.now
      if work.hints.isAsking, now - askedAt < PermissionScreen.readingTime { return }
      work.hints.reveal(next)
      askedAt = now
      layOutPanel()
      context.showFooter()
    }
  }

  override func close() {
    work.hints.decline()
    super.close()
  }
}
