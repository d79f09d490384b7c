public import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Picture {
  /// This picture in another size: each pixel is the mean of the area that it covers, in linear light, and what is
  /// transparent there has no part in its colour.
  ///
  /// Sums are of whole numbers, so that a picture of one colour keeps it in any size. Larger than it is, a picture gets
  /// larger pixels with soft edges where they share a new one.
  ///
  /// - Parameters:
  ///   - newWidth: Pixels in a row; at least 1.
  ///   - newHeight: Rows; at least 1.
  public func scaled(toWidth newWidth: Int, height newHeight: Int) -> Picture {
    precondition(newWidth > 0 && newHeight > 0, "A picture cannot be \(newWidth) × \(newHeight) pixels.")
    if newWidth == width, newHeight == height { return self }
    // Lengths in units of which the old width has `width × newWidth`, so that old and new pixels end at whole ones: an
    // old pixel is `newWidth` wide, a new one `width`. Heights alike.
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
    return Picture(width: newWidth, height: newHeight, pixels: result)
  }

  /// Sums the light, multiplied with alpha, and the alpha of a row for each pixel of a new one.
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
        let part = UInt64(pixels[offset &+ 3]) &* weight
        red &+= light[Int(pixels[offset])] &* part
        green &+= light[Int(pixels[offset &+ 1])] &* part
        blue &+= light[Int(pixels[offset &+ 2])] &* part
        alpha &+= part
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

  /// Appends the pixels whose sums these are.
  private func append(_ sums: [UInt64], to result: inout [UInt8], _ encoded: UnsafeBufferPointer<UInt8>) {
    let area = UInt64(width * height)
    for offset in stride(from: 0, to: sums.count, by: 4) {
      let alpha = sums[offset + 3]
      for part in 0..<3 {
        result.append(alpha == 0 ? 0 : encoded[Int((sums[offset + part] + alpha / 2) / alpha)])
      }
      result.append(UInt8((alpha + area / 2) / area))
    }
  }
}

/// Pixels of a cell of the terminal.
public struct CellPixels: Hashable, Sendable {
  /// Pixels in a row of it; at least 1.
  public var width: Int
  /// Rows of it; at least 1.
  public var height: Int

  /// A cell that is drawn as two half blocks, each a pixel.
  public static let halfBlocks = CellPixels(width: 1, height: 2)

  /// Makes the size of a cell.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension PictureFacts {
  /// Returns the cells that the picture takes: as large as fits, its sides in proportion to the nearest whole cell, and
  /// no larger than its own pixels.
  ///
  /// - Parameters:
  ///   - columns: Columns that there are.
  ///   - rows: Rows that there are.
  ///   - cell: A cell's pixels. With those of half blocks, a picture of 16 × 16 pixels takes 16 columns; with the
  ///     terminal's own, two or three.
  /// - Returns: At least one cell, or none where there is no column or no row.
  public func fit(columns: Int, rows: Int, cell: CellPixels = .halfBlocks) -> CellSize {
    guard columns > 0, rows > 0 else { return .zero }
    let (wide, high) = (Double(width) / Double(cell.width), Double(height) / Double(cell.height))
    let scale = min(Double(columns) / wide, Double(rows) / high, 1)
    func whole(_ length: Double, _ limit: Int) -> Int { max(1, min(limit, Int((length * scale).rounded()))) }
    return CellSize(columns: whole(wide, columns), rows: whole(high, rows))
  }
}

extension Picture {
  /// Returns the cells that this picture takes: `PictureFacts.fit`, which needs no decoding.
  public func fit(columns: Int, rows: Int, cell: CellPixels = .halfBlocks) -> CellSize {
    PictureFacts(format: .png, width: width, height: height).fit(columns: columns, rows: rows, cell: cell)
  }
}

/// Light as it adds up: half of the light of white is 188 in sRGB, not 128.
///
/// Source: IEC 61966-2-1 (sRGB), the transfer function.
enum LinearLight {
  /// The light of each number of sRGB, of 65,535.
  static let ofEncoded: [UInt64] = (0..<256).map { UInt64((linear(Double($0) / 255) * 65_535).rounded()) }

  /// The nearest number of sRGB for each light from 0 to 65,535.
  static let encoded: [UInt8] = {
    var numbers: [UInt8] = []
    numbers.reserveCapacity(65_536)
    for number in 0..<256 {
      let end = number == 255 ? 65_536 : Int((linear((Double(number) + 0.5) / 255) * 65_535).rounded(.up))
      while numbers.count < end { numbers.append(UInt8(number)) }
    }
    return numbers
  }()

  private static func linear(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }
}
