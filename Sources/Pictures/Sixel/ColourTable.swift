/// At most 256 colours that stand for those of a picture.
///
/// A sixel terminal knows each part of a colour in hundredths; so do these.
///
/// Source: Heckbert, "Color Image Quantization for Frame Buffer Display", 1982 (median cut); the box to be cut and the
/// place of the cut are by the sum of squared distances, as Wan, Wong and Prusinkiewicz have it (1988).
struct ColourTable {
  /// The parts of each colour in hundredths, the most frequent colour first.
  private(set) var hundredths: [[Int]] = []
  /// The colours as numbers from 0 to 255.
  private(set) var colours: [(red: Int, green: Int, blue: Int)] = []
  /// Whether every colour of the picture is in the table, so that no pixel is wrong.
  private(set) var isExact = true

  /// Numbers of colours, by five bits of each part; -1 where none was asked for yet.
  private var nearest = [Int16](repeating: -1, count: 1 << 15)
  /// Numbers of colours by hundredths, where the table is exact.
  private var numbers: [Int: Int] = [:]

  static let capacity = 256

  /// Makes the table of a picture; what is transparent in it has no part.
  init(_ picture: Picture) {
    if let counts = Self.fewColours(of: picture) {
      for (colour, _) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
        numbers[colour] = hundredths.count
        append([colour >> 14, colour >> 7 & 0x7F, colour & 0x7F])
      }
    } else {
      isExact = false
      for box in ColourBox.boxes(of: picture, count: Self.capacity) { append(box.mean.map { ($0 * 100 + 127) / 255 }) }
    }
  }

  private mutating func append(_ parts: [Int]) {
    hundredths.append(parts)
    let numbers = parts.map { ($0 * 255 + 50) / 100 }
    colours.append((numbers[0], numbers[1], numbers[2]))
  }

  /// How often each colour in hundredths is there; `nil` where there are more of them than the table takes.
  private static func fewColours(of picture: Picture) -> [Int: Int]? {
    var counts: [Int: Int] = [:]
    var last: (pixel: Int, colour: Int) = (-1, 0)
    for offset in stride(from: 0, to: picture.pixels.count, by: 4) where picture.pixels[offset + 3] > 0 {
      let (red, green) = (Int(picture.pixels[offset]), Int(picture.pixels[offset + 1]))
      let blue = Int(picture.pixels[offset + 2])
      let pixel = red << 16 | green << 8 | blue
      if last.pixel != pixel { last = (pixel, key(red, green, blue)) }
      counts[last.colour, default: 0] += 1
      if counts.count > capacity { return nil }
    }
    return counts
  }

  private static func key(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    func hundredths(_ part: Int) -> Int { (part * 100 + 127) / 255 }
    return hundredths(red) << 14 | hundredths(green) << 7 | hundredths(blue)
  }

  /// Returns the number of a colour that the picture has, in a table that is exact.
  func number(ofExact red: Int, _ green: Int, _ blue: Int) -> Int {
    numbers[Self.key(red, green, blue)] ?? 0
  }

  /// Returns the number of the colour that is nearest to one whose parts are from 0 to 255.
  mutating func number(nearestTo red: Int, _ green: Int, _ blue: Int) -> Int {
    let bin = ColourBox.number(red, green, blue)
    if nearest[bin] >= 0 { return Int(nearest[bin]) }
    let middle = (red: red & ~7 | 4, green: green & ~7 | 4, blue: blue & ~7 | 4)
    var best = (distance: Int.max, number: 0)
    for (number, colour) in colours.enumerated() {
      let (red, green, blue) = (
        middle.red - colour.red, middle.green - colour.green, middle.blue - colour.blue
      )
      // The eye's weights, as those of `Colour.limited(to:)` in the middle.
      let distance = 3 * red * red + 4 * green * green + 2 * blue * blue
      if distance < best.distance { best = (distance, number) }
    }
    nearest[bin] = Int16(best.number)
    return best.number
  }
}
