import ArgumentParser
import NavigationService

/// `waymark nav forward`.
struct NavForwardCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "forward",
    abstract: "Go to the visit that back came from.",
    discussion: Example.text("waymark nav forward"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .forward }
}
