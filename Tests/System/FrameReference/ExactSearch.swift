public import TextCanvas

/// The fewest bytes that turn one screen into another, row by row from the left, found by trying everything.
///
/// A shortest way over all places of the cursor × all inks that could be of use. At each place with each ink one may
/// take up another ink, write the cell (changed or not), erase a stretch of blanks or the rest of the row, and move to
/// any cell that has no changed one before it. It shares nothing with the encoder that it judges.
public struct ExactSearch {
  private let columns: Int
  private let rows: Int
  private let old: [Look]
  private let new: [Look]
  private let lengths: [Int]
  private let isChanged: [Bool]
  /// For each cell the first changed one from there on; the number of cells where there is none.
  private let nextChange: [Int]
  private let inks: [Ink]
  /// The cost of taking up an ink with another in hand.
  private let inkCosts: [[Int]]

  private static let never = Int.max / 2

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - shown: What the terminal shows.
  ///   - wanted: What it should show, of the same size.
  public init(from shown: Surface, to wanted: Surface) {
    columns = wanted.columns
    rows = wanted.rows
    old = shown.cells.map(Look.init)
    new = wanted.cells.map(Look.init)
    lengths = wanted.cells.enumerated().map { index, cell in
      let text = cell.glyph.text
      let isLast = wanted.columns > 1 && index % wanted.columns + Int(cell.width) == wanted.columns
      // A cluster is written into the last column with lines that wrap: two modes of five bytes.
      return max(1, text.utf8.count) + (isLast && text.unicodeScalars.count > 1 ? 10 : 0)
    }
    isChanged = zip(old, new).map { !$0.isSame(as: $1) }
    var next = [Int](repeating: new.count, count: new.count + 1)
    for index in new.indices.reversed() { next[index] = isChanged[index] ? index : next[index + 1] }
    nextChange = next

    var found: Set<Ink> = [Ink()]
    for look in new where !look.isPlainBlank { found.insert(look.ink) }
    let backgrounds = Set(new.filter(\.isPlainBlank).map(\.ink.background))
    // Blanks may be written with the ink of what stands around them.
    for ink in found {
      for background in backgrounds {
        found.insert(
          Ink(
            foreground: ink.foreground, background: background,
            attributes: ink.attributes.subtracting(Look.onBlanks)))
      }
    }
    let all = Array(found)
    inks = all
    inkCosts = all.map { old in all.map { new in Ink.change(from: old, to: new).map { 3 + $0.utf8.count } ?? 0 } }
  }

  /// Whether anything differs.
  public var isNeeded: Bool { nextChange[0] < new.count }

  /// The length of the shortest way, from a cursor behind the last column of the last row and a plain ink.
  public func length() -> Int {
    guard isNeeded, let plain = inks.firstIndex(of: Ink()) else { return 0 }
    // The places of a row are its columns, and one behind them.
    let width = columns + 1
    var costs = [[Int]](repeating: [Int](repeating: Self.never, count: inks.count), count: rows * width)
    var best = Self.never

    /// Goes from a place to wherever nothing changed is left behind.
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

  /// Lets every ink be reached from every other. Two changes in a row are never shorter than one.
  private func takeUpInks(_ costs: inout [Int]) {
    let before = costs
    for from in inks.indices where before[from] < Self.never {
      for to in inks.indices {
        let cost = before[from] + inkCosts[from][to]
        if cost < costs[to] { costs[to] = cost }
      }
    }
  }

  /// Writes the cell under the cursor, where the ink is right for it.
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
