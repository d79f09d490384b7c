import Testing
import TerminalIO

@testable import CourseBrowser

struct SystemOpenerTests {
  private static let page = "https://example.org/a"

  private func command(_ address: String, _ variables: [String: String], _ programs: Set<String>) -> [String]? {
    SystemOpener.command(for: address, environment: TerminalEnvironment(variables)) { programs.contains($0) }
  }

  @Test func `the variable BROWSER determines the program, with the address in place of %s`() {
    let programs: Set = ["/usr/bin/two", "/opt/three"]
    let variables = ["PATH": "/bin:/usr/bin", "BROWSER": "one:two --new %s:/opt/three"]

    #expect(command(Self.page, variables, programs) == ["/usr/bin/two", "--new", Self.page])
    #expect(command(Self.page, variables, ["/opt/three"]) == ["/opt/three", Self.page])
  }

  @Test func `nothing is opened over SSH, or without a display or a program`() {
    let opener: Set = ["/usr/bin/xdg-open", "/usr/bin/open", "/usr/bin/browser"]
    let path = ["PATH": "/usr/bin"]
    func with(_ more: [String: String]) -> [String: String] { path.merging(more) { $1 } }

    #expect(command(Self.page, with(["SSH_TTY": "/dev/pts/1", "DISPLAY": ":0", "BROWSER": "browser"]), opener) == nil)
    #expect(command(Self.page, with(["SSH_CONNECTION": "x", "DISPLAY": ":0"]), opener) == nil)
    #expect(command(Self.page, with(["DISPLAY": ":0"]), []) == nil)
    #expect(command("--help", with(["DISPLAY": ":0"]), opener) == nil)
    #if !os(macOS)
    #expect(command(Self.page, path, opener) == nil)
    #expect(command(Self.page, with(["WAYLAND_DISPLAY": "wayland-0"]), opener) == ["/usr/bin/xdg-open", Self.page])
    // `BROWSER` is only used for web addresses.
    #expect(
      command("/tmp/a.png", with(["DISPLAY": ":0", "BROWSER": "browser"]), opener) == [
        "/usr/bin/xdg-open", "/tmp/a.png",
      ])
    #endif
  }

  @Test func `opening succeeds if the program exists, and fails otherwise`() {
    #expect(SystemOpener.open("https://example.org", environment: TerminalEnvironment(["BROWSER": "/bin/false"])))
    #expect(
      !SystemOpener.open("https://example.org", environment: TerminalEnvironment(["BROWSER": "/no/such/program"])))
  }
}
