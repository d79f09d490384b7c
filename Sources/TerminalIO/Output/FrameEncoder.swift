public import TextCanvas

/// Turns frames into the fewest bytes that make a terminal show them.
///
/// It keeps a model of the terminal: every cell, the cursor, the pen. A frame becomes bytes in slices, and each slice
/// ends in a state that the model knows: what was not sent can be dropped, and the next frame starts from there.
///
/// ```swift
/// let encoder = FrameEncoder(size: size, features: features)
/// encoder.begin(frame)
/// while let slice = encoder.nextSlice { write(slice); encoder.commitSlice() }
/// ```
///
/// Shifts are hints. Each is tried on the model and kept only where the whole frame becomes shorter; without them the
/// frame is the plain difference, so no frame is ever longer than that.
public final class FrameEncoder {
  /// The most bytes of a slice. Longer is only a single link whose address is longer.
  public static let sliceLimit = 4096
  /// The longest frame that is not wrapped in synchronized output: it reaches the terminal in one piece anyway.
  static let smallFrame = 128
  /// The glyph of a cell of which nothing is known; no text has it.
  @inline(__always)
  static var unknownGlyph: Glyph { Glyph(bits: unknownBits) }
  /// The bits of that glyph.
  static let unknownBits: UInt32 = 2
  /// A cell that differs from every other.
  static var unknownCell: Cell {
    var cell = Cell.blank
    cell.glyph = unknownGlyph
    return cell
  }

  /// Columns and rows of the terminal.
  public private(set) var size: CellSize
  /// The most bytes of the slices of the next frame, 256…``sliceLimit``.
  public var sliceLimit = FrameEncoder.sliceLimit
  /// What may be used.
  public private(set) var features: OutputFeatures

  /// Where a slice ends: after so many bytes, with what is left of a place written, and this cursor and pen.
  struct Mark {
    var bytes: Int
    /// Rows written so far, in the order of writing.
    var rowsDone: Int
    /// Columns of the next row that are written.
    var columnsDone: Int
    /// How that row's cells were moved before.
    var move: HorizontalMove?
    var cursor: Cursor
    var pen: Pen
  }

  /// A way to write a frame.
  struct Attempt {
    var output = ByteBuffer()
    var marks: [Mark] = []
    var moves: [VerticalMove] = []
  }

  // What the terminal shows; of the frame that is being sent, what went out is added when the frame is whole or dropped.
  var shown: [Cell]
  var cursor = Cursor.home
  var pen = Pen()
  var isPenKnown = false
  var isHoldingPicture = false
  /// Whether the frame begins with holding the picture back.
  var isWrapped = false
  var firstRow = 0

  // The frame that is being written, the way chosen for it, and how many of its slices were committed.
  var wanted: Surface
  var chosen = Attempt()
  var other = Attempt()
  var committed = 0
  var hasFrame = false
  var hasBegun = false

  var colours: ColourReduction
  // The cells of what the terminal shows, while a frame begins; where its rows come from after vertical moves, and rows for
  // trying.
  var terminal: CellGrid?
  var sources: RowList
  var spare: SpareRows

  /// Makes an encoder for a terminal that has just been cleared, with its cursor in the corner and a plain pen.
  public init(size: CellSize, features: OutputFeatures) {
    self.size = size
    self.features = features
    colours = ColourReduction(features.colourDepth)
    wanted = Surface(size, filledWith: .blank)
    shown = Array(repeating: .blank, count: size.columns * size.rows)
    sources = RowList(count: size.rows)
    spare = SpareRows(size: size)
    isPenKnown = true
  }

  deinit {
    sources.deallocate()
    chosen.output.deallocate()
    other.output.deallocate()
  }

  // MARK: What happened to the terminal

  /// More is known about what may be used.
  ///
  /// - Returns: Whether what the terminal shows is to be drawn anew, from the next frame on.
  @discardableResult
  public func setFeatures(_ new: OutputFeatures) -> Bool {
    let old = features
    features = new
    if new.colourDepth != old.colourDepth || new.isUnicode != old.isUnicode || new.font != old.font
      || new.ambiguousIsWide != old.ambiguousIsWide
    {
      colours = ColourReduction(new.colourDepth)
      forgetScreen()
      return true
    }
    return new.hasLinks != old.hasLinks && forgetLinks()
  }

  /// The links on the screen, and those of a frame being sent, were written otherwise than they are from now on; says
  /// whether there may be any.
  private func forgetLinks() -> Bool {
    var isAny = hasFrame
    drop()
    for index in shown.indices where shown[index].linkNumber > 0 {
      shown[index] = Self.unknownCell
      isAny = true
    }
    return isAny
  }

  /// The terminal has been cleared; its cursor is in the corner, its pen is plain.
  public func terminalWasCleared() {
    drop()
    fillShown(with: .blank)
    cursor = .home
    pen = Pen()
    isPenKnown = true
    isHoldingPicture = false
  }

