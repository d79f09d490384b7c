public import TextCanvas

extension PixelImage {
  /// Returns the image composited over a page of one colour. Like browsers, this blends sRGB values without
  /// linearising them.
  ///
  /// - Parameter page: The colour of the page. If it is `default` or `clear`, the colour is unknown: pixels that are
  ///   less than half opaque become transparent, all others opaque.
  ///
  /// Source: W3C, Compositing and Blending Level 1, 5.1 (simple alpha compositing).
  public func composited(over page: Colour) -> PixelImage {
    if isOpaque { return self }
    var result = pixels
    result.withUnsafeMutableBufferPointer { pixels in
      if let number = page.rgbNumber {
        let components = [number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF]
        for offset in stride(from: 0, to: pixels.count, by: 4) {
          let alpha = UInt32(pixels[offset + 3])
          for component in 0..<3 {
            let mixed = UInt32(pixels[offset + component]) * alpha + components[component] * (255 - alpha)
            pixels[offset + component] = UInt8((mixed + 127) / 255)
          }
          pixels[offset + 3] = 255
        }
      } else {
        for offset in stride(from: 0, to: pixels.count, by: 4) {
          let isVisible = pixels[offset + 3] >= 128
          if !isVisible { for component in 0..<3 { pixels[offset + component] = 0 } }
          pixels[offset + 3] = isVisible ? 255 : 0
        }
      }
    }
    return PixelImage(width: width, height: height, pixels: result)
  }
}
