import ArgumentParser
import NavigationService

/// `waymark nav back`.
struct NavBackCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "back",
    abstract: "Go to the visit before this one.",
    discussion: Example.text("waymark nav back"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .back }
}
