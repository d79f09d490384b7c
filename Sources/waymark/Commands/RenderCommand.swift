import ArgumentParser
import CourseBrowser
import CourseKit
import CoursePages
import Foundation
import NavigationKit
import ScreenKit
import TerminalIO
import TextCanvas

/// `waymark render`.
struct RenderCommand: ParsableCommand {
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, ansi, svg
    case film = "animated-svg"
  }

  enum Theme: String, CaseIterable, ExpressibleByArgument {
    case dark, light, unknown
    case highContrast = "high-contrast"
    case highContrastLight = "high-contrast-light"

    /// The background of the SVG drawing. An unknown background is drawn dark.
    var page: SvgDrawing.Theme {
      switch self {
      case .dark, .unknown: .dark
      case .light: .light
      case .highContrast: .highContrast
      case .highContrastLight: .highContrastLight
      }
    }
    var pageAppearance: PageAppearance { PageAppearance(rawValue: rawValue) ?? .unknown }
  }

  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draw a place, a frame of a transition, or an animation, without a terminal.",
    discussion: Example.text(
      "waymark render / --to english-for-business --at 0.5 --as svg > push.svg",
      "waymark render english-for-business --keys 'Down Enter' --after 0.1",
      "waymark render / --keys 'Enter Left@0.1' --as animated-svg > film.svg"))

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: "The path of a place, or / for the list of courses.", completion: .places, transform: ArgumentParsers.place)
  var place: String
  @Option(
    help: ArgumentHelp("The target of a transition from the place.", valueName: "place"), completion: .places,
    transform: ArgumentParsers.place) var to: String?
  @Option(help: "An overlay or another tab to show.") var showing: BrowserRenderer.Overlay?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The position in the transition, from 0 to 1 (default: 1).", valueName: "fraction"))
  var at: Double?
  @Option(
    help: ArgumentHelp(
      "Keys to press, named as in the settings file, each a second after the one before. Enter@0.2 is pressed after 0.2 seconds.",
      valueName: "keys"),
    transform: ArgumentParsers.keys) var keys: [BrowserRenderer.TimedKey]?
  @Option(parsing: .unconditional, help: ArgumentHelp("The time after the last key.", valueName: "seconds"))
  var after: Double?
  @Option(help: ArgumentHelp("The size in columns and rows, such as 120x40.", valueName: "columnsxrows")) var size =
    ScreenSize()
  @Option(help: "The background of the terminal.") var theme = Theme.dark
  @Option(help: "The number of colours. Text has none.") var color = ColourDepth.truecolor
  @Option(help: "The amount of animation.") var motion = BrowserFlags.Motion(text: "full")
  @Option(help: "The characters for lines and icons.") var symbols = BrowserFlags.Symbols(text: "unicode")
  @Option(
    name: .customLong("as"),
    help:
      "The output format: plain text, text with escape sequences, an SVG image, or an SVG image that plays the keys.")
  var form = Form.text

  mutating func validate() throws {
    guard to == nil || showing == nil else { throw ValidationError("--to and --showing cannot be combined.") }
    guard keys == nil || (to == nil && showing == nil) else {
      throw ValidationError("--keys cannot be combined with --to or --showing.")
    }
    guard form != .film || at == nil && (keys != nil || to != nil || showing != nil) else {
      throw ValidationError("--as animated-svg requires --keys, --to or --showing, without --at.")
    }
    guard after == nil || keys != nil else { throw ValidationError("--after requires --keys.") }
    if let after, !(0...3600).contains(after) {
      throw ValidationError("--after must be from 0 to 3600 seconds, not \(after).")
    }
    guard let at else { return }
    guard (0...1).contains(at) else { throw ValidationError("--at must be from 0 to 1, not \(at).") }
    guard to != nil || showing != nil else {
      throw ValidationError("--at requires --to or --showing.")
    }
  }

  func run() throws {
    let drawing = try keys.map(drawing(pressing:)) ?? (form == .film ? text(of: film()) : text(of: screen()))
    var output = StandardOutput()
    output.write(drawing)
    output.flush()
  }
}

