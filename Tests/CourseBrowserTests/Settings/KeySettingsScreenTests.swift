import Foundation
import ScreenKit
import Snapshots
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The commands with their keys, on the page of the settings.
@MainActor @Suite struct KeySettingsScreenTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns a browser with the list of keys open, and with the given settings file.
  private func fixture(_ columns: Int = 80, _ rows: Int = 24, file text: String? = nil) throws -> BrowserFixture {
    if let text { try folder.write(Data(text.utf8), to: "config.yml") }
    let store = SettingsStore(path: folder.file("config.yml"), flags: Settings(), environment: Settings())
    let fixture = try BrowserFixture(columns, rows, motion: .none, settings: try store.settings())
    fixture.browser.settings = store
    fixture.browser.context.folders.home = folder.path
    fixture.press(",", at: 1)
    fixture.type("keys", at: 1.1)
    fixture.press(.enter, at: 1.2)
    return fixture
  }

  private var file: String { (try? String(contentsOfFile: folder.file("config.yml"), encoding: .utf8)) ?? "" }

  /// Selects a command, and returns the text of the screen that waits for a key.
  private func wait(for command: String, in fixture: BrowserFixture, at time: Double) -> String {
    fixture.type(command, at: time)
    fixture.press(.enter, at: time + 0.1)
    return fixture.text(at: time + 0.2)
  }

  @Test(arguments: [(40, 12), (80, 24), (120, 36)])
  func `a key is chosen in steps that fit on every screen`(columns: Int, rows: Int) throws {
    let fixture = try fixture(columns, rows, file: "keys:\n  nxet: z\n  go-on: z  # mine\n")
    let list = fixture.text(at: 2)
    let waiting = wait(for: "bookmark", in: fixture, at: 3)
    fixture.press("z", at: 4)
    let conflict = fixture.text(at: 5)
    fixture.press("z", at: 6)
    let saved = fixture.text(at: 7)

    expectSnapshot([list, waiting, conflict, saved], "\(columns) x \(rows)")
    #expect(file == "keys:\n  nxet: z\n  continue: []  # mine\n  bookmark: [z, m]\n")
  }

  @Test func `a new key comes before the keys of its command, and has its effect at once`() throws {
    let fixture = try fixture(file: "theme: dark\n")
    _ = wait(for: "tab-find", in: fixture, at: 2)
    fixture.press("Z", at: 3)
    let saved = fixture.text(at: 4)
    fixture.press(.escape, at: 5)
    let settings = fixture.text(at: 6)
    fixture.press(.escape, at: 7)
    fixture.press("Z", at: 8)

    #expect(saved.contains("Keys ▎Saved: tab-find has Z 2."))
    #expect(saved.contains("▌ tab-find") && saved.contains("Z 2  file │"))
    #expect(settings.contains("▌ theme") && !settings.contains("Keys ▎"))
    #expect(fixture.browser.tabs.selectedIndex == 1)
    #expect(file == "theme: dark\nkeys:\n  tab-find: [Z, 2]\n")
  }

  @Test func `a key that the command has already is removed, and Ctrl-R restores the default`() throws {
    let fixture = try fixture()
    _ = wait(for: "copy", in: fixture, at: 2)
    fixture.press("y", at: 3)
    let (removed, removedFile) = (fixture.text(at: 4), file)
    fixture.press(.character("r"), .control, at: 5)
    let restored = fixture.text(at: 6)

    #expect(removed.contains("Saved: copy has no key.") && removedFile == "keys:\n  copy: []\n")
    #expect(restored.contains("Saved: copy has y.") && file == "")
  }

  @Test func `Esc keeps the keys, and other keys of the list do not change them`() throws {
    let fixture = try fixture()
    let waiting = wait(for: "select-next", in: fixture, at: 2)
    fixture.browser.handle(.paste("z"), at: 2.5)
    fixture.browser.handle(.key(KeyEvent(.character("z"), phase: .repeat)), at: 2.6)
    fixture.press(.escape, at: 3)
    let kept = fixture.text(at: 4)

    #expect(waiting.contains("Press a key for select-next: select or scroll down. Esc keeps ↓ j Ctrl-N"))
    #expect(kept.contains("▌ select-next") && !kept.contains("Saved"))
    #expect(file == "")
  }

  @Test func `keys that must stay are refused with the reason`() throws {
    let fixture = try fixture()
    _ = wait(for: "copy", in: fixture, at: 2)
    fixture.press(":", at: 3)
    let palette = fixture.text(at: 4)
    fixture.press(.escape, at: 5)
    _ = wait(for: "go-to", in: fixture, at: 6)
    fixture.press(":", at: 7)
    let own = fixture.text(at: 8)
    fixture.browser.handle(.key(KeyEvent(.character("x"), modifiers: .command)), at: 9)
    let nameless = fixture.text(at: 10)
    fixture.press(.character("c"), .control, at: 11)
    let (interrupt, isFinished) = (fixture.text(at: 12), fixture.browser.isFinished)
    fixture.press(.character("c"), .control, at: 13)

    #expect(palette.contains(": cannot be the key of copy. It must stay the key of go-to: run a command."))
    #expect(own.contains(": cannot be removed from go-to, which must keep it."))
    #expect(nameless.contains("Cmd-x cannot be the key of go-to. The settings file has no name for this"))
    #expect(interrupt.contains("Ctrl-C must stay the key of quit. Press it again to quit.") && !isFinished)
    #expect(fixture.browser.isFinished && file == "")
  }

  @Test func `a line that could not be used is listed with its reason, and is replaced by a key`() throws {
    let fixture = try fixture(file: "motion: slow\nkeys:\n  next: [Ctlr-N]\n")
    let list = fixture.text(at: 2)
    fixture.press(.enter, at: 3)
    let reason = fixture.text(at: 4)
    _ = wait(for: "next", in: fixture, at: 5)
    fixture.press("z", at: 6)
    let saved = fixture.text(at: 7)
    fixture.press(.escape, at: 8)

    #expect(list.contains("│ Lines that could not be used ") && list.contains("▌ line 3"))
    #expect(reason.contains("line 3: 'next': 'Ctlr-N' is not the name of a key. Write a character"))
    #expect(saved.contains("Saved: next has z n.") && !saved.contains("could not be used"))
    #expect(fixture.text(at: 9).contains("▌ line 1  'motion': 'slow' is not a valid value."))
    #expect(file == "motion: slow\nkeys:\n  next: [z, n]\n")
  }

  @Test func `the palette opens the list of keys`() throws {
    let fixture = try fixture()
    fixture.press(.escape, at: 2)
    fixture.press(.escape, at: 3)
    fixture.press(":", at: 4)
    fixture.type("keys", at: 5)
    fixture.press(.enter, at: 6)

    #expect(fixture.text(at: 7).contains("│ Keys ▎a command"))
  }
}
