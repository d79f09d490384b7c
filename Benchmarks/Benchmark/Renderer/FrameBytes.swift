import CourseKit
import Foundation
import TerminalIO
import TestSupport
import TextCanvas

/// The number of bytes of the frames of transitions.
@MainActor struct FrameBytes {
  private let seed: UInt64
  private let folder: TemporaryFolder
  private let library: CourseLibrary

  init(seed: UInt64) throws {
    self.seed = seed
    folder = try TemporaryFolder()
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite"))
    _ = try library.importBundled()
  }

  func tables() throws -> [Table] {
    let screens = try Screens.texts(of: library, ink: 0.53)
    var digest = Digest()
    digest.add(screens.0)
    digest.add(screens.1)
    let percentage = Int((Screens.share(of: screens) * 100).rounded())
    var table = Table(
      "Renderer: bytes per frame of an animation",
      note: "Without synchronized output, which adds 16 bytes to frames of more than 128. The screens are the bundled "
        + "course's texts, \(percentage) % not blank; inputs \(digest). There is no frame without a change.",
      columns: ["what", "frames", "bytes per frame", "largest", "plain difference", "ratio", ""])

    table.add(
      "200 × 60 slide sideways, 30 steps", try slide(screens, columns: 200, "a slide sideways"), target: 2_200)
    try addVertical(screens, to: &table)
    for (name, levels) in [("four levels", OpacityLevels.four), ("eighths", .eighths)] {
      table.add("200 × 60 cross-fade, 30 steps, \(name)", try crossFade(screens, levels))
    }
    var profile = Table(
      "Renderer: use of the browser's bytes",
      note:
        "Bytes per frame; for typing, per key. A line of a hundred columns has 9 bytes if the terminal repeats "
        + "characters (REP), otherwise 300. The program asks the terminal at its start.",
      columns: ["what", "all", "words", "lines", "pens", "cursor", "erasures", "moves"])
    let plain = OutputFeatures(hasLinks: false)
    for (size, features, name) in [
      (CellSize(columns: 80, rows: 24), plain, "80 × 24 browser"), (Screens.size, plain, "200 × 60 browser"),
      (Screens.size, OutputFeatures(repeatsCharacters: true, hasLinks: false), "200 × 60 browser, REP"),
    ] {
      let isLarge = size == Screens.size
      let browser = try BrowserFrames(folder: folder, library: library, size: size, features: features)
      func add(_ label: String, _ counts: [ByteMeter.Count], target: Int? = nil) {
        table.add("\(name): \(label)", counts, target: isLarge ? target : nil)
        profile.addProfile("\(name): \(label)", counts)
      }
      add("a card opens", try browser.press(.enter))
      add("back to the card", try browser.press(.left), target: 1_500)
      add("typing in Find, per key", try browser.find("negotiate"), target: 2_000)
      try browser.read()
      add("scrolling a text by a line", try browser.press(.down, times: 4))
      add("scrolling a text by a page", try browser.press(.pageDown))
    }
    return [table, profile]
  }

  private func tree(_ screens: (Surface, Surface), x: Double = 0, y: Double = 0, opacity: Double = 1) -> RenderNode {
    let bounds = Rect(CellRect(Screens.size))
    let second = bounds.offset(x: x == 0 ? 0 : 200 + x, y: y == 0 ? 0 : 60 + y)
    return RenderNode(
      id: .init(1), frame: bounds,
      children: [
        RenderNode(id: .init(2), frame: bounds.offset(x: x, y: y), surface: screens.0),
        RenderNode(id: .init(3), frame: second, opacity: opacity, surface: screens.1),
      ])
  }

  private func slide(_ screens: (Surface, Surface), columns: Int, _ name: String) throws -> [ByteMeter.Count] {
    let meter = ByteMeter(size: Screens.size)
    meter.draw(tree(screens, x: -0.001))
    meter.reset()
    for step in 1...30 { meter.draw(tree(screens, x: -200 * Double(step) / 30)) }
    try meter.check(name)
    return meter.counts
  }

  /// Adds a vertical slide, and its bytes in excess of the rows that become visible.
  private func addVertical(_ screens: (Surface, Surface), to table: inout Table) throws {
    let meter = ByteMeter(size: Screens.size)
    meter.draw(tree(screens, y: -0.001))
    meter.reset()
    var excess = 0
    for step in 1...30 {
      let before = meter.frame.surface
      meter.draw(tree(screens, y: -60 * Double(step) / 30))
      guard let count = meter.counts.last else { continue }
      // The screen after the terminal has moved its rows. The rows that become visible are blank.
      var moved = Surface(Screens.size, filledWith: .blank)
      moved.copy(before, at: CellPoint(column: 0, row: -2))
      let encoder = FrameEncoder(size: Screens.size, features: OutputFeatures(hasLinks: false))
      _ = encoder.encode(Frame(surface: moved))
      excess = max(excess, count.ours - encoder.encode(Frame(surface: meter.frame.surface)).count)
    }
    try meter.check("a vertical slide")
    table.add("200 × 60 slide upwards, 30 steps", meter.counts)
    table.add(
      "… in addition to the two new rows", "30", "", excess.grouped, "", "", "", target: "≤ 40",
      isMet: excess <= 40)
  }

  private func crossFade(_ screens: (Surface, Surface), _ levels: OpacityLevels) throws -> [ByteMeter.Count] {
    let meter = ByteMeter(size: Screens.size, levels: levels)
    meter.draw(tree(screens, opacity: 0))
    meter.reset()
    for step in 1...30 { meter.draw(tree(screens, opacity: Double(step) / 30)) }
    try meter.check("a cross-fade")
    return meter.counts
  }
}
