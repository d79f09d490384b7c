import ArgumentParser
import NavigationService

/// `waymark nav previous`.
struct NavPreviousCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous",
    abstract: "Go to what comes before in reading order.",
    discussion: Example.text("waymark nav previous"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .previous }
}
