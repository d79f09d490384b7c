import Answers
import ArgumentParser
import LearningModel
import NavigationService

/// `waymark learners erase NAME`.
struct LearnersEraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase everything of one learner. It cannot be taken back.",
    discussion: Example.text("waymark learners erase ada --yes")
      + "\n\nCopies that you have made, and files that you have exported, are yours to delete.")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The learner's name.", completion: .learners) var name: String
  @Flag(help: "Do not ask.") var yes = false

  func run() throws {
    let service = try global.history()
    // Nobody is asked about somebody that there is not.
    _ = try service.sessions(of: .named(name))
    if !yes {
      let question = "Erase everything of learner “\(name)”? It cannot be taken back."
      guard try Question.ask(question, orFail: "erase learner '\(name)'") else { return }
    }
    try service.eraseLearner(name).report()
  }
}

extension Erasure {
  /// Says what was erased, and what still holds it.
  ///
  /// - Parameter endsWell: Whether a copy that still holds it is only told of.
  /// - Throws: An exit code where something still does: 75 where it helps to try again.
  func report(copiesMayStay endsWell: Bool = false) throws {
    Printing.line("Erased \(steps) steps and \(activities) things done of learner “\(learner)”.")
    for copy in copies { Printing.line("Erased them from the copy '\(copy)' too.") }
    for copy in untouchedCopies {
      StandardError.write(
        "\(copy.reason) Delete that copy, which is from before an update, when nobody needs it any more.\n"
          .harmlessLines)
    }
    if !isSwept {
      StandardError.write(
        "Could not sweep the database: another program is reading it, and its write-ahead log may still hold what was "
          + "erased. Close that program, and run 'waymark database rebuild', which sweeps too.\n")
    }
    if !isSwept { throw ExitCode(FailureKind.tryAgain.exitStatus) }
    if !untouchedCopies.isEmpty, !endsWell { throw ExitCode(FailureKind.refused.exitStatus) }
  }
}
