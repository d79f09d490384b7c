public import TextCanvas

/// A picture as the bytes that show it on a terminal that speaks kitty's protocol, in pieces.
///
/// Source: kitty, "Terminal graphics protocol": "Transferring pixel data" (`a=T`, `f=100`, `q`), "Remote client" (chunks
/// of 4,096 bytes, `m`), "Controlling displayed image layout" (`c`, `r`, `C=1`), "Deleting images" (`d=I`), "Unicode
/// placeholders" (`U=1`, U+10EEEE).
public struct KittyForm: Hashable, Sendable {
  /// How the picture gets its place.
  public enum Placement: Hashable, Sendable {
    /// From the cursor to the right and down; the cursor stays where it is.
    case atCursor
    /// Where its placeholders stand, which are text: for terminals within terminals.
    case placeholders
  }

  /// The picture's number on the terminal, from 1 to 0xFFFFFF.
  public let id: UInt32
  /// Columns and rows that it fills.
  public let cells: CellSize
  /// All of it: each one an escape sequence of at most 4,096 letters of the picture.
  public let pieces: [[UInt8]]

  /// The largest number of letters of the picture in a piece.
  public static let pieceLimit = 4096

  /// Makes the form of a picture that fills so many cells; what is transparent stays so.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - id: Its number, from 1 to 0xFFFFFF; what is sent later under the same number takes its place.
  ///   - cells: Columns and rows that it fills; `fit(columns:rows:cell:)` keeps its sides in proportion.
  ///   - cell: A cell's pixels on this terminal. No more pixels are sent than it shows; fewer are enlarged by it.
  ///   - placement: How it gets its place.
  public init(
    _ picture: Picture, id: UInt32, cells: CellSize, cell: CellPixels, placement: Placement = .atCursor
  ) {
    precondition((1...0xFF_FFFF).contains(id), "A picture's number is from 1 to 16777215, not \(id).")
    self.id = id
    self.cells = cells
    let shown = picture.scaled(
      toWidth: max(1, min(picture.width, cells.columns * cell.width)),
      height: max(1, min(picture.height, cells.rows * cell.height)))
    let letters = Base64.encode(shown.png[...])
    let place = placement == .atCursor ? "C=1" : "U=1"
    let first = "a=T,f=100,q=2,i=\(id),c=\(cells.columns),r=\(cells.rows),\(place),"
    pieces = stride(from: 0, to: letters.count, by: Self.pieceLimit).map { start in
      let end = min(start + Self.pieceLimit, letters.count)
      let keys = "\(start == 0 ? first : "")m=\(end < letters.count ? 1 : 0)"
      return Self.sequence(keys, letters[start..<end])
    }
  }

  /// The bytes that take a picture from the screen and from the terminal's memory.
  public static func deletion(id: UInt32) -> [UInt8] {
    sequence("a=d,d=I,i=\(id),q=2", [])
  }

  /// The bytes that end a sending behind any of its pieces but the last: the picture, which is cut, is not shown.
  public static func abandonment(id: UInt32) -> [UInt8] {
    sequence("m=0,q=2", []) + deletion(id: id)
  }

  /// The text that stands for a picture with placeholders: for each row, its bytes, which leave the foreground as the
  /// terminal's own. The colour is the picture's number; each cell says its row and its column, so that a part of the
  /// text shows that part of the picture.
  ///
  /// - Parameters:
  ///   - id: The picture's number.
  ///   - cells: Its columns and rows; those beyond 297, for which there is no mark, are left out.
  public static func placeholders(id: UInt32, cells: CellSize) -> [[UInt8]] {
    let colour = "\u{1B}[38;2;\(id >> 16 & 0xFF);\(id >> 8 & 0xFF);\(id & 0xFF)m"
    let marks = PlaceholderMarks.all
    return marks.prefix(max(0, cells.rows)).map { row in
      var scalars = String.UnicodeScalarView()
      for column in marks.prefix(max(0, cells.columns)) { scalars += ["\u{10EEEE}", row, column] }
      return Array("\(colour)\(String(scalars))\u{1B}[39m".utf8)
    }
  }

  /// A sequence as it goes through tmux to the terminal around it, where `allow-passthrough` is on.
  ///
  /// Source: tmux(1), "allow-passthrough": `ESC P tmux;`, each ESC twice, `ESC \`.
  public static func throughTmux(_ sequence: [UInt8]) -> [UInt8] {
    var bytes = Array("\u{1B}Ptmux;".utf8)
    for byte in sequence {
      if byte == 0x1B { bytes.append(byte) }
      bytes.append(byte)
    }
    return bytes + [0x1B, 0x5C]
  }

  private static func sequence(_ keys: String, _ payload: ArraySlice<UInt8>) -> [UInt8] {
    Array("\u{1B}_G\(keys)".utf8) + (payload.isEmpty ? [] : [UInt8(ascii: ";")] + payload) + [0x1B, 0x5C]
  }
}
