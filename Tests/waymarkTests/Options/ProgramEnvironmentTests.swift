import TerminalIO
import Testing
import TextCanvas

@testable import waymark

struct ProgramEnvironmentTests {
  private func environment(_ variables: [String: String]) -> ProgramEnvironment {
    ProgramEnvironment(variables: TerminalEnvironment(variables), account: ("ada", "/home/ada"))
  }

  @Test(arguments: [
    ([:], "/home/ada/.local/share/waymark/waymark.sqlite"),
    (["HOME": "/h"], "/h/.local/share/waymark/waymark.sqlite"),
    (["HOME": "/h", "XDG_DATA_HOME": "/data"], "/data/waymark/waymark.sqlite"),
    (["HOME": "/h", "XDG_DATA_HOME": "relative"], "/h/.local/share/waymark/waymark.sqlite"),
    (["HOME": "/h", "XDG_DATA_HOME": "/data", "WAYMARK_DATABASE": "/x.sqlite"], "/x.sqlite"),
    (["HOME": "/h", "WAYMARK_DATABASE": ""], "/h/.local/share/waymark/waymark.sqlite"),
  ])
  func `the path of the database comes from the first variable that is set`(variables: [String: String], path: String) {
    #expect(environment(variables).databasePath == path)
  }

  @Test(arguments: [
    ([:], "/home/ada/.local/state/waymark/issues.log"),
    (["HOME": "/h", "XDG_STATE_HOME": "/state"], "/state/waymark/issues.log"),
    (["HOME": "/h", "XDG_STATE_HOME": "relative"], "/h/.local/state/waymark/issues.log"),
  ])
  func `the issue log is in the state folder`(variables: [String: String], path: String) {
    #expect(environment(variables).issueLogPath == path)
  }

  @Test func `the learner is the login name unless a variable names one`() {
    #expect(environment(["USER": "root"]).learnerName == "ada")
    #expect(environment(["WAYMARK_LEARNER": "bob"]).learnerName == "bob")
    #expect(ProgramEnvironment(variables: TerminalEnvironment(["USER": "eve"]), account: nil).learnerName == "eve")
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], true, ColourDepth.indexed), (["TERM": "xterm-256color"], false, .none),
    (["TERM": "xterm-256color", "NO_COLOR": "1"], true, .none), (["TERM": "dumb"], true, .none),
    (["TERM": "xterm", "CLICOLOR_FORCE": "1"], false, .ansi), (["TERM": "xterm", "CLICOLOR_FORCE": "0"], false, .none),
    (["TERM": "xterm", "CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false, .none),
  ])
  func `colours require a terminal or CLICOLOR_FORCE`(
    variables: [String: String], isTerminal: Bool, depth: ColourDepth
  ) {
    #expect(environment(variables).colourDepth(onTerminal: isTerminal) == depth)
  }
}
