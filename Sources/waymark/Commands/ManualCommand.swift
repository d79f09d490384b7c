import ArgumentParser
import BundledManual
import CourseBrowser
import CourseKit
import CoursePages
import ExternalPrograms
import Foundation
import LearningModel
import NavigationKit
import TerminalIO
import TextCanvas

/// `waymark manual [WORDS…]`.
struct ManualCommand: TerminalCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Read the manual, which is a part of the program.",
    discussion: """
      \(Example.text(
        "waymark manual                  read it from the beginning",
        "waymark manual settings         read the page about settings",
        "waymark manual exit codes"))

      The manual is opened as a course that is deleted afterwards. In a pipe, the page is printed.
      """)

  @OptionGroup var global: GlobalOptions
  @Argument(
    help: ArgumentHelp("The name of a page, or words that are searched in the manual.", valueName: "words"),
    completion: .list(ManualArchive.pages.map(\.name)))
  var words: [String] = []
  @Flag(help: "Keep the manual as a course in the database.") var keep = false
  @OptionGroup(title: "Display options") var look: BrowserFlags

  /// The key of the course that `--keep` stores.
  private static let key = "waymark-manual"

  private struct Page: Encodable {
    let page: String
    let title: String
  }

  @MainActor func perform() async throws {
    // The process must end itself with the signal after the temporary folder has been deleted.
    if let signal = try await show() { signal.endProcess() }
  }

  @MainActor private func show() async throws -> EndingSignal? {
    ProcessHeap.useSharedHeap()
    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    var start = BrowserStart(
      database: keep ? global.database : scratch.path + "/waymark.sqlite", learner: global.learner,
      look: look.settings, recording: look.record, replaces: look.replacing.force, isTemporary: !keep)
    start.isManual = true
    let isPrinted = try start.linearReason == nil && !StandardOutput().isTerminal
    if isPrinted, words.isEmpty, !keep {
      let pages = ManualArchive.pages.map { Page(page: $0.name, title: $0.title) }
      try Printing.list(
        pages, fields: [], columns: [Column("page") { $0.page }, Column("title") { $0.title }], as: .table,
        whenEmpty: "")
      return nil
    }
    let library = try start.library()
    let archive = try scratch.save(ManualArchive.bytes, as: Self.key + ".tar.gz")
    let bar = ProgressBar()
    let report = try library.importCourse(
      from: archive, options: ImportOptions(key: Self.key, replaces: true), progress: bar.show, recording: nil,
      remembersSource: false)
    bar.clear()
    let (places, query) = try places(in: library, course: report.course ?? .root)
    start.query = query
    guard isPrinted else {
      start.place = places[0].description
      return try await start.openBrowser()
    }
    for place in places { try ShowCommand.parse([place.description, "--database", start.databasePath]).run() }
    return nil
  }

  /// Returns the sections of the page with the name or title, otherwise the best result of a search for the words, and the
  /// words if they are in its text.
  private func places(in library: CourseLibrary, course: PlacePath) throws -> ([PlacePath], query: String?) {
    let query = words.joined(separator: " ")
    guard !query.isEmpty else { return ([course], nil) }
    let pages = ManualArchive.pages
    let page =
      pages.first { $0.name == query || $0.title.lowercased() == query.lowercased() }
      ?? pages.first { $0.name == words.joined(separator: "-").lowercased() }
    let rows = try page == nil ? [] : library.tree(from: course)
    if let index = rows.firstIndex(where: { $0.kind == .lesson && $0.title == page?.title }) {
      return (rows[(index + 1)...].prefix { $0.kind == .activity }.map(\.path), nil)
    }
    func isNamed(_ hit: SearchHit) -> Bool {
      let title = hit.title.lowercased().split { !$0.isLetter && !$0.isNumber }
      return words.allSatisfy { word in title.contains { $0.hasPrefix(word.lowercased()) } }
    }
    // A place whose title has the words is more likely to be meant than one whose text has them.
    let hits = try library.search(query, in: course, limit: 30, snippets: 0).hits
    let named = hits.first(where: isNamed)
    guard let hit = named ?? hits.first else {
      let nearest = FuzzyMatch.nearest(to: query.lowercased(), among: pages.map(\.name))
      throw CommandFailure.notInManual(query, nearest: nearest)
    }
    // A page that is not a text is opened at its first one, and printed with all of them.
    let places =
      hit.kind == .activity
      ? [hit.path] : try library.tree(from: hit.path).filter { $0.kind == .activity }.map(\.path)
    return (places, named == nil ? query : nil)
  }
}

extension Manual {
  /// The embedded manual. This program shows it in another process, with the same flags.
  static func embedded(_ look: Settings, isLinear: Bool = false) -> Manual {
    let named = SettingName.allCases.filter { $0.row.flag != nil && $0 != .linear }
    let flags =
      (isLinear ? ["--linear"] : [])
      + named.flatMap { name in look.text(of: name).map { ["--\(name.rawValue)", $0] } ?? [] }
    return Manual(pages: ManualArchive.pages.map { Page(name: $0.name, title: $0.title) }) { name in
      let program = ExternalProgram(path: Bundle.main.executablePath ?? CommandLine.arguments[0])
      let words = name.isEmpty ? [] : [name]
      return program.startOnTerminal(["manual"] + flags + words)?.waitForEndOnTerminal() ?? false
    }
  }
}
