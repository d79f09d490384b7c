package import TextCanvas

/// Encodes frames as the fewest bytes that make a terminal show them.
///
/// The encoder has a model of the terminal: all cells, the cursor and the pen. A frame is encoded in slices. Each slice
/// ends in a state that the model knows, so the slices that were not sent can be dropped, and the next frame continues
/// from that state.
///
/// ```swift
/// let encoder = FrameEncoder(size: size, features: features)
/// encoder.begin(frame)
/// while let slice = encoder.nextSlice { write(slice); encoder.commitSlice() }
/// ```
///
/// Shifts are hints. Each is tried on the model and used only if it makes the whole frame shorter. Without them the
/// frame is the plain difference, so a frame is never longer than that.
package final class FrameEncoder {
  /// The maximum number of bytes of a slice. Only a single link with a longer address exceeds it.
  package static let sliceLimit = 4096
  /// The maximum length of a frame that is not wrapped in synchronized output, because it reaches the terminal in one
  /// piece anyway.
  static let smallFrame = 128
  /// The glyph of a cell with unknown content. No text contains it.
  @inline(__always)
  static var unknownGlyph: Glyph { Glyph(bits: unknownBits) }
  /// The bits of ``unknownGlyph``.
  static let unknownBits: UInt32 = 2
  /// A cell that differs from all others.
  static var unknownCell: Cell {
    var cell = Cell.blank
    cell.glyph = unknownGlyph
    return cell
  }

  /// The size of the terminal.
  package private(set) var size: CellSize
  /// The maximum number of bytes of the slices of the next frame, 256…``sliceLimit``.
  package var sliceLimit = FrameEncoder.sliceLimit
  /// The features that the encoder may use.
  package private(set) var features: OutputFeatures

  /// The end of a slice: the number of bytes, the position, the cursor and the pen.
  struct Checkpoint {
    var bytes: Int
    /// The number of completely written rows, in the order of writing.
    var rowsDone: Int
    /// The number of written columns of the next row.
    var columnsDone: Int
    /// The move of that row's cells before it was written.
    var move: HorizontalMove?
    var cursor: Cursor
    var pen: Pen
  }

  /// An encoding of a frame.
  struct Attempt {
    var output = ByteBuffer()
    var checkpoints: [Checkpoint] = []
    var moves: [VerticalMove] = []
  }

  // The contents of the terminal. The effect of a frame that is being sent is added when the frame is complete or
  // dropped.
  var displayedCells: [Cell]
  var cursor = Cursor.home
  var pen = Pen()
  var isPenKnown = false
  private var isImagePending = false
  /// Whether the frame begins with the start of synchronized output.
  var isWrapped = false
  var firstRow = 0

  // The frame that is being written, the encoding that was chosen for it, and the number of its committed slices.
  var targetSurface: Surface
  var chosenAttempt = Attempt()
  var alternativeAttempt = Attempt()
  var committedSlices = 0
  var hasFrame = false
  var hasBegun = false

  var colours: ColourReduction
  // The cells of the terminal while a frame is being encoded; the source of each row after vertical moves; rows for
  // trial output.
  var terminal: CellGrid?
  var sources: RowList
  var spare: SpareRows

  /// Creates an encoder for a terminal that has just been cleared, with the cursor in the top left corner and the
  /// default pen.
  package init(size: CellSize, features: OutputFeatures) {
    self.size = size
    self.features = features
    colours = ColourReduction(features.colourDepth)
    targetSurface = Surface(size, filledWith: .blank)
    displayedCells = Array(repeating: .blank, count: size.columns * size.rows)
    sources = RowList(count: size.rows)
    spare = SpareRows(size: size)
    isPenKnown = true
  }

  deinit {
    sources.deallocate()
    chosenAttempt.output.deallocate()
    alternativeAttempt.output.deallocate()
  }

  // MARK: State of the terminal

  /// Sets the features that the encoder may use.
  ///
  /// - Returns: Whether the next frame will draw some cells again.
  @discardableResult
  package func setFeatures(_ new: OutputFeatures) -> Bool {
    let old = features
    features = new
    if new.colourDepth != old.colourDepth || new.isUnicode != old.isUnicode || new.font != old.font
      || new.ambiguousIsWide != old.ambiguousIsWide
    {
      colours = ColourReduction(new.colourDepth)
      invalidateScreen()
      return true
    }
    return new.hasLinks != old.hasLinks && invalidateLinks()
  }

  /// Marks the cells with links, which will be written differently from now on, as unknown. Returns whether the screen
  /// may contain such cells, including those of a frame that is being sent.
  private func invalidateLinks() -> Bool {
    var isAny = hasFrame
    drop()
    for index in displayedCells.indices where displayedCells[index].linkNumber > 0 {
      displayedCells[index] = Self.unknownCell
      isAny = true
    }
    return isAny
  }

  /// Records that the terminal was cleared: its cursor is in the top left corner, and its pen has the default values.
  package func terminalWasCleared() {
    drop()
    fillDisplayed(with: .blank)
    cursor = .home
    pen = Pen()
    isPenKnown = true
    isImagePending = false
  }

  /// Marks the cells of a rectangle as unknown, because an image may cover them. Drops the rest of the frame that is
  /// being sent.
  func invalidate(_ cells: CellRect) {
    let cells = cells.intersection(CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows))
    drop()
    for row in cells.row..<max(cells.row, cells.endRow) {
      for column in cells.column..<cells.endColumn { displayedCells[row * size.columns + column] = Self.unknownCell }
    }
  }

  /// Marks the position of the cursor and the pen as unknown.
  func invalidateCursor() {
    cursor = Cursor(row: Cursor.unknown, column: Cursor.unknown)
    isPenKnown = false
  }

  /// Marks the contents of the terminal, the cursor and the pen as unknown.
  package func invalidateScreen() {
    drop()
    fillDisplayed(with: Self.unknownCell)
    invalidateCursor()
  }

  /// Changes the size. The contents of the terminal are unknown then.
  package func resize(to size: CellSize) {
    drop()
    self.size = size
    sources.deallocate()
    sources = RowList(count: size.rows)
    spare = SpareRows(size: size)
    invalidateScreen()
    firstRow = 0
  }

  private func fillDisplayed(with cell: Cell) {
    displayedCells = Array(repeating: cell, count: size.columns * size.rows)
  }

  // MARK: Frames

  /// Begins a frame. The rest of the previous one is dropped.
  ///
  /// - Parameter frame: A frame of the terminal's size. Other frames are ignored.
  package func begin(_ frame: Frame) {
    guard frame.surface.size == size, size.columns > 0, size.rows > 0 else { return }
    drop()
    hasBegun = true
    targetSurface = frame.surface
    displayedCells.withUnsafeBufferPointer { displayed in
      targetSurface.cells.withUnsafeBufferPointer { cells in
        guard let new = CellGrid(reading: cells, columns: size.columns) else { return }
        terminal = CellGrid(reading: displayed, columns: size.columns)
        attempt(&chosenAttempt, moves: [], shifts: [], new: new)
        let plainLength = chosenAttempt.output.count
        if !frame.shifts.isEmpty, !chosenAttempt.checkpoints.isEmpty { improve(with: frame.shifts, new: new) }
        let moves = chosenAttempt.moves
        if !moves.isEmpty, canOrderSpans(of: chosenAttempt.output.count) { keepIfShorterBySpans(moves, new) }
        // Ordering is also tried without moves, so that a frame with hints is never longer than the same frame without
        // them.
        if canOrderSpans(of: plainLength) { keepIfShorterBySpans([], new) }
      }
    }
    terminal = nil
    finish()
    hasFrame = !chosenAttempt.checkpoints.isEmpty
    if !hasFrame { applyFrame() }
  }

  /// The bytes to send next, or `nil` if the frame is complete. Valid until the next mutating call.
  package var nextSlice: UnsafeRawBufferPointer? {
    guard hasFrame, committedSlices < chosenAttempt.checkpoints.count else { return nil }
    let start = committedSlices == 0 ? 0 : chosenAttempt.checkpoints[committedSlices - 1].bytes
    return UnsafeRawBufferPointer(
      rebasing: chosenAttempt.output.bytes[start..<chosenAttempt.checkpoints[committedSlices].bytes])
  }

  /// Whether the next slice is the last one of the frame.
  package var isLastSlice: Bool { hasFrame && committedSlices == chosenAttempt.checkpoints.count - 1 }

  /// Whether a part of the frame has not been sent yet.
  package var hasSlices: Bool { hasFrame && committedSlices < chosenAttempt.checkpoints.count }

  /// Records that the next slice is sent to the terminal, and updates the model.
  package func commitSlice() {
    guard hasSlices else { return }
    if committedSlices == 0, isWrapped { isImagePending = true }
    let checkpoint = chosenAttempt.checkpoints[committedSlices]
    cursor = checkpoint.cursor
    pen = checkpoint.pen
    isPenKnown = true
    committedSlices += 1
    if committedSlices == chosenAttempt.checkpoints.count {
      displayedCells = targetSurface.cells
      applyFrame()
    }
  }

  /// The last frame that was begun, without its shifts, or `nil` if it does not have the terminal's size.
  var lastFrame: Frame? { hasBegun && targetSurface.size == size ? Frame(surface: targetSurface) : nil }

  /// Encodes a whole frame as if all of it was sent.
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
    if hasSlices, committedSlices > 0 {
      applySentSlices()
      // The next frame continues in the row where this one stopped, so that all rows are updated even if no frame is
      // ever completed.
      firstRow = (firstRow + chosenAttempt.checkpoints[committedSlices - 1].rowsDone) % max(1, size.rows)
    }
    hasFrame = false
    committedSlices = 0
  }

  private func applyFrame() {
    firstRow = 0
    hasFrame = false
    isImagePending = false
  }
}

