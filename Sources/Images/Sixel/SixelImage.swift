public import TextCanvas

/// An image as sixel graphics, in chunks.
///
/// The image is drawn to the right of the cursor and below it. The transmission can be stopped after any chunk by
/// sending ``end``. The part that was sent remains visible, and the terminal interprets what follows as text.
///
/// Source: DEC, VT330/VT340 Programmer Reference Manual, volume 2, chapter 14 (device control string `P1;P2;P3 q`;
/// raster attributes `"`, colours `#`, repetition `!`, `$` and `-`; a sixel is `?` and the bits of six rows).
public struct SixelImage: Hashable, Sendable {
  /// A chunk of the transmission.
  public struct Chunk: Hashable, Sendable {
    /// The bytes of the chunk, at most 4,096.
    public var bytes: [UInt8]
    /// Whether the chunk ends with a complete band of six rows.
    public var endsBand: Bool
  }

  /// All chunks, including `end`.
  public let chunks: [Chunk]

  /// The string terminator, which ends an image. Source: ECMA-48, 8.3.143.
  public static let end: [UInt8] = [0x1B, 0x5C]

  /// The maximum number of bytes in a chunk.
  public static let chunkLimit = 4096

  /// Makes the chunks for an image that fills a number of cells.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - cells: The number of columns and rows to fill. `fit(columns:rows:cell:)` returns a size that keeps the
  ///     aspect ratio.
  ///   - cell: The size of a cell of this terminal in pixels.
  ///   - background: The colour of the page behind transparent pixels. If it is `default` or `clear`, transparent
  ///     pixels are not drawn.
  public init(_ image: PixelImage, cells: CellSize, cell: CellPixels, background: Colour = .default) {
    let page = background.rgbNumber == nil ? image : image.composited(over: background)
    let scaled = page.scaled(toWidth: max(1, cells.columns * cell.width), height: max(1, cells.rows * cell.height))
    self.init(IndexedImage(scaled.composited(over: background)))
  }

  /// Makes the chunks for an image without scaling. Pixels that are less than half opaque are not drawn.
  public init(_ image: PixelImage) {
    self.init(IndexedImage(image.composited(over: .clear)))
  }

  init(_ image: IndexedImage) {
    var writer = ChunkWriter(limit: Self.chunkLimit)
    // `0;1` means that pixels that are not drawn remain unchanged. The pixel aspect ratio 1:1 and the size follow.
    writer.add(Array("\u{1B}P0;1;0q\"1;1;\(image.width);\(image.height)".utf8))
    for (number, components) in image.table.hundredths.enumerated() {
      writer.add(Array("#\(number);2;\(components[0]);\(components[1]);\(components[2])".utf8))
    }
    writer.endBand()
    var band = SixelBand(width: image.width, colours: image.table.colours.count)
    for top in stride(from: 0, to: image.height, by: 6) {
      if top > 0 { writer.add([UInt8(ascii: "-")]) }
      band.write(image, rows: top..<min(top + 6, image.height), to: &writer)
      writer.endBand()
    }
    writer.add(Self.end)
    writer.endBand()
    chunks = writer.finish()
  }
}

/// Joins byte sequences to chunks. If possible, a chunk ends with a complete band.
struct ChunkWriter {
  private var chunks: [SixelImage.Chunk] = []
  private var current: [UInt8] = []
  /// The byte sequences of the current band, which must not be split.
  private var bandSegments: [[UInt8]] = []
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// Adds a byte sequence that must not be split. It must be shorter than the limit.
  mutating func add(_ bytes: [UInt8]) {
    bandSegments.append(bytes)
  }

  /// Ends the band. If it fits, it is appended to the current chunk; otherwise it begins a new chunk.
  mutating func endBand() {
    let length = bandSegments.reduce(0) { $0 + $1.count }
    if current.count + length > limit, !current.isEmpty { closeChunk(endsBand: true) }
    for segment in bandSegments {
      if current.count + segment.count > limit { closeChunk(endsBand: false) }
      current += segment
    }
    bandSegments.removeAll(keepingCapacity: true)
  }

  private mutating func closeChunk(endsBand: Bool) {
    chunks.append(SixelImage.Chunk(bytes: current, endsBand: endsBand))
    current.removeAll(keepingCapacity: true)
  }

  mutating func finish() -> [SixelImage.Chunk] {
    if !current.isEmpty { closeChunk(endsBand: true) }
    return chunks
  }
}

/// Six rows of an image as sixels, separately for each colour.
struct SixelBand {
  private let width: Int
  /// For each colour and column, a bit mask of the rows with this colour.
  private var bits: [UInt8]
  /// The range of columns of each colour. Empty if the colour does not occur in the band.
  private var extents: [Range<Int>]

  init(width: Int, colours: Int) {
    self.width = width
    bits = Array(repeating: 0, count: width * colours)
    extents = Array(repeating: 0..<0, count: colours)
  }

  mutating func write(_ image: IndexedImage, rows: Range<Int>, to writer: inout ChunkWriter) {
    var used: [Int] = []
    for (bit, row) in rows.enumerated() {
      for column in 0..<width {
        let colour = Int(image.numbers[row * width + column])
        guard colour >= 0 else { continue }
        if extents[colour].isEmpty {
          used.append(colour)
          extents[colour] = column..<column + 1
        } else {
          let extent = extents[colour]
          extents[colour] = min(extent.lowerBound, column)..<max(extent.upperBound, column + 1)
        }
        bits[colour * width + column] |= 1 << bit
      }
    }
    for (order, colour) in used.enumerated() {
      writer.add(Array("\(order > 0 ? "$" : "")#\(colour)".utf8))
      let extent = extents[colour]
      run(of: 0, count: extent.lowerBound, to: &writer)
      var start = extent.lowerBound
      while start < extent.upperBound {
        let value = bits[colour * width + start]
        var end = start
        while end < extent.upperBound, bits[colour * width + end] == value {
          bits[colour * width + end] = 0
          end += 1
        }
        run(of: value, count: end - start, to: &writer)
        start = end
      }
      extents[colour] = 0..<0
    }
  }

  private func run(of value: UInt8, count: Int, to writer: inout ChunkWriter) {
    let sixel = value + 0x3F
    if count > 3 {
      writer.add(Array("!\(count)".utf8) + [sixel])
    } else if count > 0 {
      writer.add([UInt8](repeating: sixel, count: count))
    }
  }
}
