import Foundation
import TerminalHarness
import TestSupport
import Testing

/// The commands of the pages of Documentation that name the server, run in a fresh home folder.
struct DocumentedServerCommandTests {
  static let pages = DocumentationPages.all.filter(\.needsServer)

  @Test(arguments: pages) func `the commands of a page print what the page shows`(page: DocumentationPage) throws {
    let home = try TemporaryFolder()

    let differences = try DocumentedCommands(page: page.text).differences(
      in: URL(filePath: home.path), running: [ServedHome.path("waymark"), ServedHome.path("waymark-server")])

    #expect(differences.isEmpty, "\(page): \(differences.joined(separator: "\n\n"))")
  }

  @Test func `at least two pages name the server`() { #expect(Self.pages.count >= 2) }
}
