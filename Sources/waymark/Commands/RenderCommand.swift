import ArgumentParser
import CourseBrowser
import CourseLibrary
import NavigationService
import ScreenKit
import TerminalIO
import TextCanvas

/// `waymark render`.
struct RenderCommand: ParsableCommand {
  enum Form: String, CaseIterable, ExpressibleByArgument { case text, ansi, svg }
  enum Showing: String, CaseIterable, ExpressibleByArgument {
    case help, info, palette, add, find, history

    var addition: BrowserPicture.Addition {
      switch self {
      case .help: .help
      case .info: .info
      case .palette: .palette
      case .add: .add
      case .find: .find
      case .history: .history
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draw a place, or a moment on the way to another, without a terminal.",
    discussion: Example.text(
      "waymark render / --to english-for-business --at 0.5 --as svg > push.svg"))

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The place; / is the list of courses.", transform: Given.place) var place: String
  @Option(help: ArgumentHelp("The place to go to from there.", valueName: "place"), transform: Given.place) var to:
    String?
  @Option(help: "What lies on top of the place, or the tab beside it.") var showing: Showing?
  @Option(help: ArgumentHelp("How far on the way, 0 to 1.", valueName: "fraction")) var at = 1.0
  @Option(help: ArgumentHelp("Columns and rows.", valueName: "columnsxrows")) var size = PictureSize()
  @Option(help: "For a dark or a light page.") var theme = BrowserLook.Theme.dark
  @Option(help: "Which signs the picture uses.") var symbols = BrowserLook.Symbols.unicode
  @Option(name: .customLong("as"), help: "Text, text with colours, or a picture.") var form = Form.text

  mutating func validate() throws {
    guard to == nil || showing == nil else { throw ValidationError("--to and --showing are two pictures.") }
    guard (0...1).contains(at) else { throw ValidationError("--at takes a fraction from 0 to 1, not \(at).") }
  }

  func run() throws {
    let library = try CourseLibrary(databaseAt: global.databasePath)
    let navigation = try NavigationService(databaseAt: global.databasePath, learner: global.learnerName)
    let text = try MainActor.assumeIsolated {
      let picture = BrowserPicture(
        navigation: navigation, library: library,
        appearance: Appearance(
          theme: Theme(depth: form == .text ? .none : .truecolor, tone: theme == .light ? .light : .dark),
          symbols: symbols == .ascii ? .ascii : .unicode),
        size: size.cells)
      let surface =
        try showing.map { try picture.surface(of: .text(place), showing: $0.addition, at: at) }
        ?? picture.surface(of: .text(place), to: to.map(PlaceName.text), at: to == nil ? 0 : at)
      return switch form {
      case .text: PlainTextDrawing().text(of: surface)
      case .ansi: AnsiDrawing(depth: .truecolor).text(of: surface)
      case .svg: SvgDrawing(theme: theme == .light ? .light : .dark, title: "Waymark").text(of: surface)
      }
    }
    var output = StandardOutput()
    output.write(text)
    output.flush()
  }
}

/// A size as `120x40`.
struct PictureSize: ExpressibleByArgument, CustomStringConvertible {
  var cells = CellSize(columns: 80, rows: 24)

  init() {}

  init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...1000).contains(columns),
      (1...1000).contains(rows)
    else { return nil }
    cells = CellSize(columns: columns, rows: rows)
  }

  var description: String { "\(cells.columns)x\(cells.rows)" }
}