  /// Nothing is known about what the terminal shows in some cells: a picture may lie there. What is left of the frame that
  /// is being sent is dropped.
  func forget(_ cells: CellRect) {
    let cells = cells.intersection(CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows))
    drop()
    for row in cells.row..<max(cells.row, cells.endRow) {
      for column in cells.column..<cells.endColumn { shown[row * size.columns + column] = Self.unknownCell }
    }
  }

  /// Nothing is known about where the cursor is and what the pen is.
  func forgetCursor() {
    cursor = Cursor(row: Cursor.unknown, column: Cursor.unknown)
    isPenKnown = false
  }

  /// Nothing is known about what the terminal shows, where its cursor is and what its pen is.
  public func forgetScreen() {
    drop()
    fillShown(with: Self.unknownCell)
    forgetCursor()
  }

  /// The terminal has another size, and nothing is known about what it shows.
  public func resize(to size: CellSize) {
    drop()
    self.size = size
    sources.deallocate()
    sources = RowList(count: size.rows)
    spare = SpareRows(size: size)
    forgetScreen()
    firstRow = 0
  }

  private func fillShown(with cell: Cell) {
    shown = Array(repeating: cell, count: size.columns * size.rows)
  }

  // MARK: Frames

  /// Begins a frame; what is left of the one before is dropped.
  ///
  /// - Parameter frame: Must have the terminal's size; another is ignored.
  public func begin(_ frame: Frame) {
    guard frame.surface.size == size, size.columns > 0, size.rows > 0 else { return }
    drop()
    hasBegun = true
    wanted = frame.surface
    shown.withUnsafeBufferPointer { shown in
      wanted.cells.withUnsafeBufferPointer { cells in
        guard let new = CellGrid(reading: cells, columns: size.columns) else { return }
        terminal = CellGrid(reading: shown, columns: size.columns)
        attempt(&chosen, moves: [], shifts: [], new: new)
        let plainLength = chosen.output.count
        if !frame.shifts.isEmpty, !chosen.marks.isEmpty { improve(with: frame.shifts, new: new) }
        let moves = chosen.moves
        if !moves.isEmpty, mayOrderStretches(of: chosen.output.count) { keepIfShorterByStretches(moves, new) }
        // What no hint is needed for is tried with and without hints: none makes a frame longer.
        if mayOrderStretches(of: plainLength) { keepIfShorterByStretches([], new) }
      }
    }
    terminal = nil
    finish()
    hasFrame = !chosen.marks.isEmpty
    if !hasFrame { settle() }
  }

  /// The bytes to send next; nil when the frame is whole. Valid until the next call of anything that changes it.
  public var nextSlice: UnsafeRawBufferPointer? {
    guard hasFrame, committed < chosen.marks.count else { return nil }
    let start = committed == 0 ? 0 : chosen.marks[committed - 1].bytes
    return UnsafeRawBufferPointer(rebasing: chosen.output.bytes[start..<chosen.marks[committed].bytes])
  }

  /// Whether the next slice is the frame's last.
  public var isLastSlice: Bool { hasFrame && committed == chosen.marks.count - 1 }

  /// Whether some of the frame is still to be sent.
  public var hasSlices: Bool { hasFrame && committed < chosen.marks.count }

  /// Bytes of the whole frame.
  public var frameLength: Int { chosen.marks.last?.bytes ?? 0 }

  /// The next slice goes to the terminal: from now on the model knows its effect.
  public func commitSlice() {
    guard hasSlices else { return }
    if committed == 0, isWrapped { isHoldingPicture = true }
    let mark = chosen.marks[committed]
    cursor = mark.cursor
    pen = mark.pen
    isPenKnown = true
    committed += 1
    if committed == chosen.marks.count {
      shown = wanted.cells
      settle()
    }
  }

  /// The last frame that was begun, if it has the terminal's size; without its shifts.
  var lastFrame: Frame? { hasBegun && wanted.size == size ? Frame(surface: wanted) : nil }

  /// Encodes a whole frame at once, as if all of it were sent.
  public func encode(_ frame: Frame) -> [UInt8] {
    begin(frame)
    var bytes: [UInt8] = []
    while let slice = nextSlice {
      bytes.append(contentsOf: slice)
      commitSlice()
    }
    return bytes
  }

  private func drop() {
    if hasSlices, committed > 0 {
      keepWhatWasSent()
      // The next frame continues where this one stopped, so that frames which are never finished still reach every row.
      firstRow = (firstRow + chosen.marks[committed - 1].rowsDone) % max(1, size.rows)
    }
    hasFrame = false
    committed = 0
  }

  private func settle() {
    firstRow = 0
    hasFrame = false
    isHoldingPicture = false
  }
}
