import ArgumentParser
import NavigationService

/// `waymark nav push PLACE`.
struct NavPushCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Go down to a child of the place you are at.",
    discussion: Example.text("waymark nav push negotiating"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions
  @Argument(help: "A path, or the slug of a child.", completion: .places, transform: Given.place) var place: String

  var request: NavigationRequest { .push(.text(place)) }
}
