import ArgumentParser
import NavigationService

/// `waymark nav pop-to-root`.
struct NavPopToRootCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "pop-to-root",
    abstract: "Go up to the list of courses.",
    discussion: Example.text("waymark nav pop-to-root"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .popToRoot }
}
