import Foundation
import HTTPTypes
import TerminalHarness
import TestSupport
import Testing

@testable import waymark_server

/// The commands on pages of the documentation that mention the server, run in a fresh home folder.
struct DocumentedServerCommandTests {
  static let pages = DocumentationPages.all.filter(\.needsServer)

  @Test(arguments: pages) func `the commands of a page print the output that the page shows`(page: DocumentationPage)
    throws
  {
    let home = try TemporaryFolder()

    let differences = try DocumentedCommands(page: page.text).differences(
      in: URL(filePath: home.path), running: [ServerFixture.path("waymark"), ServerFixture.path("waymark-server")])

    #expect(differences.isEmpty, "\(page): \(differences.joined(separator: "\n\n"))")
  }

  @Test func `at least two pages mention the server`() { #expect(Self.pages.count >= 2) }
}

/// The table of routes in Documentation/server.md.
struct DocumentedRouteTests {
  @Test func `the documentation of the server lists every route with its methods`() throws {
    let page = try #require(DocumentationPages.all.first { $0.description == "Documentation/server.md" })
    let table = try #require(
      page.text.components(separatedBy: "\n## Routes\n").last?.components(separatedBy: "\n\n")
        .first { $0.hasPrefix("| method | route |") })

    let documented = table.split(separator: "\n").dropFirst(2).flatMap { row in
      let cells = row.split(separator: "|").map(String.init)
      let routes = cells[1].matches(of: /`(\/[^?`]*)/).map { String($0.1) }
      return cells[0].matches(of: /[A-Z]+/).flatMap { method in routes.map { "\(method.0) \($0)" } }
    }

    #expect(documented.sorted() == Endpoint.all.map { "\($0.method.rawValue) \($0.route)" }.sorted())
  }
}
