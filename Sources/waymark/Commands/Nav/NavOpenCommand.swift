import ArgumentParser
import NavigationService

/// `waymark nav open PLACE`.
struct NavOpenCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Go anywhere.",
    discussion: Example.text("waymark nav open english-for-business/negotiating"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions
  @Argument(help: "A path such as english-for-business/negotiating.", completion: .places, transform: Given.place)
  var place: String

  var request: NavigationRequest { .open(.text(place)) }
}
