import ArgumentParser
import CourseBrowser
import CoursePages
import Motion
import ScreenKit
import TextCanvas

/// The flags of the browser.
struct BrowserLook: ParsableArguments {
  enum Motion: String, CaseIterable, ExpressibleByArgument { case full, reduced, none }
  enum Colour: String, CaseIterable, ExpressibleByArgument {
    case auto, truecolor
    case indexed = "256"
    case ansi = "16"
    case none
  }
  enum Theme: String, CaseIterable, ExpressibleByArgument {
    case auto, dark, light
    case highContrast = "high-contrast"
    case highContrastLight = "high-contrast-light"
  }
  enum Layout: String, CaseIterable, ExpressibleByArgument { case auto, cards, list }
  enum Symbols: String, CaseIterable, ExpressibleByArgument { case auto, unicode, ascii }
  enum Pictures: String, CaseIterable, ExpressibleByArgument { case auto, none, blocks, sixel, kitty }
  enum Mouse: String, CaseIterable, ExpressibleByArgument { case auto, on, off }

  @Option(help: "How much moves.") var motion: Motion?
  @Option(help: ArgumentHelp("Frames a second at most, 1 to 240.", valueName: "n")) var frameRate: Int?
  @Option(help: "How many colours.") var color: Colour?
  @Option(help: "For a dark or a light page, or with the strongest contrast on one.") var theme: Theme?
  @Option(help: "Cards, or one row each.") var layout: Layout?
  @Option(help: "Which signs the terminal can draw.") var symbols: Symbols?
  @Option(help: "Whether the mouse is listened to.") var mouse: Mouse?
  @Option(help: "How pictures are shown.") var pictures: Pictures?
  @Flag(help: "Lines instead of a full screen, for people who listen.") var linear = false
  @Option(help: ArgumentHelp("Record the session as an asciicast.", valueName: "file.cast"), completion: .file())
  var record: String?
  @OptionGroup var replacing: ReplacingOption

  func validate() throws {
    if let frameRate, !(1...240).contains(frameRate) {
      throw ValidationError("--frame-rate takes a number from 1 to 240, not \(frameRate).")
    }
  }

  /// What the flags say, for themselves.
  var settings: Settings {
    var settings = Settings()
    switch motion {
    case .full?: settings.motion = .full
    case .reduced?: settings.motion = .reduced
    case Motion.none?: settings.motion = MotionPreference.none
    case nil: break
    }
    settings.frameRate = frameRate
    // `auto` overrides the settings file: the value then depends on the terminal.
    settings.colour = color.map { ColourDepth(rawValue: $0.rawValue).map(Settings.Choice.fixed) ?? .automatic }
    settings.theme = theme.map { PageTone(rawValue: $0.rawValue).map(Settings.Choice.fixed) ?? .automatic }
    settings.layout = layout.map { $0 == .auto ? .automatic : .fixed($0 == .cards ? .cards : .list) }
    settings.usesAscii = symbols.map { $0 == .auto ? .automatic : .fixed($0 == .ascii) }
    settings.pictures = pictures.map { PictureWay(rawValue: $0.rawValue).map(Settings.Choice.fixed) ?? .automatic }
    settings.usesMouse = mouse.map { $0 == .auto ? .automatic : .fixed($0 == .on) }
    return settings
  }
}