extension FrameEncoder {
  /// Adds the effect of the committed slices of a dropped frame to the model.
  func applySentSlices() {
    let columns = size.columns
    displayedCells.withUnsafeMutableBufferPointer { buffer in
      targetSurface.cells.withUnsafeBufferPointer { cells in
        guard let displayed = CellGrid(changing: buffer, columns: columns),
          let new = CellGrid(reading: cells, columns: columns)
        else { return }
        for move in chosenAttempt.moves { displayed.move(move) }
        for index in 0..<committedSlices {
          copyRows(
            new, to: displayed, from: index == 0 ? nil : chosenAttempt.checkpoints[index - 1],
            to: chosenAttempt.checkpoints[index])
        }
      }
    }
  }

  /// Copies to the model the cells that a slice has written.
  private func copyRows(_ new: CellGrid, to displayed: CellGrid, from previous: Checkpoint?, to checkpoint: Checkpoint)
  {
    for offset in (previous?.rowsDone ?? 0)..<max(checkpoint.rowsDone, previous?.rowsDone ?? 0) {
      let row = (firstRow + offset) % size.rows
      displayed.set(row, to: new[row])
    }
    guard checkpoint.columnsDone > 0 || checkpoint.move != nil, checkpoint.rowsDone < size.rows else { return }
    let row = (firstRow + checkpoint.rowsDone) % size.rows
    let isSameRow = previous?.rowsDone == checkpoint.rowsDone && previous?.columnsDone ?? 0 > 0
    if let move = checkpoint.move, !isSameRow { _ = MovedRow(move, row: row, of: displayed) }
    displayed.set(0..<checkpoint.columnsDone, of: row, to: new[row])
  }

