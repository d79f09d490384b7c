import CourseBrowser
import CourseKit
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import Images
import ScreenKit
import TerminalIO
import TestSupport
import TextCanvas

/// A page with ten images: the time of the first frame, the memory of the images, and the bytes of transitions.
@MainActor struct PicturePages {
  private static let size = CellSize(columns: 120, rows: 40)
  private static let pictures = 10
  private let seed: UInt64
  private let folder: TemporaryFolder
  private let library: CourseLibrary

  init(seed: UInt64) throws {
    self.seed = seed
    folder = try TemporaryFolder()
    let lesson = "c/1-g/1-l"
    try FileManager.default.createDirectory(atPath: folder.file(lesson), withIntermediateDirectories: true)
    var text = "---\ntitle: Pictures\n---\n"
    for number in 0..<Self.pictures {
      try folder.write(Data(Self.picture(seed: seed &+ UInt64(number)).png), to: "\(lesson)/\(number).png")
      text += "Words above picture \(number).\n\n![Picture \(number)](\(number).png)\n\n"
    }
    for (path, text) in [
      ("c/course.yml", "title: C"), ("c/1-g/goal.yml", "title: G"), ("\(lesson)/lesson.yml", "title: L"),
      ("\(lesson)/1-pictures.md", text), ("\(lesson)/2-words.md", "---\ntitle: Words\n---\nWords.\n"),
    ] {
      try folder.write(Data(text.utf8), to: path)
    }
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite"))
    _ = try library.importCourse(from: folder.file("c"))
  }

  /// Returns an image of 1,200 × 800 pixels with noise, similar to a photograph.
  private static func picture(seed: UInt64) -> PixelImage {
    var random = SplitMix64(seed: seed)
    let (width, height) = (1_200, 800)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(4 * width * height)
    for row in 0..<height {
      for column in 0..<width {
        let noise = random.below(24)
        pixels += [UInt8(column * 200 / width + noise), UInt8(row * 200 / height + noise), UInt8(noise * 4), 255]
      }
    }
    return PixelImage(width: width, height: height, pixels: pixels)
  }

  func table() throws -> Table {
    var table = Table(
      "Reading: a page with ten pictures",
      note: "Ten PNG images of 1,200 × 800 pixels with noise, at 120 × 40. Processor time from the key to the bytes of "
        + "the first frame, the median of nine; the bytes of all images in half blocks, and the bytes of all frames of "
        + "the transition to the next page and back.",
      columns: ["what", "measured"])
    var (with, without) = (Samples(), Samples())
    for _ in 0..<9 {
      try with.add(nanoseconds: page(hasPictures: true).firstFrame)
      try without.add(nanoseconds: page(hasPictures: false).firstFrame)
    }
    table.add("first frame", with.median.asTime, target: "≤ 30 ms", isMet: with.median <= 3e7)
    table.add("first frame, descriptions only", without.median.asTime)

    let withPictures = try page(hasPictures: true)
    try withPictures.waitForPictures()
    let peak = ProcessFacts.peakMemory(of: getpid())
    table.add("peak memory of the process", "\(peak >> 20) MiB", target: "≤ 256 MiB", isMet: peak <= 256 << 20)

    // The same page without waiting for its images, so that nothing is decoded and only frames are drawn.
    let framed = try page(hasPictures: true)
    let (bytes, plainBytes) = (try withPictures.bytesOfTheWayOnAndBack(), try framed.bytesOfTheWayOnAndBack())
    table.add("bytes of the transition without images", plainBytes.moving.grouped)
    table.add(
      "bytes of the transition", bytes.moving.grouped, target: "≤ 1.1 × those",
      isMet: Double(bytes.moving) <= 1.1 * Double(plainBytes.moving))
    table.add("bytes of half blocks after the transition", bytes.drawn.grouped)
    return table
  }

  private func page(hasPictures: Bool) throws -> OpenedPage {
    try OpenedPage(
      database: folder.file("waymark.sqlite"), library: library, place: "c/g/l/pictures", size: Self.size,
      pictureCell: hasPictures ? ImageStyle.usualCell : nil)
  }
}

/// A browser that opens a page and draws its frames as for a terminal.
@MainActor final class OpenedPage {
  private let browser: Browser
  private let meter: ByteMeter
  private var now = 0.0
  /// The processor time from the key that opened the page to the bytes of the first frame, in nanoseconds.
  private(set) var firstFrame = 0.0

