import ArgumentParser
import CourseBrowser
import ScreenKit
import TextCanvas

/// The flags of the browser. What is not given comes from the environment, the settings file, or the default.
struct BrowserLook: ParsableArguments {
  enum Motion: String, CaseIterable, ExpressibleByArgument { case full, reduced, none }
  enum Theme: String, CaseIterable, ExpressibleByArgument { case auto, dark, light }
  enum Layout: String, CaseIterable, ExpressibleByArgument { case cards, list }
  enum Symbols: String, CaseIterable, ExpressibleByArgument { case unicode, ascii }
  enum Switch: String, CaseIterable, ExpressibleByArgument { case on, off }

  /// How much colour: what the terminal has, or so much.
  enum Colour: String, CaseIterable, ExpressibleByArgument {
    case auto, truecolor
    case indexed = "256"
    case ansi = "16"
    case none

    /// The depth; `nil` where the terminal is to be asked.
    var depth: ColourDepth? { ColourDepth(rawValue: rawValue) }
  }

  @Option(help: "How much moves.") var motion: Motion?
  @Option(help: ArgumentHelp("Frames a second, 1 to 120.", valueName: "n")) var frameRate: Int?
  @Option(help: "How many colours.") var color: Colour?
  @Option(help: "For a dark or a light page.") var theme: Theme?
  @Option(help: "Cards, or one row each.") var layout: Layout?
  @Option(help: "Which signs the terminal can draw.") var symbols: Symbols?
  @Option(help: "Whether the mouse is listened to.") var mouse: Switch?
  @Flag(help: "Say everything in lines instead, for a screen reader or a plain terminal.") var linear = false
  @Option(help: ArgumentHelp("Record the session as an asciicast.", valueName: "file.cast")) var record: String?

  mutating func validate() throws {
    if let frameRate, !(1...120).contains(frameRate) {
      throw ValidationError("--frame-rate takes a number from 1 to 120, not \(frameRate).")
    }
  }
}

extension BrowserLook {
  /// The flags as the browser takes them.
  var browserOptions: BrowserOptions {
    var options = BrowserOptions()
    switch motion {
    case .reduced: options.motion = .reduced
    case Motion.none?: options.motion = .none
    case .full, nil: options.motion = .full
    }
    if let frameRate { options.frameRate = frameRate }
    options.colourDepth = color?.depth
    options.tone = theme.flatMap { PageTone(rawValue: $0.rawValue) }
    options.layout = layout.flatMap { ListGeometry.Layout(rawValue: $0.rawValue) }
    options.usesAscii = symbols.map { $0 == .ascii }
    options.usesMouse = mouse != .off
    options.recordingPath = record
    return options
  }
}
