import Foundation
import Images

/// A direct implementation of the definition of `PixelImage.scaled` in floating-point numbers, for comparison.
enum PlainScaling {
  static func scale(_ image: PixelImage, _ newWidth: Int, _ newHeight: Int) -> [UInt8] {
    let across = shares(image.width, newWidth)
    let down = shares(image.height, newHeight)
    var result: [UInt8] = []
    for rows in down {
      for columns in across {
        var sums = [0.0, 0.0, 0.0, 0.0]
        for (row, height) in rows {
          for (column, width) in columns {
            let offset = 4 * (row * image.width + column)
            let alpha = Double(image.pixels[offset + 3]) * width * height
            for component in 0..<3 { sums[component] += light(image.pixels[offset + component]) * alpha }
            sums[3] += alpha
          }
        }
        for component in 0..<3 { result.append(sums[3] == 0 ? 0 : number(sums[component] / sums[3])) }
        result.append(UInt8(sums[3].rounded()))
      }
    }
    return result
  }

  /// Returns the old pixels that each new pixel covers, with their shares.
  private static func shares(_ old: Int, _ new: Int) -> [[(Int, Double)]] {
    (0..<new).map { pixel in
      let (start, end) = (Double(pixel * old) / Double(new), Double((pixel + 1) * old) / Double(new))
      return (0..<old).compactMap { each in
        let overlap = min(end, Double(each + 1)) - max(start, Double(each))
        return overlap > 1e-9 ? (each, overlap / (end - start)) : nil
      }
    }
  }

  private static func light(_ number: UInt8) -> Double {
    let value = Double(number) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static func number(_ light: Double) -> UInt8 {
    let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8((max(0, min(1, value)) * 255).rounded())
  }
}