/// A size in columns and rows, such as `120x40`.
struct ScreenSize: ExpressibleByArgument, CustomStringConvertible {
  var cells = CellSize(columns: 80, rows: 24)

  init() {}

  init?(argument: String) {
    let components = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard components.count == 2, let columns = components[0], let rows = components[1], (1...1000).contains(columns),
      (1...1000).contains(rows)
    else { return nil }
    cells = CellSize(columns: columns, rows: rows)
  }

  var description: String { "\(cells.columns)x\(cells.rows)" }
}

extension RenderCommand {
  /// Returns the surface in the requested format.
  func text(of surface: Surface) -> String {
    switch form {
    case .text: PlainTextDrawing().text(of: surface)
    case .ansi: AnsiDrawing(colourDepth: colourDepth).text(of: surface)
    case .svg, .film: svgDrawing.text(of: surface)
    }
  }

  /// Returns a film as an animated image. Readers who prefer reduced motion see the frame that is visible longest.
  func text(of film: BrowserRenderer.Film) -> String {
    let ends = film.frames.dropFirst().map(\.time) + [film.duration]
    let durations = zip(film.frames, ends).map { $1 - $0.time }
    return svgDrawing.film(
      of: film.frames.map { SvgDrawing.Frame(time: $0.time, surface: $0.surface) }, duration: film.duration,
      still: durations.indices.max { durations[$0] < durations[$1] } ?? 0)
  }

  private var svgDrawing: SvgDrawing { SvgDrawing(theme: theme.page, title: "Waymark") }

  /// Returns the screen at a place, during the transition to another place, or with an overlay on the place.
  func screen() throws -> Surface {
    try MainActor.assumeIsolated {
      let browserRenderer = try renderer(databaseAt: global.databasePath)
      return try showing.map { try browserRenderer.surface(of: .text(place), showing: $0, at: at ?? 1) }
        ?? browserRenderer.surface(of: .text(place), to: to.map(PlaceName.text), at: to == nil ? 0 : at ?? 1)
    }
  }

  /// Draws the screen after some keys were pressed, or the whole session. The keys are handled in a temporary copy of the
  /// database.
  func drawing(pressing keys: [BrowserRenderer.TimedKey]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-" + UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appending(path: "waymark.sqlite").path
    try CourseLibrary(databaseAt: global.databasePath).backUp(to: copy)
    let seconds = after ?? BrowserRenderer.TimedKey.usualDelay
    return try MainActor.assumeIsolated {
      let browserRenderer = try renderer(databaseAt: copy)
      return form == .film
        ? text(of: try browserRenderer.film(of: .text(place), pressing: keys, after: seconds))
        : text(of: try browserRenderer.surface(of: .text(place), pressing: keys, after: seconds))
    }
  }

  /// Returns the transition to another place, or to an overlay.
  func film() throws -> BrowserRenderer.Film {
    try MainActor.assumeIsolated {
      try renderer(databaseAt: global.databasePath).film(of: .text(place), to: to.map(PlaceName.text), showing: showing)
    }
  }

  @MainActor private func renderer(databaseAt path: String) throws -> BrowserRenderer {
    var browserRenderer = BrowserRenderer(
      navigation: try NavigationService(
        databaseAt: path, learner: global.learnerName,
        ignoringCase: global.learner == nil && ProgramEnvironment.current.usesLoginName, session: .browser),
      library: try CourseLibrary(databaseAt: path),
      appearance: Appearance(
        theme: CoursePages.Theme(colourDepth: colourDepth, pageAppearance: theme.pageAppearance),
        symbols: settings.usesAscii == true ? .ascii : .unicode, imageCellSize: ImageStyle.usualCell),
      size: size.cells)
    browserRenderer.motion = settings.motion
    return browserRenderer
  }

  private var settings: Settings {
    var settings = Settings()
    _ = settings.set(.motion, to: motion.text)
    _ = settings.set(.symbols, to: symbols.text)
    return settings
  }

  private var colourDepth: ColourDepth {
    form == .text ? .none : color
  }
}

extension BrowserRenderer.Overlay: ExpressibleByArgument {}