  /// Encodes the frame after moving some rows, and moves cells within rows if that is shorter.
  func attempt(
    _ attempt: inout Attempt, moves: [VerticalMove], shifts: [HorizontalMove], new: CellGrid
  ) {
    attempt.output.count = 0
    attempt.checkpoints.removeAll(keepingCapacity: true)
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
    for offset in 0..<size.rows {
      let row = (firstRow + offset) % size.rows
      let target = new[row]
      var source = sources[row]
      if source.isSame(as: target, columns: columns) { continue }
      var move: HorizontalMove?
      for shift in shifts where shift.rect.row <= row && row < shift.rect.endRow {
        if let moved = writeMove(shift, row: row, old: source, new: target, &writer, &attempt.output) {
          (source, move) = (spare.moved, moved)
          break
        }
      }
      var column = 0
      while true {
        column = writer.write(
          row: row, old: source, new: target, from: column, into: &attempt.output, reducing: &colours, stop: stop)
        if column >= columns { break }
        attempt.checkpoints.append(
          Checkpoint(
            bytes: attempt.output.count, rowsDone: offset, columnsDone: column, move: move, cursor: writer.cursor,
            pen: writer.pen))
        stop = attempt.output.count + sliceSize
      }
    }
    guard attempt.output.count > 0 else { return }
    attempt.checkpoints.append(
      Checkpoint(
        bytes: attempt.output.count, rowsDone: size.rows, columnsDone: 0, move: nil, cursor: writer.cursor,
        pen: writer.pen))
  }

