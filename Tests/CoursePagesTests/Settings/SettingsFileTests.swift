import Foundation
import LearningModel
import ScreenKit
import Snapshots
import TestSupport
import Testing
import TextCanvas

@testable import CoursePages

@Suite struct SettingsFileTests {
  private func read(_ text: String) throws -> Settings { try SettingsFile(name: "config.yml").settings(from: text) }

  private func errorMessage(_ text: String) -> String {
    do {
      return try read(text).mistake.map { "\($0)" } ?? "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test func `every setting of a file is read`() throws {
    let settings = try read(
      """
      # how I like it
      theme: light
      motion: none
      frame-rate: 30
      color: 16
      layout: list
      width: 60
      symbols: ascii
      mouse: off
      hyperlinks: on
      linear: off
      sync: https://school.example
      keys:
        next: [y, Ctrl-N]
        go-on: Enter
        marks: []
      """)

    var expected = Settings(
      keys: [
        .next: [KeyEvent(.character("y")), KeyEvent(.character("n"), modifiers: .control)],
        .continueCourse: [KeyEvent(.enter)], .showBookmarks: [],
      ])
    expected.theme = .light
    expected.motion = MotionPreference.none
    expected.frameRate = 30
    expected.colour = .ansi
    expected.layout = .list
    expected.width = 60
    expected.usesAscii = true
    expected.usesMouse = false
    expected.usesHyperlinks = true
    expected.isLinear = false
    expected.server = "https://school.example"
    #expect(settings == expected)
  }

  @Test(arguments: ["", "# nothing\n", "---\n", "keys:\n"]) func `an empty file contains no settings`(_ text: String)
    throws
  {
    #expect(try read(text).frameRate == 60)
  }

  @Test func `every mistake is reported with its line`() {
    let files = [
      "theme: dark\nmotoin: full",
      "sync: school.example",
      "motion: slow",
      "width: 39",
      "\nframe-rate: 0",
      "mouse: [on]",
      "motion:",
      "linear: maybe",
      "theme: Dark",
      "colour: 256",
      "keys:\n  next:",
      "keys:\n  next: [n, [m]]",
      "- theme",
      "keys: x",
      "keys:\n  nxet: n",
      "keys:\n  zzzzzz: n",
      "qqqq: 1",
      "keys:\n  next:\n    - n\n    - Ctlr-N",
      "keys:\n  next: z\n  previous: z",
      "keys:\n  next: Ctrl-c",
    ]

    expectSnapshot(files.map { "\($0.debugDescription)\n  \(errorMessage($0))" })
    #expect(
      errorMessage("theme: dark\n\ntheme: light").hasPrefix("Could not read 'theme' at config.yml:3: it occurs twice."))
    #expect(errorMessage("theme: [dark").hasPrefix("Could not read the settings at config.yml:"))
    #expect(
      errorMessage("theme: dark\n---\ntheme: light\n")
        == "Could not read the settings at config.yml:2: expected a single document in the stream, "
        + "but found another document. Write each setting as 'name: value' on a line of its own.")
  }

  @Test func `all mistakes are reported at once, up to twenty of them`() {
    let mistakes = errorMessage(
      """
      thme: dark
      motion: slow
      layout: list
      keys:
        next: [y, Ctlr-N, y]
        previous: z
        nxet: n
      """)
    let unknown =
      "Write a character, a name such as Enter, PageDown or F5, or one of them after Ctrl-, Alt- or Shift-."

    #expect(
      mistakes.split(separator: "\n") == [
        "Could not read 'thme' at config.yml:1: there is no such setting. Did you mean 'theme'?",
        "Could not read 'motion' at config.yml:2: 'slow' is not a valid value. Write one of full, reduced, none.",
        "Could not read 'next' at config.yml:5: 'Ctlr-N' is not the name of a key. \(unknown)",
        "Could not read 'next' at config.yml:5: 'y' is already the key of 'next'. Give one of them another key.",
        "Could not read 'nxet' at config.yml:7: there is no such command. Did you mean 'next'?",
      ])
    let many = errorMessage((1...25).map { "qqqq\($0): 1" }.joined(separator: "\n")).split(separator: "\n")
    #expect(many.count == 21 && many.last == "There are 5 more errors.")
  }

  @Test func `a setting or a command with a mistake has its default, and the others are read`() throws {
    let settings = try read("motion: slow\nlayout: list\nkeys:\n  next: [z, Ctlr-N]\n  previous: y\n  nxet: n")

    #expect(settings.text(of: .motion) == nil && settings.motion == .full && settings.layout == .list)
    #expect(settings.keys == [.previous: [KeyEvent(.character("y"))]])
    #expect(
      try read("motion: slow").mistake?.startNotice
        == "Could not read 'motion' at config.yml:1: 'slow' is not a valid value. Write one of full, reduced, none. "
        + "Until then, the default is used.")
    #expect(
      try read("thme: dark").mistake?.startNotice
        == "Could not read 'thme' at config.yml:1: there is no such setting. Did you mean 'theme'?")
  }

  @Test(arguments: [
    ("go-on: z\n  continue: y", "continue' at config.yml:3: it occurs twice. Remove one of the lines."),
    ("next: Esc", "next' at config.yml:2: 'Esc' is already the key of 'leave'. Give one of them another key."),
    ("text.find: ':'", "text.find' at config.yml:2: ':' is already the key of 'go-to'. Give one of them another key."),
    (
      "replay.pause: Home",
      "replay.pause' at config.yml:2: 'Home' is already the key of 'replay.first'. Give one of them another key."
    ),
    (
      "text.find: z\n  next: z",
      "next' at config.yml:3: 'z' is already the key of 'text.find'. Give one of them another key."
    ),
    ("text.find: z\n  history.search: z", "no error"), ("text.next-match: [n, z]\n  next: [n, y]", "no error"),
  ])
  func `a key belongs to one of the commands that can apply on the same screen`(lines: String, message: String) {
    let found = errorMessage("keys:\n  " + lines)

    #expect(found == (message == "no error" ? message : "Could not read '" + message))
  }

  @Test func `all mistakes of the environment are reported at once`() {
    let mistakes = SettingsError.several([
      .badVariable(name: "WAYMARK_MOTION", value: "fast", expected: "one of full, reduced, none"),
      .badVariable(name: "WAYMARK_MOUSE", value: "maybe", expected: "one of auto, on, off"),
    ])

    #expect(throws: mistakes) {
      try Settings.environment { ["WAYMARK_MOTION": "fast", "WAYMARK_MOUSE": "maybe"][$0] }
    }
    #expect(mistakes.kind == .badData)
  }

  @Test func `a missing file has no settings, and an unreadable one is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data(repeating: 32, count: 70_000), to: "long.yml")

    #expect(try Settings.file(at: folder.file("config.yml")) == Settings())
    #expect(throws: SettingsError.unreadable(file: folder.path, reason: "it is a folder")) {
      try Settings.file(at: folder.path)
    }
    #expect(throws: SettingsError.tooLong(file: folder.file("long.yml"), bytes: 70_000)) {
      try Settings.file(at: folder.file("long.yml"))
    }
    #expect(
      "\(SettingsError.tooLong(file: "f", bytes: 70_000))"
        == "Could not read the settings at f: it has 70000 bytes. Settings have at most 65536.")
    #expect(
      "\(SettingsError.unreadable(file: "f", reason: "it is a folder"))"
        == "Could not read the settings at f: it is a folder. Check its permissions, or move it away.")
    #expect(
      "\(SettingsError.twice(name: "theme", place: "f:2"))"
        == "Could not read 'theme' at f:2: it occurs twice. Remove one of the lines.")
  }

  @Test func `flags take precedence over variables, then the file, then the defaults`() throws {
    var flags = Settings()
    flags.motion = .full
    flags.theme = nil
    let variables = try Settings.environment {
      ["WAYMARK_MOTION": "none", "WAYMARK_FRAME_RATE": "24", "NO_COLOR": "1"][$0]
    }
    let file = try read("motion: reduced\nframe-rate: 12\nlayout: list\ntheme: dark\ncolor: 256")

    let settings = flags.over(variables).over(file)

    #expect(settings.motion == .full)
    #expect(settings.frameRate == 24)
    #expect(settings.layout == .list)
    #expect(settings.theme == nil && settings.text(of: .theme) == "auto")
    #expect(settings.colour == ColourDepth.none)
    #expect(settings.usesMouse == nil && settings.text(of: .mouse) == nil)
    let mistake = SettingsError.badVariable(name: "WAYMARK_MOUSE", value: "maybe", expected: "one of auto, on, off")
    #expect(throws: mistake) { try Settings.environment { ["WAYMARK_MOUSE": "maybe"][$0] } }
    #expect(
      "\(mistake)"
        == "Could not read 'WAYMARK_MOUSE' in the environment: 'maybe' is not a valid value. "
        + "Write one of auto, on, off.")
  }

  @Test(arguments: [("1", true), ("0", false), ("on", true), ("off", false)])
  func `a variable accepts 1 and 0 for on and off`(value: String, isOn: Bool) throws {
    #expect(try Settings.environment { ["WAYMARK_LINEAR": value][$0] }.isLinear == isOn)
    #expect(errorMessage("linear: \(value)").hasPrefix("no error") == (value.count > 1))
  }

  @Test func `invalid UTF-8 is reported with its line, and a byte order mark is accepted`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write(Data("theme: dark\n# caf".utf8) + [0xE9, 0x0A], to: "latin.yml")
    try folder.write([0xEF, 0xBB, 0xBF] + Data("theme: dark\n".utf8), to: "marked.yml")

    #expect(throws: SettingsError.notText(place: folder.file("latin.yml") + ":2")) {
      try Settings.file(at: folder.file("latin.yml"))
    }
    #expect(
      "\(SettingsError.notText(place: "f:2"))"
        == "Could not read the settings at f:2: the file is not valid UTF-8. Save the file as UTF-8.")
    #expect(try Settings.file(at: folder.file("marked.yml")).theme == .dark)
  }

  @Test func `the settings file is in XDG_CONFIG_HOME or the home folder`() {
    #expect(Settings.path(in: { ["XDG_CONFIG_HOME": "/c"][$0] }, home: "/home/ada") == "/c/waymark/config.yml")
    for variables in [[:], ["XDG_CONFIG_HOME": "relative"]] {
      #expect(
        Settings.path(in: { variables[$0] }, home: "/home/ada") == "/home/ada/.config/waymark/config.yml")
    }
  }

  @Test func `every key of the table can be parsed from its name`() {
    for key in KeyRow.all.flatMap(\.keys) { #expect(KeyEvent(name: key.name) == key) }
    #expect(KeyEvent(name: "alt-shift-left") == KeyEvent(.left, modifiers: [.alt, .shift]))
    #expect(KeyEvent(name: "-") == KeyEvent(.character("-")))
    #expect(KeyEvent(name: "Ctrl--") == KeyEvent(.character("-"), modifiers: .control))
    #expect(KeyEvent(name: "F12") == KeyEvent(.function(12)))
    #expect(KeyEvent(name: "é") == KeyEvent(.character("é")))
    for name in ["", "nn", "F0", "Shift-a", "Meta-a"] { #expect(KeyEvent(name: name) == nil) }
  }
}