  /// - Parameter opensCard: Whether the page is the first of its lesson and is opened from there by its card.
  init(
    database: String, library: CourseLibrary, place: String, size: CellSize, pictureCell: CellPixels? = nil,
    opensCard: Bool = true
  ) throws {
    let moment = Timestamp("2026-11-20T10:00:00Z")!
    let navigation = try NavigationService(
      databaseAt: database, learner: "ada", session: .browser, timeZone: TimeZone(identifier: "UTC")!,
      now: { moment })
    let theme = Theme(colourDepth: .truecolor, pageAppearance: .dark)
    browser = Browser(
      navigation: navigation, library: library,
      appearance: Appearance(theme: theme, symbols: .unicode, imageCellSize: pictureCell), size: size, now: { moment })
    meter = ByteMeter(size: size, fading: theme.fading)
    let lesson = place.split(separator: "/").dropLast().joined(separator: "/")
    try browser.begin(at: .text(opensCard ? lesson : place))
    settle()
    guard opensCard else { return }

    var (compositor, frame) = (Compositor(fading: theme.fading, levels: .four), Frame(surface: Surface(size)))
    let encoder = FrameEncoder(size: size, features: OutputFeatures(hasLinks: false))
    _ = compositor.composeIfChanged(browser.stage.tick(at: now), into: &frame)
    _ = encoder.encode(frame)
    let start = Clock.process.now
    browser.handle(.key(KeyEvent(.enter)), at: now)
    // The first frame of a step shows its start. The page is in the next one.
    _ = compositor.composeIfChanged(browser.stage.tick(at: now + 1 / 60), into: &frame)
    _ = encoder.encode(frame)
    firstFrame = Double(Clock.process.now &- start)
    now += 1 / 60
    settle()
  }

  private func settle() {
    let end = now + 3
    while let due = browser.stage.nextFrameTime, due < end {
      now = max(due, now + 1 / 60)
      meter.draw(browser.stage.tick(at: now))
    }
    now = max(now, browser.stage.now)
  }

  /// Runs the main loop until no more images arrive from background decoding.
  func waitForPictures() throws {
    var (seenBefore, quiet) = (0, 0)
    while quiet < 10 {
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.1))
      now += 0.1
      meter.draw(browser.stage.tick(at: now))
      settle()
      let seen = halfBlocks
      quiet = seen == seenBefore ? quiet + 1 : 0
      seenBefore = seen
    }
    guard halfBlocks > 0 else { throw BenchmarkError.missing("picture on the page") }
  }

  /// Goes to the next page and back. Counts the bytes of the transition, and the bytes drawn after its end.
  func bytesOfTheWayOnAndBack() throws -> (moving: Int, drawn: Int) {
    var bytes = (moving: 0, drawn: 0)
    for key in [Key.character("n"), .character("H")] {
      browser.handle(.key(KeyEvent(key)), at: now)
      let end = now + 3
      while let due = browser.stage.nextFrameTime, due < end {
        now = max(due, now + 1 / 60)
        meter.reset()
        meter.draw(browser.stage.tick(at: now))
        let frame = meter.counts.reduce(0) { $0 + $1.ours }
        if halfBlocks > 0 { bytes.drawn += frame } else { bytes.moving += frame }
      }
      now = max(now, browser.stage.now)
    }
    try meter.check("the next page and back")
    return bytes
  }

  private var halfBlocks: Int { meter.frame.surface.textRows.joined().count { $0 == "▀" } }

  /// Scrolls by single lines, and measures the time from the key to the bytes of the frame.
  func scroll(lines: Int) throws -> Samples {
    var samples = Samples(reserving: lines)
    var (compositor, frame) = (Compositor(fading: .blend(page: Screens.page), levels: .four), meter.frame)
    let encoder = FrameEncoder(size: frame.surface.size, features: OutputFeatures(hasLinks: false))
    var frames = 0
    for _ in 0..<lines {
      now += 1
      samples.measure(.process) {
        browser.handle(.key(KeyEvent(.down)), at: now)
        guard compositor.composeIfChanged(browser.stage.tick(at: now), into: &frame) else { return }
        frames += encoder.encode(frame).isEmpty ? 0 : 1
      }
    }
    guard frames == lines else { throw BenchmarkError.differs("\(frames) frames of \(lines) lines") }
    return samples
  }
}
