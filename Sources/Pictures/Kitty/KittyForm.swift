import Foundation
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
    let letters = Array(Data(shown.png).base64EncodedData())
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

/// The marks above a placeholder that say a row or a column: the first is 0.
///
/// Source: kitty, rowcolumn-diacritics.txt: of Unicode 6.0, the marks that do not move (Mn) of combining class 230 without
/// a decomposition, but for 19 that are joined with letters when text is normalised (U+0300 to 0304, 0306 to 030C, 030F,
/// 0311, 0313, 0314, 0342, 0653, 0654). Made again by Perl's `\p{Present_In: 6.0}`, `\p{Mn}`, `\p{Ccc=230}` and
/// `\p{Decomposition_Type=None}`.
enum PlaceholderMarks {
  /// All 297 of them.
  static let all: [Unicode.Scalar] = ranges.flatMap { $0.compactMap { Unicode.Scalar($0) } }

  private static let ranges: [ClosedRange<UInt32>] = [
    0x0305...0x0305, 0x030D...0x030E, 0x0310...0x0310, 0x0312...0x0312, 0x033D...0x033F, 0x0346...0x0346,
    0x034A...0x034C, 0x0350...0x0352, 0x0357...0x0357, 0x035B...0x035B, 0x0363...0x036F, 0x0483...0x0487,
    0x0592...0x0595, 0x0597...0x0599, 0x059C...0x05A1, 0x05A8...0x05A9, 0x05AB...0x05AC, 0x05AF...0x05AF,
    0x05C4...0x05C4, 0x0610...0x0617, 0x0657...0x065B, 0x065D...0x065E, 0x06D6...0x06DC, 0x06DF...0x06E2,
    0x06E4...0x06E4, 0x06E7...0x06E8, 0x06EB...0x06EC, 0x0730...0x0730, 0x0732...0x0733, 0x0735...0x0736,
    0x073A...0x073A, 0x073D...0x073D, 0x073F...0x0741, 0x0743...0x0743, 0x0745...0x0745, 0x0747...0x0747,
    0x0749...0x074A, 0x07EB...0x07F1, 0x07F3...0x07F3, 0x0816...0x0819, 0x081B...0x0823, 0x0825...0x0827,
    0x0829...0x082D, 0x0951...0x0951, 0x0953...0x0954, 0x0F82...0x0F83, 0x0F86...0x0F87, 0x135D...0x135F,
    0x17DD...0x17DD, 0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B, 0x1B6D...0x1B73,
    0x1CD0...0x1CD2, 0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1, 0x1DC3...0x1DC9, 0x1DCB...0x1DCC,
    0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D1, 0x20D4...0x20D7, 0x20DB...0x20DC, 0x20E1...0x20E1,
    0x20E7...0x20E7, 0x20E9...0x20E9, 0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F,
    0xA67C...0xA67D, 0xA6F0...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8,
    0xAABE...0xAABF, 0xAAC1...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38, 0x1D185...0x1D189,
    0x1D1AA...0x1D1AD, 0x1D242...0x1D244,
  ]
}
