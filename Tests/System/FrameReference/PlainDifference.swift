public import TextCanvas

/// What most programs send: cell by cell whatever differs, and nothing that moves or erases.
///
/// It is as tight as that can be: changed cells only, the shorter of a jump and an absolute move, the shorter of what
/// differs of a style and all of it, and no style for ink that cannot be seen.
public struct PlainDifference {
  private let columns: Int
  private let rows: Int
  private var shown: [Look]
  private var cursor = Place(row: 0, column: 0)
  private var ink = Ink()

  /// Makes an encoder for a terminal that has just been cleared.
  public init(size: CellSize) {
    columns = size.columns
    rows = size.rows
    shown = Array(repeating: Look(.blank), count: columns * rows)
  }

  /// The bytes that make the terminal show a surface of its size.
  public mutating func encode(_ surface: Surface) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let index = row * columns + column
        let look = Look(surface.cells[index])
        guard !look.isSame(as: shown[index]) else { continue }
        shown[index] = look
        // The second half of a wide character is drawn with its first.
        if look.width == 0 { continue }
        move(to: row, column, &bytes)
        if !look.isRight(with: ink) {
          var wanted = look.ink
          if look.isPlainBlank {
            wanted.foreground = ink.foreground
            wanted.attributes = ink.attributes.subtracting(Look.onBlanks)
          }
          if let change = Ink.change(from: ink, to: wanted) { bytes += Array("\u{1B}[\(change)m".utf8) }
          ink = wanted
        }
        let text = surface.cells[index].glyph.text
        let next = column + max(1, look.width)
        let isCluster = text.unicodeScalars.count > 1
        if next == columns, columns > 1, isCluster {
          // As whole as the encoder writes it: tmux takes clusters apart in the last column where lines do not wrap.
          bytes += Array("\u{1B}[?7h\(text)\r\u{1B}[?7l".utf8)
          cursor = Place(row: row, column: 0)
          continue
        }
        bytes += Array((text.isEmpty ? " " : text).utf8)
        cursor = Place(row: row, column: next < columns ? next : nil)
      }
    }
    return bytes
  }

  private mutating func move(to row: Int, _ column: Int, _ bytes: inout [UInt8]) {
    if cursor == Place(row: row, column: column) { return }
    let absolute = "\u{1B}[\(row + 1);\(column + 1)H"
    if cursor.row == row, let from = cursor.column, column > from {
      let jump = "\u{1B}[" + (column - from == 1 ? "" : "\(column - from)") + "C"
      bytes += Array((jump.utf8.count < absolute.utf8.count ? jump : absolute).utf8)
    } else {
      bytes += Array(absolute.utf8)
    }
  }
}
