import Testing

@testable import Exercises

@Suite struct WorkEditorTests {
  @Test(
    arguments: [
      (["TMUX": "/tmp/tmux-1/default,1,0", "TERM_PROGRAM": "vscode"], .tmux),
      (["KITTY_LISTEN_ON": "unix:/tmp/k"], .kitty),
      (["WEZTERM_PANE": "0"], .wezterm), (["TERM_PROGRAM": "vscode"], .code), (["TMUX": ""], nil), ([:], nil),
    ] as [([String: String], WorkEditor.Neighbour?)])
  func `the environment decides where the editor opens`(
    _ variables: [String: String], _ expected: WorkEditor.Neighbour?
  ) {
    #expect(WorkEditor(setting: nil) { variables[$0] }.neighbour == expected)
    #expect(WorkEditor(setting: "vi") { variables[$0] }.neighbour == nil)
  }

  @Test(
    arguments: [
      (["VISUAL": "code -w", "EDITOR": "vi"], "code -w"), (["VISUAL": " ", "EDITOR": "nano"], "nano"), ([:], "vi"),
    ] as [([String: String], String)])
  func `the command is VISUAL, EDITOR or vi`(_ variables: [String: String], _ command: String) {
    #expect(WorkEditor(setting: nil) { variables[$0] }.command == command)
  }

  @Test func `each program gets a command that opens the files in the work folder`() {
    func command(_ variables: [String: String], isBelow: Bool = false) -> [String]? {
      WorkEditor(setting: nil) { variables[$0] }.neighbour?
        .opening(["/w/a b"], in: "/w", with: "vi 'a b'", isBelow: isBelow)
    }

    #expect(
      command(["TMUX": "x"])
        == ["tmux", "split-window", "-h", "-c", "/w", "-P", "-F", "#{pane_id}", "vi 'a b'"])
    #expect(
      command(["KITTY_LISTEN_ON": "x"])
        == ["kitten", "@", "launch", "--location=vsplit", "--cwd", "/w", "/bin/sh", "-c", "vi 'a b'"])
    #expect(
      command(["WEZTERM_PANE": "x"])
        == ["wezterm", "cli", "split-pane", "--right", "--cwd", "/w", "--", "/bin/sh", "-c", "vi 'a b'"])
    #expect(command(["TMUX": "x"], isBelow: true)?[2] == "-v")
    #expect(command(["KITTY_LISTEN_ON": "x"], isBelow: true)?[3] == "--location=hsplit")
    #expect(command(["WEZTERM_PANE": "x"], isBelow: true)?[3] == "--bottom")
    #expect(command(["TERM_PROGRAM": "vscode"]) == ["code", "-r", "/w/a b"])
  }

  @Test func `an editor that is not installed, and one that fails, are named`() {
    func message(_ setting: String) -> String? {
      do {
        return try WorkEditor(setting: setting) { _ in nil }.open(["a"], in: "/tmp", columns: 80)
      } catch {
        return (error as? WorkEditorError)?.description
      }
    }

    #expect(
      message("waymark-no-such-editor -x")
        == "Could not open the files in '/tmp' with 'waymark-no-such-editor': there is no such program. Change the setting 'editor', or open the files yourself."
    )
    #expect(
      message("false")
        == "Could not open the files in '/tmp' with 'false': it failed. Change the setting 'editor', or open the files yourself."
    )
  }
}
