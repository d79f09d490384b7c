public import TextCanvas

/// An exhaustive search for the fewest bytes that turn one screen into another, row by row from the left.
///
/// The search finds a shortest path over all cursor positions × all useful pen states. At each position the pen can be
/// changed, the cell can be written, a run of blanks or the rest of the row can be erased, and the cursor can be moved
/// to any cell that is not after the next changed cell. The search shares no code with the encoder that it checks.
public struct ExactSearch {
  private let columns: Int
  private let rows: Int
  private let old: [CellAppearance]
  private let new: [CellAppearance]
  private let lengths: [Int]
  private let isChanged: [Bool]
  /// For each cell, the index of the first changed cell from there on, or the number of cells if there is none.
  private let nextChange: [Int]
  private let inks: [PenState]
  /// The number of bytes to change one pen state to another.
  private let inkCosts: [[Int]]

  private static let never = Int.max / 2

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - source: The screen that the terminal shows.
  ///   - target: The screen to produce, of the same size.
  public init(from source: Surface, to target: Surface) {
    columns = target.columns
    rows = target.rows
    old = source.cells.map(CellAppearance.init)
    new = target.cells.map(CellAppearance.init)
    lengths = target.cells.enumerated().map { index, cell in
      let text = cell.glyph.text
      let isLast = target.columns > 1 && index % target.columns + Int(cell.width) == target.columns
      // A cluster in the last column is written with wrapping enabled: two mode changes of five bytes each.
      return max(1, text.utf8.count) + (isLast && text.unicodeScalars.count > 1 ? 10 : 0)
    }
    isChanged = zip(old, new).map { !$0.isSame(as: $1) }
    var next = [Int](repeating: new.count, count: new.count + 1)
    for index in new.indices.reversed() { next[index] = isChanged[index] ? index : next[index + 1] }
    nextChange = next

    var pens: Set<PenState> = [PenState()]
    for look in new where !look.isPlainBlank { pens.insert(look.ink) }
    let backgrounds = Set(new.filter(\.isPlainBlank).map(\.ink.background))
    // Blanks may be written with the pen state of the surrounding cells.
    for pen in pens {
      for background in backgrounds {
        pens.insert(
          PenState(
            foreground: pen.foreground, background: background,
            attributes: pen.attributes.subtracting(CellAppearance.onBlanks)))
      }
    }
    let all = Array(pens)
    inks = all
    inkCosts = all.map { old in all.map { new in PenState.change(from: old, to: new).map { 3 + $0.utf8.count } ?? 0 } }
  }

  /// Whether the screens differ.
  public var isNeeded: Bool { nextChange[0] < new.count }

  /// Returns the length of the shortest output. The cursor starts after the last column of the last row, with the
  /// default pen state.
  public func length() -> Int {
    guard isNeeded, let plain = inks.firstIndex(of: PenState()) else { return 0 }
    // The positions of a row are its columns and the position after the last column.
    let width = columns + 1
    var costs = [[Int]](repeating: [Int](repeating: Self.never, count: inks.count), count: rows * width)
    var best = Self.never

    /// Moves the cursor to each position that it can reach without skipping a changed cell.
    func goOn(from cursor: Place, done: Int, ink: Int, cost: Int) {
      let change = nextChange[done]
      guard change < new.count else {
        best = min(best, cost)
        return
      }
      let row = change / columns
      for target in max(done, row * columns)...change where new[target].width != 0 {
        let place = (row: row, column: target % columns)
        let total = cost + cursor.cost(to: place)
        let index = place.row * width + place.column
        if total < costs[index][ink] { costs[index][ink] = total }
      }
    }

    goOn(from: Place(row: rows - 1, column: nil), done: 0, ink: plain, cost: 0)
    for row in 0..<rows {
      for column in 0..<columns {
        let place = row * width + column
        let cell = row * columns + column
        guard new[cell].width != 0, let cheapest = costs[place].min(), cheapest < Self.never else { continue }
        takeUpInks(&costs[place])
        for ink in inks.indices where costs[place][ink] < Self.never {
          let cost = costs[place][ink]
          goOnWriting(cell, ink, cost, width: width, &costs) { best = min(best, $0) }
          if !isChanged[cell] {
            goOn(from: Place(row: row, column: column), done: cell, ink: ink, cost: cost)
          }
          guard new[cell].isPlainBlank, new[cell].isRight(with: inks[ink]) else { continue }
          var end = cell
          while end < (row + 1) * columns, new[end].isPlainBlank, new[end].isRight(with: inks[ink]) {
            end += 1
            let count = end - cell
            if end == (row + 1) * columns {
              goOn(from: Place(row: row, column: column), done: end, ink: ink, cost: cost + 3)
            } else if isChanged[end - 1] {
              let erase = 3 + (count == 1 ? 0 : String(count).utf8.count)
              goOn(from: Place(row: row, column: column), done: end, ink: ink, cost: cost + erase)
            }
          }
        }
      }
      let behind = row * width + columns
      for ink in inks.indices where costs[behind][ink] < Self.never {
        goOn(from: Place(row: row, column: nil), done: (row + 1) * columns, ink: ink, cost: costs[behind][ink])
      }
    }
    return best
  }

  /// Changes the pen state at a position. Two changes in sequence are never shorter than one.
  private func takeUpInks(_ costs: inout [Int]) {
    let before = costs
    for from in inks.indices where before[from] < Self.never {
      for to in inks.indices {
        let cost = before[from] + inkCosts[from][to]
        if cost < costs[to] { costs[to] = cost }
      }
    }
  }

  /// Writes the cell at the cursor, if the pen state matches it.
  private func goOnWriting(
    _ cell: Int, _ ink: Int, _ cost: Int, width: Int, _ costs: inout [[Int]], _ finish: (Int) -> Void
  ) {
    guard new[cell].isRight(with: inks[ink]) else { return }
    let total = cost + lengths[cell]
    let row = cell / columns
    let column = cell % columns + max(1, new[cell].width)
    if nextChange[row * columns + column] == new.count { finish(total) }
    let place = row * width + min(column, columns)
    if total < costs[place][ink] { costs[place][ink] = total }
  }
}
