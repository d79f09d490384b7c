import Answers
import CoursePages
import Foundation
import NavigationKit
import ScreenKit

/// The settings that differ from the defaults, and those without an effect.
struct SettingsSurvey {
  /// The settings that are in effect, without those of invalid sources.
  let effective: Settings
  private let (file, variables): (Settings, Settings)
  /// The mistakes in the file and in the variables.
  private let mistakes: [SettingsError]
  private let showsNames: Bool

  /// Reads the settings file and the environment.
  ///
  /// - Parameter showsNames: Whether the report contains paths and addresses.
  init(showingNames showsNames: Bool) {
    var mistakes: [SettingsError] = []
    func read(_ source: () throws -> Settings) -> Settings {
      do {
        let settings = try source()
        mistakes += settings.mistake?.all ?? []
        return settings
      } catch {
        mistakes += (error as? SettingsError)?.all ?? []
        return Settings()
      }
    }
    file = read { try ProgramEnvironment.current.fileSettings }
    variables = read { try ProgramEnvironment.current.variableSettings }
    effective = variables.over(file)
    (self.mistakes, self.showsNames) = (mistakes, showsNames)
  }

  @MainActor func report(on terminal: TerminalSurvey, to report: inout DoctorReport) {
    let changed = SettingName.allCases.compactMap { name in
      effective.text(of: name).map { "\(name.rawValue)=\(name == .sync && $0 != "off" && !showsNames ? "…" : $0)" }
    }
    let ineffective = mistakes.map(text) + overridden + unused(on: terminal) + unknownVariables
    report.add(
      "settings", ["changed": .texts(changed), "withoutEffect": .texts(ineffective)],
      [changed.isEmpty ? "the defaults" : changed.joined(separator: ", ")] + ineffective.map { "no effect: " + $0 })
  }

  /// Returns the message of a mistake. Without names, paths are shortened, and addresses are left out.
  private func text(of mistake: SettingsError) -> String {
    guard !showsNames else { return mistake.description }
    let environment = ProgramEnvironment.current
    let short = mistake.description.replacing(environment.settingsPath, with: "config.yml")
      .replacing(environment.home, with: "~")
    return switch mistake {
    case .badValue(SettingName.sync.rawValue, let value?, _, _), .badVariable(SettingName.sync.rawValue, let value, _),
      .badVariable(SettingName.sync.variable, let value, _):
      short.replacing(value, with: "…")
    default: short
    }
  }

  /// The settings of the file that a variable replaces.
  private var overridden: [String] {
    SettingName.allCases.compactMap { name in
      guard let own = file.text(of: name), let other = variables.text(of: name), own != other else { return nil }
      let variable = ProcessInfo.processInfo.environment[name.variable] == nil ? "NO_COLOR" : name.variable
      return "\(name.rawValue) in config.yml, because \(variable) replaces it"
    }
  }

  /// The settings that cannot have an effect in linear mode, without motion, or on this terminal.
  @MainActor private func unused(on terminal: TerminalSurvey) -> [String] {
    if effective.isLinear || ProgramEnvironment.current.isDumb {
      return [.motion, .frameRate, .layout, .mouse, .hyperlinks, .pictures].filter { effective.text(of: $0) != nil }
        .map { "\($0.rawValue), because linear mode does not use it" }
    }
    var reasons: [String] = []
    if effective.motion == .none, effective.text(of: .frameRate) != nil {
      reasons.append("frame-rate, because there is no motion")
    }
    if let form = effective.pictures?.rawValue, terminal.images(effective) != form {
      reasons.append("pictures, because the terminal does not support \(form), or too few colors or symbols")
    }
    return reasons
  }

  /// The variables that begin like those of Waymark, with the nearest name that exists.
  private var unknownVariables: [String] {
    let known = SettingName.allCases.map(\.variable) + ["WAYMARK_DATABASE", "WAYMARK_LEARNER", "WAYMARK_HUB"]
    let names = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("WAYMARK_") && !known.contains($0) }
    return names.sorted().map { name in
      let nearest = FuzzyMatch.nearest(to: name, among: known).first
      return "\(name), because there is no such setting" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }
  }
}

extension SettingsError {
  fileprivate var all: [SettingsError] {
    if case .several(let errors) = self { errors } else { [self] }
  }
}
