import ArgumentParser
import NavigationService

/// `waymark nav next`.
struct NavNextCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Go on to what follows in reading order.",
    discussion: Example.text("waymark nav next"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .next }
}
