import Foundation
import Testing

@testable import CoursePages

/// The page on the settings says what there is, and its example is read.
@Suite struct SettingsPageTests {
  private let page: String

  init() throws {
    let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    page = try String(contentsOf: project.appending(path: "Documentation/settings.md"), encoding: .utf8)
  }

  /// The rows of the table under a heading, each with its cells.
  private func rows(under heading: String) throws -> [[String]] {
    let part = try #require(page.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
    return part.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { row in row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  @Test func `every setting stands there with its values`() throws {
    let told = try rows(under: "All settings").map { row in
      [row[0].replacing("`", with: ""), row[1].replacing("`", with: "").replacing("one of ", with: "")]
    }

    #expect(told == SettingRow.rows.map { [$0.name.rawValue, $0.values.replacing("one of ", with: "")] })
  }

  @Test func `every setting has a row, in the order of their names`() {
    #expect(SettingRow.rows.map(\.name) == SettingRow.Name.allCases)
  }

  @Test func `every command stands there with its keys`() throws {
    let told = try rows(under: "Keys").map { row in row.map { $0.replacing("`", with: "") } }
    let bound = KeyBindings.rows.map { row in
      [row.name.replacing(" ", with: "-"), row.keys.map(\.name).joined(separator: " "), row.does]
    }

    #expect(told == bound)
  }

  @Test func `its example is read`() throws {
    let example = try #require(page.components(separatedBy: "```yaml\n").dropFirst().first)
      .components(separatedBy: "```")[0]

    let settings = try SettingsFile(name: "config.yml").settings(from: example)

    #expect(settings.frameRate == 30)
    #expect(settings.keys?[.tab(2)] == [])
  }
}
