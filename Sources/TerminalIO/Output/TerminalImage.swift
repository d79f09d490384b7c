public import Images
public import TextCanvas

/// An image encoded for a terminal's image protocol, to be shown with ``TerminalSession/show(_:)``. The text in the
/// cells that it covers stays unchanged.
public struct TerminalImage: Hashable, Sendable {
  /// The cells that the image covers.
  public let cells: CellRect
  /// The bytes in chunks of about 4 kB. Sending can stop after each chunk.
  package let chunks: [[UInt8]]
  /// The bytes that end the image after any chunk except the last one.
  let end: [UInt8]
  /// The bytes that remove the image. Empty if writing its cells removes it.
  let removal: [UInt8]
  /// Whether the cells must be written to show their text again.
  let coversText: Bool

  /// The number of bytes.
  public var count: Int { chunks.reduce(0) { $0 + $1.count } }

  /// Returns the sequence that moves the cursor to a cell. The cursor is not saved before (DECSC), because some
  /// terminals use the same memory for the cursor that is restored for the shell.
  ///
  /// Source: ECMA-48, 8.3.21 CUP.
  private static func cursor(at cell: CellPoint) -> [UInt8] {
    Array("\u{1B}[\(cell.row + 1);\(cell.column + 1)H".utf8)
  }

  /// Creates an image from sixels. Text that is written over them removes them.
  ///
  /// - Parameters:
  ///   - image: The encoded image.
  ///   - cells: The cells that it covers.
  public init(_ image: SixelImage, at cells: CellRect) {
    self.cells = cells
    var chunks = image.chunks.map(\.bytes)
    if !chunks.isEmpty { chunks[0] = Self.cursor(at: cells.origin) + chunks[0] }
    self.chunks = chunks
    end = SixelImage.end
    removal = []
    coversText = true
  }

  /// Creates an image for the kitty graphics protocol. It covers the text until it is removed.
  ///
  /// - Parameters:
  ///   - image: The encoded image.
  ///   - cells: The cells that it covers.
  ///   - isWithinTmux: Whether the program runs in tmux, so that placeholders show the image. Pass
  ///     ``Capabilities/isWithinTmux``.
  public init(_ image: KittyImage, at cells: CellRect, isWithinTmux: Bool) {
    self.cells = cells
    func through(_ bytes: [UInt8]) -> [UInt8] { isWithinTmux ? KittyImage.throughTmux(bytes) : bytes }
    var chunks = image.chunks.map(through)
    if isWithinTmux {
      // Resets the background colour of the previous output.
      var text = Array("\u{1B}[m".utf8)
      for (row, bytes) in KittyImage.placeholders(id: image.id, cells: cells.size).enumerated() {
        text += Self.cursor(at: CellPoint(column: cells.column, row: cells.row + row)) + bytes
      }
      chunks.append(text)
    } else if !chunks.isEmpty {
      chunks[0] = Self.cursor(at: cells.origin) + chunks[0]
    }
    self.chunks = chunks
    end = through(KittyImage.cancellation(id: image.id))
    removal = through(KittyImage.deletion(id: image.id))
    coversText = isWithinTmux
  }
}

/// The images that are shown after all text: the visible ones, the one that is being sent, and the waiting ones.
struct ImageQueue {
  private(set) var displayed: [TerminalImage] = []
  private var pending: [TerminalImage] = []
  /// The number of chunks of the first waiting image that have been sent.
  private var sent = 0
  /// The time at which the next chunk may be sent. This limits the bytes in transit.
  private(set) var nextSendTime: Double?

  /// All images that are visible or waiting.
  var all: [TerminalImage] { displayed + pending }
  /// Whether images are waiting to be sent.
  var isSending: Bool { !pending.isEmpty }
  /// Whether an image has been sent partly, so that no other bytes may be sent.
  var isInside: Bool { sent > 0 }

  mutating func add(_ image: TerminalImage) {
    guard !image.chunks.isEmpty else { return }
    pending.append(image)
  }

  /// Returns the next chunk if its time has come.
  ///
  /// - Parameters:
  ///   - now: The current time in seconds.
  ///   - rate: The number of bytes that the connection accepts per second.
  mutating func next(now: Double, rate: Double) -> [UInt8]? {
    guard let image = pending.first, now >= nextSendTime ?? now else { return nil }
    let chunk = image.chunks[sent]
    sent += 1
    nextSendTime = now + Double(chunk.count) / rate
    if sent == image.chunks.count {
      displayed.append(image)
      pending.removeFirst()
      sent = 0
    }
    return chunk
  }

  /// Removes all images from the queue. Returns the bytes that end an incomplete image and remove the visible ones, and
  /// the cells that must be written again.
  mutating func removeAll() -> (bytes: [UInt8], cells: [CellRect]) {
    var (bytes, cells) = ([UInt8](), displayed.filter(\.coversText).map(\.cells))
    if isInside, let begun = pending.first {
      bytes += begun.end
      // The part that was sent may be visible.
      if begun.coversText { cells.append(begun.cells) }
    }
    for image in displayed { bytes += image.removal }
    self = ImageQueue()
    return (bytes, cells)
  }
}
