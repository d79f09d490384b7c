import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import TerminalIO

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// `waymark THING`, where THING is not a place but a file, a folder, an archive, `-` or the address of a Git repository.

extension BrowserStart {
  /// The word that stands for standard input.
  static let standardInput = "-"

  /// The number of files that are imported without a question.
  private static let mostFiles = 5_000

  /// Opens the browser on a temporary database, which is deleted at the end.
  @MainActor func openTemporarily() async throws -> EndingSignal? {
    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    var start = self
    start.isTemporary = true
    start.database = scratch.path + "/waymark.sqlite"
    if place == Self.standardInput {
      if try linearReason == nil { try Self.checkTerminal() }
      start.place = try scratch.saveStandardInput()
    }
    return try await start.openBrowser()
  }

  /// Returns the place to open. A source is imported first.
  ///
  /// - Parameters:
  ///   - word: A place's path, or a source if no place has that path.
  ///   - check: Called before an import, to refuse what could not be shown afterwards.
  /// - Returns: `nil` if the user declined the import.
  /// - Throws: `NavigationError` if the word is neither; `CourseLibraryError`, ``CommandFailure``.
  func path(
    of word: String, in navigation: NavigationService, checking check: () throws -> Void = {}
  ) throws -> PlacePath? {
    do {
      return try navigation.place(named: .text(word)).path
    } catch let error as NavigationError {
      switch error {
      case .unknownPlace, .removedPlace:
        guard try CourseLibrary.isSource(word) else { throw error }
        try check()
        return try importSource(word)
      default: throw error
      }
    }
  }

  private func importSource(_ source: String) throws -> PlacePath? {
    let library = try library()
    let bar = ProgressBar()
    Interruption.watch()
    defer { Interruption.unwatch() }
    do {
      defer { bar.clear() }
      let report = try library.open(
        source, askingAbove: Self.mostFiles,
        confirm: {
          guard Question.isPossible else { throw CommandFailure.manyFiles(source: source, most: Self.mostFiles) }
          return try Question.ask("'\(source)' has more than \(Self.mostFiles) files. Import it?", orFail: "import it")
        },
        cancellation: Interruption.cancellation, progress: bar.show)
      return try report.map { try library.firstText(under: PlacePath($0.course)) }
    } catch CourseLibraryError.importRefused(let refusal, let report) {
      StandardError.write(report.diagnosticLines)
      throw CourseLibraryError.importRefused(refusal, report: report)
    } catch let error as CourseLibraryError {
      if case .importCancelled = error { Interruption.leave() }
      throw error
    }
  }
}

extension CourseLibrary {
  /// Returns the place below a course that is opened first: an only child is opened in place of its parent.
  fileprivate func firstText(under course: PlacePath) throws -> PlacePath {
    var path = course
    while true {
      let children = try children(of: place(at: path).place)
      guard let only = children.first, children.count == 1 else { return path }
      path = path.appending(only.slug)
    }
  }
}
