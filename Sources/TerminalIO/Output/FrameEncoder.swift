package import TextCanvas

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
package final class FrameEncoder {
  /// The most bytes of a slice. Longer is only a single link whose address is longer.
  package static let sliceLimit = 4096
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
  package private(set) var size: CellSize
  /// The most bytes of the slices of the next frame, 256…``sliceLimit``.
  package var sliceLimit = FrameEncoder.sliceLimit
  /// What may be used.
  package private(set) var features: OutputFeatures

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
  private var isHoldingPicture = false
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
  package init(size: CellSize, features: OutputFeatures) {
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
  package func setFeatures(_ new: OutputFeatures) -> Bool {
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
  package func terminalWasCleared() {
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
  package func forgetScreen() {
    drop()
    fillShown(with: Self.unknownCell)
    forgetCursor()
  }

  /// The terminal has another size, and nothing is known about what it shows.
  package func resize(to size: CellSize) {
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
  package func begin(_ frame: Frame) {
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
  package var nextSlice: UnsafeRawBufferPointer? {
    guard hasFrame, committed < chosen.marks.count else { return nil }
    let start = committed == 0 ? 0 : chosen.marks[committed - 1].bytes
    return UnsafeRawBufferPointer(rebasing: chosen.output.bytes[start..<chosen.marks[committed].bytes])
  }

  /// Whether the next slice is the frame's last.
  package var isLastSlice: Bool { hasFrame && committed == chosen.marks.count - 1 }

  /// Whether some of the frame is still to be sent.
  package var hasSlices: Bool { hasFrame && committed < chosen.marks.count }

  /// Bytes of the whole frame.
  package var frameLength: Int { chosen.marks.last?.bytes ?? 0 }

  /// The next slice goes to the terminal: from now on the model knows its effect.
  package func commitSlice() {
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
  package func encode(_ frame: Frame) -> [UInt8] {
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

extension FrameEncoder {
  /// Of a frame that is dropped, what its slices have done to the terminal.
  func keepWhatWasSent() {
    let columns = size.columns
    shown.withUnsafeMutableBufferPointer { shown in
      wanted.cells.withUnsafeBufferPointer { cells in
        guard let shown = CellGrid(changing: shown, columns: columns),
          let new = CellGrid(reading: cells, columns: columns)
        else { return }
        for move in chosen.moves { shown.move(move) }
        for index in 0..<committed {
          copyRows(new, to: shown, from: index == 0 ? nil : chosen.marks[index - 1], to: chosen.marks[index])
        }
      }
    }
  }

  /// Copies what a slice has written into the model.
  private func copyRows(_ new: CellGrid, to shown: CellGrid, from before: Mark?, to mark: Mark) {
    for step in (before?.rowsDone ?? 0)..<max(mark.rowsDone, before?.rowsDone ?? 0) {
      let row = (firstRow + step) % size.rows
      shown.set(row, to: new[row])
    }
    guard mark.columnsDone > 0 || mark.move != nil, mark.rowsDone < size.rows else { return }
    let row = (firstRow + mark.rowsDone) % size.rows
    let isSameRow = before?.rowsDone == mark.rowsDone && before?.columnsDone ?? 0 > 0
    if let move = mark.move, !isSameRow { _ = MovedRow(move, row: row, of: shown) }
    shown.set(0..<mark.columnsDone, of: row, to: new[row])
  }

  /// Writes the frame with some of the rows moved first, and cells within rows moved where that is shorter.
  func attempt(
    _ attempt: inout Attempt, moves: [VerticalMove], shifts: [HorizontalMove], new: CellGrid
  ) {
    attempt.output.count = 0
    attempt.marks.removeAll(keepingCapacity: true)
    attempt.moves = moves
    prepareSources(moves)
    var writer = RowWriter(
      features: features, columns: size.columns, cursor: cursor, pen: pen,
      ahead: RowsAhead(old: sources, new: new, firstRow: firstRow))
    if !isPenKnown {
      attempt.output.reserve(8)
      attempt.output.writeCSI()
      attempt.output.write(UInt8(ascii: "m"))
      writer.pen = Pen()
    }
    if !moves.isEmpty { write(moves, &writer, &attempt.output) }

    let sliceSize = min(max(sliceLimit, 256), Self.sliceLimit) - Self.margin
    var stop = sliceSize
    let columns = size.columns
    for step in 0..<size.rows {
      let row = (firstRow + step) % size.rows
      let target = new[row]
      var source = sources[row]
      if source.isSame(as: target, columns: columns) { continue }
      var move: HorizontalMove?
      for shift in shifts where shift.rect.row <= row && row < shift.rect.endRow {
        if let moved = writeMove(shift, row: row, old: source, new: target, &writer, &attempt.output) {
          source = moved
          move = shift
          break
        }
      }
      var column = 0
      while true {
        column = writer.write(
          row: row, old: source, new: target, from: column, into: &attempt.output, reducing: &colours, stop: stop)
        if column >= columns { break }
        attempt.marks.append(
          Mark(
            bytes: attempt.output.count, rowsDone: step, columnsDone: column, move: move, cursor: writer.cursor,
            pen: writer.pen))
        stop = attempt.output.count + sliceSize
      }
    }
    guard attempt.output.count > 0 else { return }
    attempt.marks.append(
      Mark(
        bytes: attempt.output.count, rowsDone: size.rows, columnsDone: 0, move: nil, cursor: writer.cursor,
        pen: writer.pen))
  }

  /// Room for one piece beyond the moment at which a slice is closed, and for the wrapping.
  static let margin = 192

  /// Tries the hints, and keeps what makes the frame shorter.
  func improve(with shifts: [RegionShift], new: CellGrid) {
    // More than a few regions that move differently are rare, and each try costs as much as a frame.
    let horizontal = shifts.prefix(4).compactMap { $0.horizontal(in: size) }
    var moves: [VerticalMove] = []
    if !horizontal.isEmpty { keepIfShorter(moves, horizontal, new) }
    var weighed: [Int] = []
    for rows in shifts.prefix(4).compactMap({ $0.rowsMoved(in: size) }) where !weighed.contains(rows) {
      weighed.append(rows)
      let bands = bands(movedBy: rows, after: moves, new: new)
      if !bands.isEmpty, keepIfShorter(moves + bands, horizontal, new) { moves += bands }
    }
  }

  @discardableResult
  func keepIfShorter(_ moves: [VerticalMove], _ shifts: [HorizontalMove], _ new: CellGrid) -> Bool {
    attempt(&other, moves: moves, shifts: shifts, new: new)
    guard other.output.count < chosen.output.count else { return false }
    swap(&chosen, &other)
    return true
  }

  func write(_ moves: [VerticalMove], _ writer: inout RowWriter, _ output: inout ByteBuffer) {
    // What comes in is filled with the pen's background, and must look like nothing.
    let plain = Pen()
    if writer.pen.background != 0 || !writer.pen.erasesPlainly {
      output.writePen(from: writer.pen, to: plain)
      writer.pen = plain
    }
    for move in moves {
      writer.cursor = output.write(
        move, rows: size.rows, cursor: writer.cursor, scrolls: features.scrollsOnDemand)
    }
  }

  /// Finds for each row where its cells are in what the terminal shows, once these moves are made.
  func prepareSources(_ moves: [VerticalMove]) {
    guard let terminal else { return }
    for row in 0..<size.rows { sources[row] = terminal[row] }
    for move in moves {
      let blank = spare.blank
      if move.rows < 0 {
        for row in move.top..<move.bottom {
          sources[row] = row - move.rows < move.bottom ? sources[row - move.rows] : blank
        }
      } else {
        for row in (move.top..<move.bottom).reversed() {
          sources[row] = row - move.rows >= move.top ? sources[row - move.rows] : blank
        }
      }
    }
  }

  /// Moves cells within a row where that makes the row shorter.
  ///
  /// - Returns: The row as it looks then, valid until the next row is moved; nil where moving is no gain.
  func writeMove(
    _ move: HorizontalMove, row: Int, old: CellRow, new: CellRow, _ writer: inout RowWriter,
    _ output: inout ByteBuffer
  ) -> CellRow? {
    if spare.holdsDisputed(old, features) || spare.holdsDisputed(new, features) { return nil }
    spare.grid.set(spare.movedRow, to: old)
    guard let moved = MovedRow(move, row: spare.movedRow, of: spare.grid) else { return nil }

    let start = output.count
    var plain = writer
    _ = plain.write(row: row, old: old, new: new, from: 0, into: &output, reducing: &colours, stop: .max)
    let plainLength = output.count - start
    output.count = start
    if plainLength < 6 { return nil }

    var shifted = writer
    if shifted.pen.background != 0 || !shifted.pen.erasesPlainly {
      output.writePen(from: shifted.pen, to: Pen())
      shifted.pen = Pen()
    }
    for step in moved.steps {
      let place = Cursor(row: row, column: step.column)
      output.writeMove(from: shifted.cursor, to: place)
      shifted.cursor = place
      output.reserve(16)
      // DCH and ICH. Source: ECMA-48, 8.3.26 and 8.3.64.
      output.writeSequence(abs(step.count), UInt8(ascii: step.count < 0 ? "P" : "@"))
    }
    let movesEnd = output.count
    var repaired = shifted
    _ = repaired.write(
      row: row, old: spare.moved, new: new, from: 0, into: &output, reducing: &colours, stop: .max)
    let movedLength = output.count - start
    guard movedLength < plainLength else {
      output.count = start
      return nil
    }
    output.count = movesEnd
    writer = shifted
    return spare.moved
  }

  /// Wraps the frame so that the terminal shows it all at once. Source: the specification of private mode 2026.
  func finish() {
    isWrapped = false
    if features.hasSynchronizedOutput, !isHoldingPicture, chosen.output.count > Self.smallFrame {
      chosen.output.insert("\u{1B}[?2026h")
      for index in chosen.marks.indices { chosen.marks[index].bytes += 8 }
      isWrapped = true
    }
    guard isWrapped || isHoldingPicture else { return }
    chosen.output.write("\u{1B}[?2026l" as StaticString)
    if chosen.marks.isEmpty {
      // Nothing is left to change of a picture that is held back: it only has to be shown.
      chosen.marks.append(
        Mark(bytes: 0, rowsDone: size.rows, columnsDone: 0, move: nil, cursor: cursor, pen: pen))
    }
    chosen.marks[chosen.marks.count - 1].bytes = chosen.output.count
  }
}
