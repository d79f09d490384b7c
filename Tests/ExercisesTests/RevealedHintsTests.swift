import LearningModel
import Testing

@testable import Exercises

@Suite struct RevealedHintsTests {
  private let exercise = Exercise(task: [], hints: [[], []], solution: [.paragraph([.text("42")])])

  private func requests(isPassed: Bool) -> [RevealedHints.Next] {
    var hints = RevealedHints()
    return (0..<6).map { _ in
      let next = hints.next(of: exercise, isPassed: isPassed)
      hints.reveal(next)
      return next
    }
  }

  @Test func `the solution comes after the hints, and has to be confirmed unless the exercise is passed`() {
    #expect(requests(isPassed: true) == [.hint(0), .hint(1), .solution, .nothing, .nothing, .nothing])
    #expect(requests(isPassed: false) == [.hint(0), .hint(1), .question, .solution, .nothing, .nothing])
  }

  @Test func `a question that is declined is asked again`() {
    var hints = RevealedHints()
    let exercise = exercise.with(hints: [])
    hints.reveal(hints.next(of: exercise, isPassed: false))
    hints.decline()

    #expect(hints.next(of: exercise, isPassed: false) == .question)
  }

  @Test func `an exercise without hints and a solution shows nothing`() {
    #expect(RevealedHints().next(of: Exercise(task: []), isPassed: true) == .nothing)
  }
}
