import Answers
import CTerminal
import CourseBrowser
import CoursePages
import Images
import TerminalIO
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the environment and the terminal report about the terminal.
@MainActor struct TerminalSurvey {
  /// The capabilities: those of the environment or, if the terminal was queried, with its replies.
  let capabilities: Capabilities
  /// The size of the terminal, or `nil` if it was not queried.
  private let size: CellSize?
  /// The seconds for which the terminal may delay its replies.
  private static let timeout = 0.7

  /// Queries the terminal as the browser does, and waits for the replies, at most as long as the browser.
  ///
  /// A terminal type without control sequences, and the terminal of another program in the foreground, are not queried.
  init() async {
    let terminal = [STDOUT_FILENO, STDIN_FILENO].first { isatty($0) == 1 }
    guard let terminal, !cterminal_in_background(terminal), let type = TerminalEnvironment.process["TERM"],
      type != "dumb",
      let session = try? TerminalSession.open(
        TerminalOptions(queriesImageSupport: true),
        handler: { session, event in
          switch event {
          case .capabilities(let capabilities) where !capabilities.isSettled: break
          case .capabilities, .frameDue, .ending: session.close()
          case .input, .resumed: break
          }
        })
    else {
      (capabilities, size) = (Capabilities(environment: .process), nil)
      return
    }
    session.requestFrame(at: MonotonicClock.now + Self.timeout)
    try? await session.closed()
    (capabilities, size) = (session.capabilities, session.size)
  }

  /// Returns the form in which the browser shows images.
  func images(_ settings: Settings) -> String { FullScreen.imageMode(settings, capabilities).rawValue }

  func report(to report: inout DoctorReport) {
    let environment = TerminalEnvironment.process
    let type = environment["TERM"]
    let program = environment["TERM_PROGRAM"].map { name in
      [name, environment["TERM_PROGRAM_VERSION"]].compactMap { $0 }.joined(separator: " ")
    }
    let within = [("tmux", "TMUX"), ("screen", "STY"), ("ssh", "SSH_CONNECTION")].filter { environment[$0.1] != nil }
      .map(\.0)
    var background: String?
    if case .rgb(let red, let green, let blue)? = capabilities.background?.kind {
      background = "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    let cell = capabilities.cellPixels
    let supported = [
      ("synchronized output", capabilities.hasSynchronizedOutput), ("kitty keyboard", capabilities.hasKittyKeyboard),
      ("kitty graphics", capabilities.supportsKittyGraphics), ("sixels", capabilities.hasSixels),
      ("hyperlinks", capabilities.hasLinks),
    ].filter(\.1).map(\.0)
    let facts = [capabilities.version, background.map { "background \($0)" }].compactMap { $0 } + supported
    let answer =
      size == nil ? "not queried" : !capabilities.isSettled ? "no answers within \(Self.timeout) seconds" : nil
    report.add(
      "terminal",
      [
        "type": .optional(type), "program": .optional(program), "columns": .optional(size?.columns),
        "rows": .optional(size?.rows), "queried": .bool(size != nil), "answered": .bool(capabilities.isSettled),
        "name": .optional(capabilities.version), "background": .optional(background),
        "cellWidth": .optional(cell?.width), "cellHeight": .optional(cell?.height),
        "ambiguousWidth": .optional(capabilities.ambiguousWidth), "supports": .texts(supported),
        "within": .texts(within),
      ],
      [
        ([type.map { "TERM=\($0)" } ?? "TERM is not set", program, size.map { "\($0.columns) × \($0.rows)" }]
          .compactMap { $0 } + within.map { "within \($0)" }).joined(separator: ", "),
        answer ?? "answers: " + (facts.isEmpty ? "none of the known features" : facts.joined(separator: ", ")),
        cell.map { "cells of \($0.width) × \($0.height) pixels" } ?? "cells of unknown size",
      ])
  }
}
