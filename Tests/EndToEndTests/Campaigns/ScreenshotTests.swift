import Foundation
import Images
import TestSupport
import Testing

/// Images as terminal emulators display them, compared pixel by pixel on a virtual display.
///
/// Runs in long tests only, since it needs additional packages (`Sources/System/libraries install long`).
@Suite(.serialized, .enabled(if: Tier.isLong && ScreenTerminal.isHere, "Needs Xvfb, xdotool and ImageMagick."))
struct ScreenshotTests {
  /// Stripes narrower than a cell, with a border in a colour that is not used elsewhere on the screen.
  private static let picture: PixelImage = {
    let colours: [[UInt8]] = [[220, 30, 30], [30, 160, 60], [40, 60, 210], [240, 240, 240]]
    let (width, height, border) = (320, 192, 8)
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let isBorder = min(x, y, width - 1 - x, height - 1 - y) < border
        pixels += isBorder ? [255, 0, 255] : colours[(x / 8 + y / 48) % 4]
        pixels.append(255)
      }
    }
    return PixelImage(width: width, height: height, pixels: pixels)
  }()

  private func home() throws -> HomeFixture {
    let home = try HomeFixture()
    try home.write("title: C", to: "c/course.yml")
    try home.write("title: G", to: "c/1-g/goal.yml")
    try home.write("title: L", to: "c/1-g/1-l/lesson.yml")
    let lines = (1...40).map { "Line \($0).\n" }.joined(separator: "\n")
    try home.write("---\ntitle: A\n---\n![Stripes](stripes.png)\n\n\(lines)", to: "c/1-g/1-l/1-a.md")
    try Data(Self.picture.png).write(to: home.folder.appending(path: "c/1-g/1-l/stripes.png"))
    let answer = try home.waymark("import", home.path("c"))
    try #require(answer.code == 0)
    return home
  }

  /// Returns the part of a screenshot inside the border, or `nil` if there is no border.
  private func framed(_ shot: PixelImage) -> PixelImage? {
    var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
    for y in 0..<shot.height {
      for x in 0..<shot.width {
        let at = 4 * (y * shot.width + x)
        guard shot.pixels[at] > 245, shot.pixels[at + 1] < 10, shot.pixels[at + 2] > 245 else { continue }
        (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
      }
    }
    guard right > left, bottom > top else { return nil }
    var pixels: [UInt8] = []
    for y in top...bottom {
      let start = 4 * (y * shot.width + left)
      pixels += shot.pixels[start..<start + 4 * (right - left + 1)]
    }
    return PixelImage(width: right - left + 1, height: bottom - top + 1, pixels: pixels)
  }

  /// Returns the mean difference between a screenshot and the image, 0…1.
  private func error(_ shot: PixelImage) -> Double {
    guard let visible = framed(shot) else { return 1 }
    let expected = Self.picture.scaled(toWidth: visible.width, height: visible.height)
    var sum = 0
    for (one, other) in zip(visible.pixels, expected.pixels) { sum += abs(Int(one) - Int(other)) }
    // Alpha is the same in every pixel.
    return Double(sum) / Double(visible.pixels.count) / 255 * 4 / 3
  }

  /// Describes the difference of two screenshots, or returns `nil` if they are equal.
  private func difference(_ one: PixelImage, _ other: PixelImage) -> String? {
    guard one.width == other.width, one.height == other.height else { return "different sizes" }
    let pixels = (0..<one.width * one.height).filter { pixel in
      (4 * pixel..<4 * pixel + 3).contains { one.pixels[$0] != other.pixels[$0] }
    }
    guard let first = pixels.first, let last = pixels.last else { return nil }
    return "\(pixels.count) pixels, from row \(first / one.width) to \(last / one.width)"
  }

  @Test(arguments: ["xterm", "mlterm", "kitty"].filter(ScreenTerminal.isHere))
  func `an image is displayed in pixels while the page is at rest, and again after a key`(name: String) throws {
    let terminal = try ScreenTerminal(name, running: ["c/g/l/a"], in: home())

    // The remaining difference is caused by rounding and by the terminal's palette.
    let atRest = try terminal.shot { error($0) <= 0.02 }
    #expect(error(atRest) <= 0.02, "\(name): \(error(atRest))")
    // The state in between is too short for a screenshot. Other tests check its output.
    try terminal.press("Down", "Up")
    let again = try terminal.shot { error($0) <= 0.02 }
    #expect(error(again) <= 0.02, "\(name): \(error(again))")
  }

  @Test(arguments: ["xterm", "mlterm", "kitty"].filter(ScreenTerminal.isHere))
  func `after quitting, the screen is the same as that of a browser without images`(name: String) throws {
    let shots = try [[], ["--pictures", "none"]].map { arguments in
      let terminal = try ScreenTerminal(name, running: ["c/g/l/a"] + arguments, in: home())
      if arguments.isEmpty {
        _ = try terminal.shot { error($0) <= 0.02 }
      } else {
        _ = try terminal.shot(after: 3) { _ in true }
      }
      try terminal.press("q")
      return try terminal.shot(after: 2) { framed($0) == nil }
    }

    let different = difference(shots[0], shots[1])
    #expect(different == nil, "\(name): \(different ?? "")")
  }

  @Test(arguments: [true, false])
  func `in tmux, an image is displayed and removed, with or without passthrough`(passes: Bool) throws {
    try #require(ScreenTerminal.isHere("kitty"))
    let terminal = try ScreenTerminal("kitty", running: ["c/g/l/a"], in: home(), withinTmux: passes)

    let shot = try terminal.shot(after: 4) { framed($0) != nil }

    #expect(framed(shot) != nil)
    try terminal.press("q")
    #expect(framed(try terminal.shot(after: 2) { framed($0) == nil }) == nil)
  }
}
