public import Pictures
public import TextCanvas

/// A picture in the bytes of a terminal's image protocol, to be shown with ``TerminalSession/show(_:)``. The text of the cells
/// that it covers stays unchanged.
public struct TerminalPicture: Hashable, Sendable {
  /// The cells that it covers.
  public let cells: CellRect
  /// The bytes in pieces of about 4 kB. Sending can end after each piece.
  package let pieces: [[UInt8]]
  /// What ends it behind any piece but the last.
  let end: [UInt8]
  /// What takes it away; empty where it goes as its cells are written.
  let removal: [UInt8]
  /// Whether its cells have to be written to see their text again.
  let coversText: Bool

  /// The number of bytes.
  public var count: Int { pieces.reduce(0) { $0 + $1.count } }

  /// The cursor goes to a cell. It is not kept before (DECSC): some terminals have one place for that, where the cursor
  /// waits that the shell gets back.
  ///
  /// Source: ECMA-48, 8.3.21 CUP.
  private static func cursor(at cell: CellPoint) -> [UInt8] {
    Array("\u{1B}[\(cell.row + 1);\(cell.column + 1)H".utf8)
  }

  /// Creates a picture from sixels, which text that is written over them removes.
  public init(_ form: SixelForm, at cells: CellRect) {
    self.cells = cells
    var pieces = form.pieces.map(\.bytes)
    if !pieces.isEmpty { pieces[0] = Self.cursor(at: cells.origin) + pieces[0] }
    self.pieces = pieces
    end = SixelForm.end
    removal = []
    coversText = true
  }

  /// Creates a picture of the kitty graphics protocol, which covers the text until it is removed.
  ///
  /// - Parameters:
  ///   - form: The encoded picture.
  ///   - cells: The cells that it covers.
  ///   - isWithinTmux: Whether the program runs in tmux, so that placeholders show the picture:
  ///     ``Capabilities/isWithinTmux``.
  public init(_ form: KittyForm, at cells: CellRect, isWithinTmux: Bool) {
    self.cells = cells
    func through(_ bytes: [UInt8]) -> [UInt8] { isWithinTmux ? KittyForm.throughTmux(bytes) : bytes }
    var pieces = form.pieces.map(through)
    if isWithinTmux {
      // With no background of what was written last.
      var text = Array("\u{1B}[m".utf8)
      for (row, bytes) in KittyForm.placeholders(id: form.id, cells: cells.size).enumerated() {
        text += Self.cursor(at: CellPoint(column: cells.column, row: cells.row + row)) + bytes
      }
      pieces.append(text)
    } else if !pieces.isEmpty {
      pieces[0] = Self.cursor(at: cells.origin) + pieces[0]
    }
    self.pieces = pieces
    end = through(KittyForm.abandonment(id: form.id))
    removal = through(KittyForm.deletion(id: form.id))
    coversText = isWithinTmux
  }
}

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
