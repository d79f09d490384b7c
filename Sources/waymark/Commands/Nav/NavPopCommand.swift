import ArgumentParser
import NavigationService

/// `waymark nav pop`.
struct NavPopCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "pop",
    abstract: "Go up to the parent.",
    discussion: Example.text("waymark nav pop --dry-run"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .pop }
}
