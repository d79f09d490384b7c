import Images
import TextCanvas
import Testing

@testable import TerminalIO

/// Tests images that are sent after all text, over a connection that accepts everything immediately.
@Suite struct ImageQueueTests {
  private static let size = CellSize(columns: 20, rows: 6)
  private static let cells = CellRect(column: 2, row: 1, columns: 6, rows: 3)

  /// A terminal that has shown one frame, and the bytes that were sent to it after that.
  private final class Line {
    var queue = OutputQueue(encoder: FrameEncoder(size: size, features: OutputFeatures()))
    var bytes: [UInt8] = []
    var now = 0.0

    init() {
      present(text("one"))
      bytes = []
    }

    private func write(_ buffer: UnsafeRawBufferPointer) -> TerminalDevice.Outcome {
      bytes += buffer
      return .count(buffer.count)
    }

    func text(_ string: String, row: Int = 0) -> Frame {
      var surface = Surface(size, filledWith: .blank)
      surface.draw(StyledLine(string), at: CellPoint(column: 0, row: row))
      return Frame(surface: surface)
    }

    func present(_ frame: Frame) { _ = queue.present(frame, now: now, write: write) }
    func show(_ image: TerminalImage) { _ = queue.show(image, now: now, write: write) }
    func hide() { _ = queue.hideImages(now: now, write: write) }

    /// Waits until the next chunk may be sent, and returns the bytes that were sent.
    @discardableResult func goOn() -> [UInt8] {
      let before = bytes.count
      now += 1
      _ = queue.advance(now: now, write: write)
      return Array(bytes[before...])
    }

    func sent(_ body: () -> Void) -> String {
      bytes = []
      body()
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// An image of noise, which has several chunks.
  private static func picture(_ width: Int, _ height: Int) -> PixelImage {
    var state: UInt32 = 1
    return PixelImage(
      width: width, height: height,
      pixels: (0..<width * height).flatMap { _ -> [UInt8] in
        state = state &* 1_664_525 &+ 1_013_904_223
        return [UInt8(state >> 24), UInt8(state >> 16 & 0xFF), UInt8(state >> 8 & 0xFF), 255]
      })
  }

  private static let sixels = TerminalImage(
    SixelImage(picture(60, 60), cells: cells.size, cell: CellPixels(width: 10, height: 20)), at: cells)
  private static func kitty(isWithinTmux: Bool = false) -> TerminalImage {
    let form = KittyImage(
      picture(60, 60), id: 7, cells: cells.size, cell: CellPixels(width: 10, height: 20),
      placement: isWithinTmux ? .placeholders : .atCursor)
    return TerminalImage(form, at: cells, isWithinTmux: isWithinTmux)
  }

  @Test func `an image is sent one chunk at a time`() {
    let line = Line()

    line.show(Self.sixels)
    let first = line.bytes
    var chunkCount = 1
    while line.queue.images.isSending {
      line.goOn()
      chunkCount += 1
    }

    #expect(first == Self.sixels.chunks[0])
    #expect(chunkCount == Self.sixels.chunks.count && chunkCount > 3)
    #expect(Self.sixels.chunks.allSatisfy { $0.count <= 4096 + 16 })
    #expect(line.bytes.starts(with: Array("\u{1B}[2;3H\u{1B}P".utf8)))
    #expect(line.bytes.suffix(2) == Array("\u{1B}\\".utf8))
  }

  @Test func `text after an image sets its position and style again`() {
    let line = Line()
    line.show(Self.sixels)
    while line.queue.images.isSending { line.goOn() }

    let sent = line.sent { line.present(line.text("one and two")) }

    #expect(sent.contains("H") && sent.contains("\u{1B}[m"))
    #expect(line.queue.images.all == [Self.sixels])
  }

  @Test func `no chunk is sent before its time`() {
    let line = Line()
    line.show(Self.sixels)
    let before = line.bytes

    line.now += 0.01
    _ = line.queue.advance(now: line.now) { .count($0.count) }

    #expect(line.bytes == before)
    #expect(line.queue.images.nextSendTime! > 0.05)
  }

  @Test func `a frame ends an unfinished image and writes the text below it`() {
    let line = Line()
    line.present(line.text("under", row: 2))
    line.show(Self.sixels)

    let sent = line.sent { line.present(line.text("under and over", row: 2)) }

    #expect(sent.hasPrefix("\u{1B}\\"))
    #expect(sent.contains("er and"))
    #expect(!line.queue.images.isSending)
    #expect(line.queue.images.all.isEmpty)
  }

  @Test func `an image stays if a frame changes nothing below it`() {
    let line = Line()
    line.show(Self.sixels)
    while line.queue.images.isSending { line.goOn() }

    _ = line.sent { line.present(line.text("two")) }

    #expect(line.queue.images.all == [Self.sixels])
  }

  @Test func `sixels are overwritten if the text below them moves or changes`() {
    let line = Line()
    line.show(Self.sixels)
    while line.queue.images.isSending { line.goOn() }

    let sent = line.sent { line.present(line.text("xxxxxxxxxxxx", row: 1)) }

    #expect(line.queue.images.all.isEmpty)
    // Rows 2 and 3 are blank before and after, but they are written to erase the image.
    let plain = Line()
    #expect(sent.utf8.count > plain.sent { plain.present(plain.text("xxxxxxxxxxxx", row: 1)) }.utf8.count)
  }

  @Test func `a kitty image is deleted before a frame that moves it`() {
    let line = Line()
    line.show(Self.kitty())
    while line.queue.images.isSending { line.goOn() }

    var frame = line.text("one", row: 1)
    frame.shifts = [RegionShift(rect: CellRect(column: 0, row: 0, columns: 20, rows: 6), columns: 0, rows: 1)]
    let sent = line.sent { line.present(frame) }

    #expect(sent.hasPrefix("\u{1B}_Ga=d,d=I,i=7,q=2\u{1B}\\"))
    #expect(sent.contains("one") || sent.contains("\u{1B}["))
  }

  @Test func `hiding ends an unfinished image and restores the text`() {
    let line = Line()
    line.present(line.text("below", row: 1))
    line.show(Self.sixels)

    let sent = line.sent { line.hide() }

    #expect(sent.hasPrefix("\u{1B}\\"))
    #expect(sent.contains("low"))
    #expect(line.queue.imageRemovalCount == 1)
  }

  @Test func `an unfinished kitty image is abandoned and deleted`() {
    let line = Line()
    line.show(Self.kitty())

    let sent = line.sent { line.hide() }

    #expect(Self.kitty().chunks.count > 1)
    #expect(sent == "\u{1B}_Gm=0,q=2\u{1B}\\\u{1B}_Ga=d,d=I,i=7,q=2\u{1B}\\")
  }

  @Test func `in tmux the bytes are wrapped, and placeholders show the image`() {
    let chunks = Self.kitty(isWithinTmux: true).chunks.map { String(decoding: $0, as: UTF8.self) }

    #expect(chunks.dropLast().allSatisfy { $0.hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}_G") && $0.hasSuffix("\u{1B}\\") })
    let beginning = "\u{1B}[m\u{1B}[2;3H\u{1B}[38;2;0;0;7m\u{10EEEE}"
    #expect(chunks.last!.unicodeScalars.starts(with: beginning.unicodeScalars))
    #expect(chunks.last!.hasSuffix("\u{1B}[39m"))
  }

  @Test func `abandoning the queue reports an unfinished image`() {
    let line = Line()
    line.show(Self.sixels)

    let wasCut = line.queue.abandon()

    #expect(wasCut)
    #expect(line.queue.images.all.isEmpty)
  }
}
