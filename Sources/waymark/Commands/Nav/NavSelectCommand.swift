import ArgumentParser
import NavigationService

/// `waymark nav select PLACE`.
struct NavSelectCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "select",
    abstract: "Go to another child of the same parent.",
    discussion: Example.text("waymark nav select writing"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions
  @Argument(help: "A path, or the slug of a sibling.", completion: .places, transform: Given.place) var place: String

  var request: NavigationRequest { .select(.text(place)) }
}
