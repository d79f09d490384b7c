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
