import ArgumentParser
import NavigationService

/// `waymark nav resume`.
struct NavResumeCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Take up where you left off, in any session.",
    discussion: Example.text("waymark nav resume"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .resume }
}