  /// The number of bytes that a slice reserves for its last cell and for the start and end of synchronized output.
  static let margin = 192

  /// Tries the hints, and uses those that make the frame shorter.
  func improve(with shifts: [RegionShift], new: CellGrid) {
    // Frames rarely have more than a few moving regions, and each attempt costs as much as a frame.
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
    attempt(&alternativeAttempt, moves: moves, shifts: shifts, new: new)
    guard alternativeAttempt.output.count < chosenAttempt.output.count else { return false }
    swap(&chosenAttempt, &alternativeAttempt)
    return true
  }

  func write(_ moves: [VerticalMove], _ writer: inout RowWriter, _ output: inout ByteBuffer) {
    // Rows that are scrolled in are filled with the pen's background and must be plain blanks.
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

  /// Determines for each row which cells it shows after the given moves.
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

  /// Moves cells within a row if writing the row then takes fewer bytes.
  ///
  /// - Returns: The move that was written, or `nil` if moving does not save bytes. The resulting row is
  ///   ``SpareRows/moved``.
  func writeMove(
    _ move: HorizontalMove, row: Int, old: CellRow, new: CellRow, _ writer: inout RowWriter,
    _ output: inout ByteBuffer
  ) -> HorizontalMove? {
    if spare.holdsDisputed(old, features) || spare.holdsDisputed(new, features) { return nil }
    let move = move.fitted(from: old, to: new, columns: size.columns)
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
      let target = Cursor(row: row, column: step.column)
      output.writeMove(from: shifted.cursor, to: target)
      shifted.cursor = target
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
    return move
  }

  /// Wraps the frame in synchronized output, so that the terminal shows it at once. Source: the specification of
  /// private mode 2026.
  func finish() {
    isWrapped = false
    if features.hasSynchronizedOutput, !isImagePending, chosenAttempt.output.count > Self.smallFrame {
      chosenAttempt.output.insert("\u{1B}[?2026h")
      for index in chosenAttempt.checkpoints.indices { chosenAttempt.checkpoints[index].bytes += 8 }
      isWrapped = true
    }
    guard isWrapped || isImagePending else { return }
    chosenAttempt.output.write("\u{1B}[?2026l" as StaticString)
    if chosenAttempt.checkpoints.isEmpty {
      // Nothing has changed, but synchronized output still holds back an earlier frame, which must be shown.
      chosenAttempt.checkpoints.append(
        Checkpoint(bytes: 0, rowsDone: size.rows, columnsDone: 0, move: nil, cursor: cursor, pen: pen))
    }
    chosenAttempt.checkpoints[chosenAttempt.checkpoints.count - 1].bytes = chosenAttempt.output.count
  }
}
