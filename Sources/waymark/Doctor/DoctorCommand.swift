import Answers
import ArgumentParser
import CoursePages
import TerminalIO
import TextCanvas

/// A command that runs on the main actor, because it opens a session on the terminal.
protocol TerminalCommand: ParsableCommand {
  @MainActor func perform() async throws
}

/// `waymark doctor`.
struct DoctorCommand: TerminalCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Show what a bug report needs: terminal, database, settings and optional programs.",
    discussion: """
      \(Example.text("waymark doctor", "waymark doctor --format json"))

      The output contains no texts, no names of learners and courses, and no paths. --with-names adds paths and the \
      texts of problems. Nothing is changed.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json }

  @OptionGroup var global: GlobalOptions
  @Option(help: "The output format.") var format = Format.text
  @Flag(help: "Also print paths, and the texts of problems, which can contain names.") var withNames = false

  @MainActor func perform() async throws {
    let terminal = await TerminalSurvey()
    let settings = SettingsSurvey(showingNames: withNames)
    var report = DoctorReport()
    report.add("version", ProgramVersion.current)
    report.add("system", SystemSurvey.description)
    terminal.report(to: &report)
    report.add("colors", (settings.effective.colour ?? terminal.capabilities.colourDepth).rawValue)
    report.add("images", terminal.images(settings.effective))
    SystemSurvey.reportLocale(to: &report)
    try DatabaseSurvey.report(
      global.databasePath, learner: global.learnerName, showingNames: withNames, to: &report)
    settings.report(on: terminal, to: &report)
    SystemSurvey.reportPrograms(to: &report)
    let errors = IssueLog(path: ProgramEnvironment.current.issueLogPath).count
    report.add("internalErrors", .integer(Int64(errors)), [errors == 0 ? "" : "\(errors) in issues.log"])
    var output = StandardOutput()
    output.write(format == .json ? try AnswerText.json(report.value) : report.text(width: output.width))
    output.flush()
  }
}

/// The answer of `waymark doctor`: the members of a JSON object, and lines of text with headings.
struct DoctorReport {
  private var members: [(key: String, value: OutputValue)] = []
  private var lines: [(heading: String, text: String)] = []

  var value: OutputValue { .object(members) }

  /// Adds a text, which is also a line.
  mutating func add(_ key: String, _ text: String) { add(key, .text(text), [text]) }

  /// Adds a member, and lines with its key as their heading.
  mutating func add(_ key: String, _ value: OutputValue, _ texts: [String]) {
    members.append((key, value))
    lines += texts.map { (key, $0) }
  }

  /// Returns the lines. Each heading is printed once.
  ///
  /// - Parameter width: The width of the terminal, at which lines are wrapped. If `nil`, they are not wrapped.
  func text(width: Int?) -> String {
    var last = ""
    return lines.filter { !$0.text.isEmpty }.flatMap { heading, text in
      let rows = width.map { text.harmless.wrapped(to: max(20, $0 - Self.indent)) } ?? [text.harmless]
      let start = heading == last ? "" : heading
      last = heading
      return zip([start] + rows.dropFirst().map { _ in "" }, rows)
    }.map { $0 + String(repeating: " ", count: Self.indent - $0.count) + $1 + "\n" }.joined()
  }

  /// The number of columns for the headings.
  private static let indent = 16
}

extension OutputValue {
  /// Creates a text or a number, or `null`.
  static func optional(_ text: String?) -> OutputValue { text.map { .text($0) } ?? .null }
  static func optional(_ number: Int?) -> OutputValue { number.map { .integer(Int64($0)) } ?? .null }
  static func texts(_ texts: [String]) -> OutputValue { .array(texts.map { .text($0) }) }
}
