import Answers
import ArgumentParser
import CoursePages
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark where`.
struct WhereCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "where",
    abstract: "Show the current place, the path to it, and where to continue.",
    discussion: Example.text(
      "waymark where",
      "PS1='$(waymark where --short) $ '"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Option(
    help: ArgumentHelp("The session (default: the most recent one).", valueName: "name"),
    transform: ArgumentParsers.session)
  var session: String?
  @Flag(help: "Print one line, for a prompt or a status line.") var short = false

  func validate() throws {
    if short && output.format != .table { throw ValidationError("--short always prints text. Omit --format.") }
  }

  func run() throws {
    let service = try global.readOnlyService(session: session.map { .named($0) } ?? .none)
    if session != nil { try service.requireSession() }
    if short {
      let due = try service.reviews.overview().total.today
      Printing.line(try service.currentStack().breadcrumb + (due == 0 ? "" : " · \(due) due"))
    } else {
      let location = try service.currentLocation()
      let usual = SessionChoice.shell
      let shell = session == nil && location.session != usual.name ? try global.readOnlyService(session: usual) : nil
      let paragraph = location.paragraph(
        try ComingBack(location.resume.step, of: service), width: StandardOutput().width,
        shell: try shell?.currentStack())
      try Printing.value(location, fields: CSVColumns.currentLocation, table: paragraph, as: output.format)
    }
  }
}

extension [NamedPlace] {
  /// The titles from the course down, such as `English for Business › Negotiating`, or `Courses` at the root.
  fileprivate var breadcrumb: String {
    let places = filter { $0.kind != .root }
    return places.isEmpty ? NamedPlace.root.title : places.map(\.title).joined(separator: " › ")
  }
}

extension CurrentLocation {
  /// The maximum number of places of the path.
  private static let maximumVisits = 5

  /// The titles of the last places of the path.
  private var visited: String {
    let titles = pathTaken.suffix(Self.maximumVisits).map(\.title)
    return ((pathTaken.count > titles.count ? ["…"] : []) + titles).joined(separator: " → ")
  }

  /// Returns the location as text: the place, the stack and other information, each after its name. A text that is wider
  /// than the terminal continues below its beginning.
  ///
  /// - Parameter shell: The places of the session that 'waymark nav' uses, or `nil` if it is the session of the location.
  fileprivate func paragraph(_ comingBack: ComingBack, width columns: Int?, shell: [NamedPlace]?) -> String {
    var lines = [
      ("Place", stack.breadcrumb),
      ("Path", place.path.description),
      ("Visited", visited),
    ]
    if let row = comingBack.next { lines.append((row.label, row.sentence)) }
    lines.append((comingBack.next == nil ? "Continue" : "", resume.reason))
    if let first = resume.firstUnfinished {
      lines.append(("", "\(shell: "waymark", "nav", "open", first.path.description)"))
    }
    if let row = comingBack.review { lines.append((row.label, row.sentence)) }
    if let session, let shell {
      lines.append(("Session", session))
      lines.append(("Shell", shell == stack ? "" : "'waymark nav' continues at \(shell.breadcrumb)"))
    }
    let indent = (lines.map(\.0.displayWidth).max() ?? 0) + 2
    return lines.filter { !$0.1.isEmpty }.map { name, text in
      let text = columns.map { text.harmless.brokenAtSpaces(to: max(1, $0 - indent)) } ?? text.harmless
      return name + String(repeating: " ", count: indent - name.displayWidth)
        + text.replacing("\n", with: "\n" + String(repeating: " ", count: indent)) + "\n"
    }.joined()
  }
}
