import Foundation
import TerminalHarness
import Testing

/// The commands in README.md and on the pages of Documentation, run in a fresh home folder.
struct DocumentedCommandTests {
  /// The pages whose commands need only `waymark`. `CourseServerTests` runs the pages that mention the server.
  static let pages = DocumentationPages.all.filter { !$0.blocks.isEmpty && !$0.needsServer }

  @Test(arguments: pages) func `the commands of a page print the output that the page shows`(page: DocumentationPage)
    throws
  {
    let home = try HomeFixture()

    let differences = try DocumentedCommands(page: page.text)
      .differences(in: home.folder, running: [BuiltProgram.path])

    #expect(differences.isEmpty, "\(page): \(differences.joined(separator: "\n\n"))")
  }

  @Test func `each kind of block in a documentation page is treated as its comment requires`() throws {
    let page = """
      Text.

      ```sh
      echo one
      echo two >&2
      ```

      ```text
      one
      two
      ```

      <!-- not run: it never ends -->
      ```sh
      sleep 1000
      ```

      ```text
      nothing
      ```

      <!-- output varies: times -->
      ```sh
      echo read at 2026-11-30 10:15:02 in 3 s
      ```

      ```text
      read at 2025-01-02T00:00Z  in 41 min
      ```

      ```sh
      echo '{"activeMs": 12}'
      ```

      <!-- output varies: times -->
      ```json
      {"dwellMs":5}
      ```

      ```sh
      echo "port 8080" in ~
      ```

      ```text
      port 8080 in /home/…
      ```

      ```sh
      echo three
      ```

      ```text
      four
      ```
      """

    let commands = DocumentedCommands(page: page)
    let differences = try commands.differences(in: try HomeFixture().folder, running: [])

    #expect(commands.blocks.map(\.line) == [3, 23, 31, 40, 48])
    #expect(commands.blocks.map(\.varies) == [false, true, true, false, false])
    #expect(
      differences == [
        "line 31: the page prints\n{\"dwellMs\":5}\nand the programs print\n{\"activeMs\": 12}\n",
        "line 48: the page prints\nfour\nand the programs print\nthree\n",
      ])
  }

  @Test func `a block after a block that ends the shell is reported`() throws {
    let commands = DocumentedCommands(page: "```sh\nexit 3\n```\n\n```sh\necho one\n```\n")

    let differences = try commands.differences(in: try HomeFixture().folder, running: [])

    #expect(differences.count == 1 && differences[0].hasPrefix("line 5: it did not run"))
  }
}
