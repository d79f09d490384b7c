import Foundation
import TestSupport
import Snapshots
import Testing
import TextCanvas

@testable import CoursePages

@Suite struct SettingsStoreTests {
  private static let text = """
    # Mine.
    motion: reduced   # less of it

    "theme": dark
    keys:
      next: [n, Alt-Down]  # two
    frame-rate: 30
    """

  private func store(
    _ text: String?, in folder: TemporaryFolder, flags: Settings = Settings(), environment: Settings = Settings()
  ) throws -> SettingsStore {
    if let text { try folder.write(Data(text.utf8), to: "config.yml") }
    return SettingsStore(path: folder.file("config.yml"), flags: flags, environment: environment)
  }

  @Test func `a value is changed in place, and the rest of the file is kept`() throws {
    let folder = try TemporaryFolder()
    let store = try store(Self.text, in: folder)

    _ = try store.set("motion", to: "none")
    _ = try store.set("theme", to: "high-contrast")
    let settings = try store.set("layout", to: "list")

    try expectSnapshot(String(contentsOfFile: store.path, encoding: .utf8))
    #expect(settings.layout == .list)
    #expect(settings.keys?[.next]?.count == 2)
  }

  @Test(arguments: [
    ("", "keys:\n  next: [z, '/']\n"),
    ("theme: dark", "theme: dark\nkeys:\n  next: [z, '/']\n"),
    ("keys:\n", "keys:\n  next: [z, '/']\n"),
    ("keys:\n  next: n # one\ntheme: dark\n", "keys:\n  next: [z, '/'] # one\ntheme: dark\n"),
    ("keys:\n    'next':\n    - n\n    - y\n    copy: c\n", "keys:\n    next: [z, '/']\n    copy: c\n"),
    ("keys:\n  next:\n    - n\n  # mine\n  copy: c\n", "keys:\n  next: [z, '/']\n  # mine\n  copy: c\n"),
    (
      "keys:\n  copy: ['#'] # c\n\n# end\ntheme: dark\n",
      "keys:\n  copy: ['#'] # c\n  next: [z, '/']\n\n# end\ntheme: dark\n"
    ),
    ("motion: slow\nkeys:\n  next: Ctlr-N\n", "motion: slow\nkeys:\n  next: [z, '/']\n"),
    ("keys:\n  copy: y\n  next: y\n", "keys:\n  copy: y\n  next: [z, '/']\n"),
  ])
  func `keys replace the entry of their command, and default keys remove it`(text: String, changed: String) throws {
    let folder = try TemporaryFolder()
    let store = try store(text, in: folder)
    let file = { try String(contentsOfFile: store.path, encoding: .utf8) }
    let keys = [KeyEvent(.character("z")), KeyEvent(.character("/"))]

    let settings = try store.set([.next: keys])
    let written = try file()
    let restored = try store.set([.next: [KeyEvent(.character("n"))]])

    #expect(written == changed && settings.keys?[.next] == keys)
    #expect(try restored.keys?[.next] == nil && !file().contains("next"))
  }

  @Test func `keys of two commands are exchanged in one change`() throws {
    let folder = try TemporaryFolder()
    let store = try store("keys:\n  copy: z\n  next: c\n", in: folder)

    let settings = try store.set([.copy: [KeyEvent(.character("c"))], .next: [KeyEvent(.character("z"))]])

    #expect(try String(contentsOfFile: store.path, encoding: .utf8) == "keys:\n  copy: c\n  next: z\n")
    #expect(settings.mistake == nil)
  }

  @Test(arguments: ["keys: {next: n}\n", "keys:\n  copy: z\n"])
  func `keys that cannot be written leave the file unchanged`(text: String) throws {
    let folder = try TemporaryFolder()
    let store = try store(text, in: folder)

    #expect(throws: SettingsError.cannotChange(name: "next", file: store.path)) {
      try store.set([.next: [KeyEvent(.character("z"))]])
    }
    #expect(try String(contentsOfFile: store.path, encoding: .utf8) == text)
  }

  @Test func `a missing file is created`() throws {
    let folder = try TemporaryFolder()
    let store = SettingsStore(
      path: folder.file("a/b/config.yml"), flags: Settings(), environment: Settings())

    _ = try store.set("color", to: "256")

    #expect(try String(contentsOfFile: store.path, encoding: .utf8) == "color: 256\n")
  }

  @Test func `every value is reported with its source`() throws {
    let folder = try TemporaryFolder()
    var (flags, environment) = (Settings(), Settings())
    flags.theme = .light
    environment.theme = .dark
    environment.isLinear = true

    let entries = try store(Self.text, in: folder, flags: flags, environment: environment).entries()

    #expect(
      entries.map { "\($0.name) \($0.value) \($0.source.rawValue)" } == [
        "theme light flag", "motion reduced file", "frame-rate 30 file", "color auto default", "layout auto default",
        "width 74 default", "symbols auto default", "mouse auto default", "hyperlinks auto default",
        "pictures auto default", "linear on environment", "editor auto default", "sync off default",
      ])
  }

  @Test(arguments: [
    (
      "motion: full\n", "motion", "fast",
      "Could not read 'motion' at FILE: 'fast' is not a valid value. "
        + "Write one of full, reduced, none."
    ),
    (
      "{motion: full}\n", "motion", "none",
      "Could not write 'motion' to FILE: it is not on a line of its own. "
        + "Change it with an editor."
    ),
    (
      "motion:\n  full\n", "motion", "none",
      "Could not write 'motion' to FILE: it is not on a line of its own. "
        + "Change it with an editor."
    ),
  ])
  func `a value that cannot be written is reported and leaves the file unchanged`(
    text: String, name: String, value: String, message: String
  ) throws {
    let folder = try TemporaryFolder()
    let store = try store(text, in: folder)

    do {
      _ = try store.set(name, to: value)
      Issue.record("the value was written")
    } catch {
      #expect(String(describing: error).replacing(store.path, with: "FILE") == message)
    }
    #expect(try String(contentsOfFile: store.path, encoding: .utf8) == text)
  }

  @Test func `a folder that cannot be created is reported`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data(), to: "config")
    let store = SettingsStore(path: folder.file("config/config.yml"), flags: Settings(), environment: Settings())

    do {
      _ = try store.set("motion", to: "none")
      Issue.record("the value was written")
    } catch {
      #expect(
        String(describing: error)
          == "Could not write the settings to \(store.path): the file cannot be created. Check the permissions of its folder."
      )
    }
  }
}
