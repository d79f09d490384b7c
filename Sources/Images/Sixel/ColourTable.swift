/// A palette of at most 256 colours for an image.
///
/// Sixel graphics specify the components of a colour in percent, so the colours of the palette are stored in percent
/// too.
///
/// Source: Heckbert, "Color Image Quantization for Frame Buffer Display", 1982 (median cut). The box to split and the
/// position of the split are chosen by the sum of squared distances, as in Wan, Wong and Prusinkiewicz (1988).
struct ColourTable {
  /// The components of each colour in percent, ordered by decreasing frequency of the colour.
  private(set) var hundredths: [[Int]] = []
  /// The components of each colour from 0 to 255.
  private(set) var colours: [(red: Int, green: Int, blue: Int)] = []
  /// Whether the palette contains every colour of the image.
  private(set) var isExact = true

  /// A cache of the indices of the nearest colours. The position in the cache consists of the upper five bits of each
  /// component. -1 stands for a missing entry.
  private var nearest = [Int16](repeating: -1, count: 1 << 15)
  /// The index of each colour by its components in percent. Used only if the palette is exact.
  private var numbers: [Int: Int] = [:]

  static let capacity = 256

  /// Makes the palette of an image. Transparent pixels are ignored.
  init(_ image: PixelImage) {
    if let counts = Self.fewColours(of: image) {
      for (colour, _) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
        numbers[colour] = hundredths.count
        append([colour >> 14, colour >> 7 & 0x7F, colour & 0x7F])
      }
    } else {
      isExact = false
      for box in ColourBox.boxes(of: image, count: Self.capacity) { append(box.mean.map { ($0 * 100 + 127) / 255 }) }
    }
  }

  private mutating func append(_ components: [Int]) {
    hundredths.append(components)
    let numbers = components.map { ($0 * 255 + 50) / 100 }
    colours.append((numbers[0], numbers[1], numbers[2]))
  }

  /// Returns the number of pixels of each colour, with components in percent. Returns `nil` if there are more colours
  /// than the palette can contain.
  private static func fewColours(of image: PixelImage) -> [Int: Int]? {
    var counts: [Int: Int] = [:]
    var last: (pixel: Int, colour: Int) = (-1, 0)
    for offset in stride(from: 0, to: image.pixels.count, by: 4) where image.pixels[offset + 3] > 0 {
      let (red, green) = (Int(image.pixels[offset]), Int(image.pixels[offset + 1]))
      let blue = Int(image.pixels[offset + 2])
      let pixel = red << 16 | green << 8 | blue
      if last.pixel != pixel { last = (pixel, key(red, green, blue)) }
      counts[last.colour, default: 0] += 1
      if counts.count > capacity { return nil }
    }
    return counts
  }

  private static func key(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    func hundredths(_ component: Int) -> Int { (component * 100 + 127) / 255 }
    return hundredths(red) << 14 | hundredths(green) << 7 | hundredths(blue)
  }

  /// Returns the index of a colour of the image. The palette must be exact.
  func number(ofExact red: Int, _ green: Int, _ blue: Int) -> Int {
    numbers[Self.key(red, green, blue)] ?? 0
  }

  /// Returns the index of the nearest colour. The components are from 0 to 255.
  mutating func number(nearestTo red: Int, _ green: Int, _ blue: Int) -> Int {
    let bin = ColourBox.number(red, green, blue)
    if nearest[bin] >= 0 { return Int(nearest[bin]) }
    let middle = (red: red & ~7 | 4, green: green & ~7 | 4, blue: blue & ~7 | 4)
    var best = (distance: Int.max, number: 0)
    for (number, colour) in colours.enumerated() {
      let (red, green, blue) = (
        middle.red - colour.red, middle.green - colour.green, middle.blue - colour.blue
      )
      // The components are weighted according to the sensitivity of the eye. The weights are the average ones of
      // `Colour.limited(to:)`.
      let distance = 3 * red * red + 4 * green * green + 2 * blue * blue
      if distance < best.distance { best = (distance, number) }
    }
    nearest[bin] = Int16(best.number)
    return best.number
  }
}

/// A box in the colour space, with the colours of an image inside it.
struct ColourBox {
  /// The colours whose components have equal upper five bits: their number, and the sums of their components.
  struct Bin {
    var count = 0
    var sums = (red: 0, green: 0, blue: 0)
  }

  private var bins: [Bin]
  private let count: Int
  /// The mean of the colours, with components from 0 to 255.
  let mean: [Int]
  /// The component in which the colours differ most, and the sum of the squared distances from the mean in this
  /// component.
  private let widest: (component: Int, spread: Int)

