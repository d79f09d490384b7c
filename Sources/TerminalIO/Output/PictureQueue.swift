import TextCanvas

/// Pictures behind all text: those that are seen, the one that is being sent, and those that wait.
struct PictureQueue {
  private(set) var shown: [TerminalPicture] = []
  private var waiting: [TerminalPicture] = []
  /// How many pieces of the first that waits are sent.
  private var sent = 0
  /// When the next piece may go: no more is sent ahead than the line reads in a moment.
  private(set) var moment: Double?

  /// All that are seen or will be.
  var all: [TerminalPicture] { shown + waiting }
  /// Whether there is something to send.
  var isSending: Bool { !waiting.isEmpty }
  /// Whether a picture is begun and not ended, so that no other bytes may go.
  var isInside: Bool { sent > 0 }

  mutating func add(_ picture: TerminalPicture) {
    guard !picture.pieces.isEmpty else { return }
    waiting.append(picture)
  }

  /// The next piece, where its moment has come.
  ///
  /// - Parameter rate: The bytes that the line takes in a second.
  mutating func next(now: Double, rate: Double) -> [UInt8]? {
    guard let picture = waiting.first, now >= moment ?? now else { return nil }
    let piece = picture.pieces[sent]
    sent += 1
    moment = now + Double(piece.count) / rate
    if sent == picture.pieces.count {
      shown.append(picture)
      waiting.removeFirst()
      sent = 0
    }
    return piece
  }

  /// Forgets all, and returns the bytes that end what is begun and take away what is seen, and the cells that have to be
  /// written again.
  mutating func removeAll() -> (bytes: [UInt8], cells: [CellRect]) {
    var (bytes, cells) = ([UInt8](), shown.filter(\.coversText).map(\.cells))
    if isInside, let begun = waiting.first {
      bytes += begun.end
      // What was sent of it may be seen.
      if begun.coversText { cells.append(begun.cells) }
    }
    for picture in shown { bytes += picture.removal }
    self = PictureQueue()
    return (bytes, cells)
  }
}
