import ArgumentParser
import LearningModel
import NavigationService

/// `waymark learners erase NAME`.
struct LearnersEraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase everything of one learner. It cannot be taken back.",
    discussion: Example.text("waymark learners erase ada --yes"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The learner's name.") var name: String
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
  /// Says what was erased, and what is still to be swept.
  func report() {
    Printing.line("Erased \(steps) steps and \(activities) things done of learner “\(learner)”.")
    if !isSwept {
      StandardError.write(
        "Another program is reading the database, and its write-ahead log may still hold what was erased. "
          + "It is swept when anything is erased again.\n")
    }
  }
}