  private init(_ bins: [Bin]) {
    self.bins = bins
    var (count, sums, squares) = (0, [0, 0, 0], [0, 0, 0])
    for bin in bins {
      count += bin.count
      for component in 0..<3 {
        let sum = bin.sum(of: component)
        sums[component] += sum
        squares[component] += sum / bin.count * (sum / bin.count) * bin.count
      }
    }
    self.count = count
    mean = sums.map { ($0 + count / 2) / max(1, count) }
    let spreads = (0..<3).map { squares[$0] - sums[$0] / max(1, count) * (sums[$0] / max(1, count)) * count }
    let component = (0..<3).max { spreads[$0] < spreads[$1] } ?? 0
    widest = (component, bins.count > 1 ? spreads[component] : -1)
  }

  /// Divides the colours of an image into at most `count` boxes, ordered by decreasing number of pixels.
  static func boxes(of image: PixelImage, count: Int) -> [ColourBox] {
    var boxes = [ColourBox(bins(of: image))]
    while boxes.count < count, let index = boxes.indices.max(by: { boxes[$0].widest.spread < boxes[$1].widest.spread }),
      boxes[index].widest.spread >= 0
    {
      let (lower, upper) = boxes[index].halves
      boxes[index] = lower
      boxes.append(upper)
    }
    return boxes.sorted { $0.count > $1.count }
  }

  /// The two parts of the box, split at the mean of the component in which the colours differ most.
  private var halves: (ColourBox, ColourBox) {
    let component = widest.component
    let sorted = bins.sorted { $0.mean(of: component) < $1.mean(of: component) }
    let end = sorted.firstIndex { $0.mean(of: component) > mean[component] } ?? sorted.count
    let cut = max(1, min(sorted.count - 1, end))
    return (ColourBox(Array(sorted[..<cut])), ColourBox(Array(sorted[cut...])))
  }

  /// Returns the index of the bin for a colour with components from 0 to 255. The index is less than 32,768.
  static func number(_ red: Int, _ green: Int, _ blue: Int) -> Int { (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3 }

  private static func bins(of image: PixelImage) -> [Bin] {
    var bins = [Bin](repeating: Bin(), count: 1 << 15)
    for offset in stride(from: 0, to: image.pixels.count, by: 4) where image.pixels[offset + 3] > 0 {
      let (red, green) = (Int(image.pixels[offset]), Int(image.pixels[offset + 1]))
      let blue = Int(image.pixels[offset + 2])
      let index = number(red, green, blue)
      bins[index].count += 1
      bins[index].sums.red += red
      bins[index].sums.green += green
      bins[index].sums.blue += blue
    }
    return bins.filter { $0.count > 0 }
  }
}

extension ColourBox.Bin {
  func sum(of component: Int) -> Int { component == 0 ? sums.red : component == 1 ? sums.green : sums.blue }

  func mean(of component: Int) -> Int { sum(of: component) / count }
}

/// An image whose pixels are indices into a palette.
struct IndexedImage {
  let width: Int
  let height: Int
  let table: ColourTable
  /// The index of each pixel's colour; -1 for transparent pixels.
  let numbers: [Int16]

  /// Converts an image whose pixels are either opaque or transparent.
  ///
  /// If the palette is not exact, the error of each pixel is distributed to its neighbours, so that the average colour
  /// of an area is correct.
  ///
  /// Source: Floyd and Steinberg, "An Adaptive Algorithm for Spatial Grey Scale", 1976.
  init(_ image: PixelImage) {
    width = image.width
    height = image.height
    var table = ColourTable(image)
    var numbers = [Int16](repeating: -1, count: width * height)
    // The distributed errors of this row and of the next row, in sixteenths. There is an extra pixel at both ends.
    var row = [Int](repeating: 0, count: 3 * (width + 2))
    var next = row
    image.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<image.height {
        swap(&row, &next)
        for index in next.indices { next[index] = 0 }
        for x in 0..<image.width {
          let index = y * image.width + x
          guard pixels[4 * index + 3] > 0 else { continue }
          let (red, green, blue) = (Int(pixels[4 * index]), Int(pixels[4 * index + 1]), Int(pixels[4 * index + 2]))
          if table.isExact {
            numbers[index] = Int16(table.number(ofExact: red, green, blue))
            continue
          }
          let offset = 3 * (x + 1)
          let target = (
            max(0, min(255, red + (row[offset] + 8) >> 4)), max(0, min(255, green + (row[offset + 1] + 8) >> 4)),
            max(0, min(255, blue + (row[offset + 2] + 8) >> 4))
          )
          let number = table.number(nearestTo: target.0, target.1, target.2)
          numbers[index] = Int16(number)
          let colour = table.colours[number]
          func distribute(_ component: Int, _ error: Int) {
            row[offset + 3 + component] += 7 * error
            next[offset - 3 + component] += 3 * error
            next[offset + component] += 5 * error
            next[offset + 3 + component] += error
          }
          distribute(0, target.0 - colour.red)
          distribute(1, target.1 - colour.green)
          distribute(2, target.2 - colour.blue)
        }
      }
    }
    self.table = table
    self.numbers = numbers
  }
}
