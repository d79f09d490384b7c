import ArgumentParser

@main
struct Waymark: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "waymark", abstract: "Find your way through courses.")
}
