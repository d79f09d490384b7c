import Foundation
import TestSupport
import Testing

@testable import CoursePages

/// Compares `Documentation/settings.md` with the settings and reads its example.
@Suite struct SettingsPageTests {
  private let page: String

  init() throws {
    let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    page = try String(contentsOf: project.appending(path: "Documentation/settings.md"), encoding: .utf8)
  }

  /// Returns the cells of the rows of the table under a heading.
  private func rows(under heading: String) throws -> [[String]] {
    let section = try #require(page.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
    return section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { row in
        row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
  }

  @Test func `the documentation lists every setting with its values, default, flag and effect`() throws {
    let expected = SettingName.allCases.map(\.row).map { row in
      [
        "`\(row.name.rawValue)`",
        row.allowedWords.isEmpty ? row.values : row.allowedWords.map { "`\($0)`" }.joined(separator: ", "),
        "`\(row.defaultText)`", row.flag == nil ? "" : "`--\(row.name.rawValue)`", row.documentation,
      ]
    }

    #expect(try rows(under: "All settings") == expected)
  }

  @Test func `the documentation names the settings that take effect at the next start`() throws {
    let sentence = try #require(
      page.firstMatch(of: #/take effect at once\. (.*?) take effect at the\snext start/#.dotMatchesNewlines()))

    let named = sentence.1.matches(of: #/`(.*?)`/#).map { String($0.1) }
    #expect(named == SettingName.allCases.filter { $0.row.change == .nextStart }.map(\.rawValue))
  }

  @Test(arguments: SettingName.allCases)
  func `each setting is read from the file and the environment, and written by the settings page`(
    _ name: SettingName
  ) throws {
    let folder = try TemporaryFolder()
    let store = SettingsStore(path: folder.file("config.yml"), flags: Settings(), environment: Settings())
    let samples =
      name.row.allowedWords + ["74", "https://school.example", "off"].filter { name.row.normalized($0) == $0 }
    #expect(name.row.name == name)
    #expect(name.row.normalized(name.row.defaultText) == name.row.defaultText)

    for text in Set(samples) {
      let file = try SettingsFile(name: "config.yml").settings(from: "\(name.rawValue): \(text)")
      let environment = try Settings.environment { $0 == name.variable ? text : nil }
      let written = try store.set(name.rawValue, to: text)
      let entry = try #require(try store.entries().first { $0.setting == name })
      #expect(file == environment && file == written && file.text(of: name) == text)
      #expect(entry.value == text && entry.source == .file)
      #expect(Settings().over(file) == file && file.over(Settings()) == file)
    }
  }

  @Test func `the documentation lists every command with its keys`() throws {
    let documented = try rows(under: "Keys").map { row in row.map { $0.replacing("`", with: "") } }
    let bound = KeyRow.all.map { row in
      [row.name, row.keys.map(\.name).joined(separator: " "), row.sentence]
    }

    #expect(documented == bound)
  }

  @Test func `each key in the tables of other pages is a default key`() throws {
    let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = project.appending(path: "Documentation")
    let pages =
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "md" } + [project.appending(path: "README.md")]
    let defaults = Set(KeyRow.all.flatMap(\.keys).map(\.name))
    let arrows = ["↑": "Up", "↓": "Down", "←": "Left", "→": "Right"]

    var count = 0
    for page in pages {
      for table in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n\n")
      where table.hasPrefix("| key | action |") {
        let keys = table.split(separator: "\n").dropFirst(2).flatMap { row in
          row.split(separator: "|")[0].matches(of: #/`([^`]+)`/#).map { String($0.1) }
        }
        count += keys.count
        #expect(keys.filter { !defaults.contains(arrows[$0] ?? $0) } == [], "\(page.lastPathComponent)")
      }
    }
    #expect(count > 30)
  }

  @Test func `the example of the documentation is valid`() throws {
    let example = try #require(page.components(separatedBy: "```yaml\n").dropFirst().first)
      .components(separatedBy: "```")[0]

    let settings = try SettingsFile(name: "config.yml").settings(from: example)

    #expect(settings.frameRate == 30)
    #expect(settings.keys?[.tab(2)] == [])
  }
}
