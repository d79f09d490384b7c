import ArgumentParser
import NavigationService

/// `waymark nav pop-to PLACE`.
struct NavPopToCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "pop-to",
    abstract: "Go up to a place on the stack.",
    discussion: Example.text("waymark nav pop-to english-for-business"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions
  @Argument(help: "A path, or the slug of a place above.", completion: .places, transform: Given.place) var place:
    String

  var request: NavigationRequest { .popTo(.text(place)) }
}
