import Answers
import ArgumentParser
import LearningModel
import NavigationService

/// What every single operation of `waymark nav` understands.
struct StepOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The session that moves; it ends after four idle hours.", valueName: "name"),
    transform: Given.session)
  var session = "shell"

  @Flag(help: "Only say what would happen.") var dryRun = false

  @OptionGroup var output: OutputOptions
}

/// An operation that is performed, or only computed, and printed as a step.
protocol StepCommand: ParsableCommand {
  var global: GlobalOptions { get }
  var step: StepOptions { get }
  var request: NavigationRequest { get }
}

extension StepCommand {
  mutating func run() throws {
    let service = try global.navigation(session: .named(step.session))
    let answer = step.dryRun ? try service.predict(request) : try service.perform(request, cause: .shell)

    try Printing.value(answer, fields: Fields.step, table: answer.sentence, as: step.output.format)
  }
}
