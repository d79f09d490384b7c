import Foundation
public import TextCanvas

/// An image as escape sequences of kitty's graphics protocol, in chunks.
///
/// Source: kitty, "Terminal graphics protocol": "Transferring pixel data" (`a=T`, `f=100`, `q`), "Remote client"
/// (chunks of 4,096 bytes, `m`), "Controlling displayed image layout" (`c`, `r`, `C=1`), "Deleting images" (`d=I`),
/// "Unicode placeholders" (`U=1`, U+10EEEE).
public struct KittyImage: Hashable, Sendable {
  /// How the position of the image is specified.
  public enum Placement: Hashable, Sendable {
    /// The image is drawn to the right of the cursor and below it. The cursor does not move.
    case atCursor
    /// The image is drawn in place of placeholder characters in the text. Intended for terminals inside a terminal
    /// multiplexer.
    case placeholders
  }

  /// The number that identifies the image in the terminal, from 1 to 0xFFFFFF.
  public let id: UInt32
  /// The number of columns and rows that the image fills.
  public let cells: CellSize
  /// The escape sequences, each with at most 4,096 characters of image data.
  public let chunks: [[UInt8]]

  /// The maximum number of characters of image data in an escape sequence.
  public static let chunkLimit = 4096

  /// Makes the escape sequences for an image. Transparency is kept.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - id: The number of the image, from 1 to 0xFFFFFF. The image replaces an earlier image with the same number.
  ///   - cells: The number of columns and rows to fill. `fit(columns:rows:cell:)` returns a size that keeps the aspect
  ///     ratio.
  ///   - cell: The size of a cell of this terminal in pixels. An image with more pixels than can be shown is reduced.
  ///     An image with fewer pixels is sent unchanged, and the terminal enlarges it.
  ///   - placement: How the position is specified.
  public init(
    _ image: PixelImage, id: UInt32, cells: CellSize, cell: CellPixels, placement: Placement = .atCursor
  ) {
    precondition((1...0xFF_FFFF).contains(id), "An image id must be from 1 to 16777215, not \(id).")
    self.id = id
    self.cells = cells
    let scaled = image.scaled(
      toWidth: max(1, min(image.width, cells.columns * cell.width)),
      height: max(1, min(image.height, cells.rows * cell.height)))
    let letters = Array(Data(scaled.png).base64EncodedData())
    let placementKey = placement == .atCursor ? "C=1" : "U=1"
    let first = "a=T,f=100,q=2,i=\(id),c=\(cells.columns),r=\(cells.rows),\(placementKey),"
    chunks = stride(from: 0, to: letters.count, by: Self.chunkLimit).map { start in
      let end = min(start + Self.chunkLimit, letters.count)
      let keys = "\(start == 0 ? first : "")m=\(end < letters.count ? 1 : 0)"
      return Self.sequence(keys, letters[start..<end])
    }
  }

  /// Returns the escape sequence that removes an image from the screen and from the terminal's memory.
  public static func deletion(id: UInt32) -> [UInt8] {
    sequence("a=d,d=I,i=\(id),q=2", [])
  }

  /// Returns the escape sequences that end an incomplete transmission. They can be sent after any chunk except the
  /// last. The incomplete image is not shown.
  public static func cancellation(id: UInt32) -> [UInt8] {
    sequence("m=0,q=2", []) + deletion(id: id)
  }

  /// Returns the placeholder text of an image, one element per row.
  ///
  /// The foreground colour encodes the number of the image, and each cell encodes its row and column. If only a part of
  /// the text is visible, it shows the corresponding part of the image. The foreground colour is reset to the default
  /// at the end of each row.
  ///
  /// - Parameters:
  ///   - id: The number of the image.
  ///   - cells: The number of columns and rows. At most 297 rows and 297 columns can be encoded, because there are no
  ///     more diacritics.
  public static func placeholders(id: UInt32, cells: CellSize) -> [[UInt8]] {
    let colour = "\u{1B}[38;2;\(id >> 16 & 0xFF);\(id >> 8 & 0xFF);\(id & 0xFF)m"
    let diacritics = PlaceholderDiacritics.all
    return diacritics.prefix(max(0, cells.rows)).map { row in
      var scalars = String.UnicodeScalarView()
      for column in diacritics.prefix(max(0, cells.columns)) { scalars += ["\u{10EEEE}", row, column] }
      return Array("\(colour)\(String(scalars))\u{1B}[39m".utf8)
    }
  }

  /// Wraps an escape sequence so that tmux passes it to the outer terminal, which requires `allow-passthrough`.
  ///
  /// Source: tmux(1), "allow-passthrough": `ESC P tmux;`, then the sequence with each ESC doubled, then `ESC \`.
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

/// The diacritics above a placeholder that encode a row or a column, from 0.
///
/// Source: kitty, rowcolumn-diacritics.txt: the non-spacing marks (Mn) of Unicode 6.0 with combining class 230 and
/// without a decomposition, except 19 that are composed with letters by normalisation (U+0300 to 0304, 0306 to 030C,
/// 030F, 0311, 0313, 0314, 0342, 0653, 0654). Reproduced with Perl's `\p{Present_In: 6.0}`, `\p{Mn}`, `\p{Ccc=230}`
/// and `\p{Decomposition_Type=None}`.
enum PlaceholderDiacritics {
  /// All 297 diacritics.
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
