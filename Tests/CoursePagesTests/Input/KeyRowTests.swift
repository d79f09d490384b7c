import TestSupport
import Testing
import TextCanvas

@testable import CoursePages

@Suite struct KeyRowTests {
  @Test func `every command has one row, and every name belongs to one row`() {
    let rows = KeyRow.all
    let names = rows.flatMap { [$0.name] + $0.formerNames }

    #expect(Set(rows.map(\.command)).count == rows.count)
    #expect(Set(names).count == names.count)
    #expect(rows.allSatisfy { $0.sentence.displayWidth <= 21 })
  }

  @Test(arguments: KeyRow.all.filter { !$0.formerNames.isEmpty })
  func `a name of an earlier version assigns keys to the same command`(row: KeyRow) throws {
    for name in [row.name] + row.formerNames {
      let settings = try settings(from: "keys:\n  \(name): [z, Ctrl-T]")

      #expect(settings.mistake == nil)
      #expect(
        settings.keys == [row.command: [KeyEvent(.character("z")), KeyEvent(.character("t"), modifiers: .control)]])
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `after random rebindings, a key or the palette performs every command`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pool = KeyRow.all.flatMap(\.keys) + "zZ;!".map { KeyEvent(.character($0)) }
    var lines = ["keys:"]
    for row in KeyRow.all where random.oneIn(3) {
      let keys = (0..<random.below(3)).map { _ in pool[random.below(pool.count)].name.replacing("'", with: "''") }
      lines.append("  \(row.name): [\(keys.map { "'\($0)'" }.joined(separator: ", "))]")
    }

    let bindings = try settings(from: lines.joined(separator: "\n")).keyBindings

    for row in bindings.rows where !row.context.hasPalette {
      let performed = row.keys.filter { key in bindings.rows(in: row.context).first { $0.keys.contains(key) } == row }
      #expect(!performed.isEmpty, "\(row.name)")
    }
    for (key, command) in KeyBindings.reserved {
      let rows = bindings.rows(for: key).filter(\.context.hasPalette)
      #expect(rows.map(\.command) == [command], "\(key.name)")
    }
  }

  @Test func `a key that two commands have by default stays with both`() throws {
    let bindings = try settings(from: "keys:\n  next: [n, z]\n  filter: [f, x]").keyBindings

    #expect(bindings.rows(for: KeyEvent(.character("n"))).map(\.name) == ["text.next-match", "next", "learn"])
    #expect(bindings.rows(for: KeyEvent(.character("z"))).map(\.name) == ["next"])
    // A text and the history are never shown together.
    #expect(bindings.rows(for: KeyEvent(.character("f"))).map(\.name) == ["review.forgot", "text.page-down", "filter"])
    #expect(bindings.rows(for: KeyEvent(.character("x"))).map(\.name) == ["filter"])
  }

  private func settings(from text: String) throws -> Settings {
    try SettingsFile(name: "config.yml").settings(from: text)
  }
}
