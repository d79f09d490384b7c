import Answers
import CourseBrowser
import CoursePages
import Foundation
import LearningModel
import LinearBrowser
import NavigationService
import SyncClient

extension BrowserStart {
  /// Who asks for the linear mode: the flag, the environment, the settings file, or a terminal that can do no more;
  /// `nil` where nobody does.
  ///
  /// - Throws: `SettingsError`, also where the flag alone would do: a mistake is said before it is missed.
  var linearReason: LinearReason? {
    get throws {
      let environment = ProgramEnvironment.current
      let (variables, file) = (try environment.variableSettings, try environment.fileSettings)
      if isLinear { return .flag }
      if variables.isLinear == true { return .environment }
      if variables.isLinear == nil, file.isLinear == true { return .settings }
      return environment.isDumb && StandardOutput().isTerminal ? .dumbTerminal : nil
    }
  }

  /// Browses in lines, from standard input to standard output.
  ///
  /// - Parameter opening: The place to begin at; `nil` for where the learner left off.
  func browseLinear(_ reason: LinearReason, _ navigation: NavigationService, at opening: PlacePath?) throws {
    let library = try library()
    let browser = LinearBrowser(navigation: navigation, library: library, reason: reason)
    browser.settings = try settingsKeeper
    let export = CourseExport.of(library, database: databasePath)
    browser.exportCourse = { course, file, replaces in
      guard let form = export.forms.first(where: { file.lowercased().hasSuffix("." + $0.ending) }) else { return }
      try export.write(course, form, file, replaces)
    }
    let sync = try isTemporary ? nil : SyncOptions.inBackground(of: navigation)
    sync?.begin { if case .failed(let words) = $0 { StandardError.write(words.harmlessLines + "\n") } }
    defer { sync?.finish() }
    var output = StandardOutput()
    try browser.run(
      at: opening.map { .text($0.description) }, columns: { StandardOutput().width ?? 80 },
      echoes: isatty(STDIN_FILENO) != 1,
      reading: { readLine() },
      writing: { text in
        output.say(text)
        output.flush()
      })
  }
}
