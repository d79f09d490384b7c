public import TextCanvas
import WholeNumbers

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension PixelImage {
  /// Returns the image scaled to another size. Each new pixel is the mean of the area of the old image that it covers,
  /// computed in linear light and weighted by alpha.
  ///
  /// The sums are integers, so an image of a single colour keeps exactly this colour at any size. In an enlarged image,
  /// the old pixels appear as larger areas. Where the border between two old pixels is inside a new pixel, their
  /// colours are blended.
  ///
  /// - Parameters:
  ///   - newWidth: The number of pixels in a row, at least 1.
  ///   - newHeight: The number of rows, at least 1.
  public func scaled(toWidth newWidth: Int, height newHeight: Int) -> PixelImage {
    precondition(newWidth > 0 && newHeight > 0, "An image cannot have a size of \(newWidth) × \(newHeight) pixels.")
    if newWidth == width, newHeight == height { return self }
    // A row is `width × newWidth` units long. An old pixel is `newWidth` units wide and a new pixel `width` units, so
    // all pixels begin and end at integers. The same applies to heights.
    var sums = [UInt64](repeating: 0, count: 4 * newWidth)
    var rowSums = sums
    var result: [UInt8] = []
    result.reserveCapacity(4 * newWidth * newHeight)
    pixels.withUnsafeBufferPointer { pixels in
      LinearLight.ofEncoded.withUnsafeBufferPointer { light in
        LinearLight.encoded.withUnsafeBufferPointer { encoded in
          var summedRow = -1
          for newRow in 0..<newHeight {
            for index in sums.indices { sums[index] = 0 }
            let (top, end) = (newRow * height, (newRow + 1) * height)
            for row in top / newHeight...(end - 1) / newHeight {
              if row != summedRow {
                sumRow(row, of: pixels, light, into: &rowSums, newWidth)
                summedRow = row
              }
              let weight = UInt64(min(end, (row + 1) * newHeight) - max(top, row * newHeight))
              for index in sums.indices { sums[index] &+= rowSums[index] &* weight }
            }
            append(sums, to: &result, encoded)
          }
        }
      }
    }
    return PixelImage(width: newWidth, height: newHeight, pixels: result)
  }

  /// For each new pixel of a row, adds the alpha and the light multiplied by alpha of the old pixels that it covers.
  @inline(__always)
  private func sumRow(
    _ row: Int, of pixels: UnsafeBufferPointer<UInt8>, _ light: UnsafeBufferPointer<UInt64>,
    into sums: inout [UInt64], _ newWidth: Int
  ) {
    let start = 4 * row * width
    for newColumn in 0..<newWidth {
      let (left, end) = (newColumn * width, (newColumn + 1) * width)
      let (first, last) = (left / newWidth, (end - 1) / newWidth)
      var (red, green, blue, alpha): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      func add(_ column: Int, _ weight: UInt64) {
        let offset = start &+ 4 &* column
        let weightedAlpha = UInt64(pixels[offset &+ 3]) &* weight
        red &+= light[Int(pixels[offset])] &* weightedAlpha
        green &+= light[Int(pixels[offset &+ 1])] &* weightedAlpha
        blue &+= light[Int(pixels[offset &+ 2])] &* weightedAlpha
        alpha &+= weightedAlpha
      }
      add(first, UInt64(min(end, (first + 1) * newWidth) - left))
      var column = first &+ 1
      while column < last {
        add(column, UInt64(newWidth))
        column &+= 1
      }
      if last > first { add(last, UInt64(end - last * newWidth)) }
      sums[4 * newColumn] = red
      sums[4 * newColumn + 1] = green
      sums[4 * newColumn + 2] = blue
      sums[4 * newColumn + 3] = alpha
    }
  }

  /// Appends the pixels for a row of sums.
  private func append(_ sums: [UInt64], to result: inout [UInt8], _ encoded: UnsafeBufferPointer<UInt8>) {
    let area = UInt64(width * height)
    for offset in stride(from: 0, to: sums.count, by: 4) {
      let alpha = sums[offset + 3]
      for component in 0..<3 {
        result.append(alpha == 0 ? 0 : encoded[Int((sums[offset + component] + alpha / 2) / alpha)])
      }
      result.append(UInt8((alpha + area / 2) / area))
    }
  }
}

/// The size of a terminal cell in pixels.
public struct CellPixels: Hashable, Sendable {
  /// The width, at least 1.
  public var width: Int
  /// The height, at least 1.
  public var height: Int

  /// The size of a cell that is drawn with a half block. Each half of the cell is one pixel.
  public static let halfBlocks = CellPixels(width: 1, height: 2)

  /// Makes a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension ImageHeader {
  /// Returns the size in cells at which to draw the image: the largest size that fits into the given space, keeps the
  /// aspect ratio (rounded to whole cells), and does not enlarge the image beyond its own pixels.
  ///
  /// - Parameters:
  ///   - columns: The available columns.
  ///   - rows: The available rows.
  ///   - cell: The size of a cell in pixels. An image of 16 × 16 pixels takes 16 columns with half blocks, but only two
  ///     or three with the terminal's real cells.
  /// - Returns: A size of at least one cell, or `.zero` if there are no columns or no rows.
  public func fit(columns: Int, rows: Int, cell: CellPixels = .halfBlocks) -> CellSize {
    guard columns > 0, rows > 0 else { return .zero }
    let (wide, high) = (Double(width) / Double(cell.width), Double(height) / Double(cell.height))
    let scale = min(Double(columns) / wide, Double(rows) / high, 1)
    func whole(_ length: Double, _ limit: Int) -> Int { max(1, min(limit, Int(clamping: (length * scale).rounded()))) }
    return CellSize(columns: whole(wide, columns), rows: whole(high, rows))
  }
}

extension PixelImage {
  /// Returns the size in cells at which to draw this image. See `ImageHeader.fit`, which does not require decoding the
  /// image.
  public func fit(columns: Int, rows: Int, cell: CellPixels = .halfBlocks) -> CellSize {
    ImageHeader(format: .png, width: width, height: height).fit(columns: columns, rows: rows, cell: cell)
  }
}

/// The conversion between sRGB and linear light. For example, half the light of white has the sRGB value 188, not 128.
///
/// Source: IEC 61966-2-1 (sRGB), the transfer function.
enum LinearLight {
  /// The linear light, from 0 to 65,535, of each sRGB value.
  static let ofEncoded: [UInt64] = (0..<256).map { UInt64(clamping: (linear(Double($0) / 255) * 65_535).rounded()) }

  /// The nearest sRGB value for each linear light from 0 to 65,535.
  static let encoded: [UInt8] = {
    var numbers: [UInt8] = []
    numbers.reserveCapacity(65_536)
    for number in 0..<256 {
      let end = number == 255 ? 65_536 : Int(clamping: (linear((Double(number) + 0.5) / 255) * 65_535).rounded(.up))
      while numbers.count < end { numbers.append(UInt8(number)) }
    }
    return numbers
  }()

  private static func linear(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }
}
