/// A part of all colours, and those of a picture that are in it.
struct ColourBox {
  /// Colours that are alike in the first five bits of each part: how many, the sums of their parts.
  struct Bin {
    var count = 0
    var sums = (red: 0, green: 0, blue: 0)
  }

  private var bins: [Bin]
  private let count: Int
  /// The mean of its colours, each part from 0 to 255.
  let mean: [Int]
  /// The part in which its colours differ most, and the sum of their squared distances from the mean in it.
  private let widest: (part: Int, spread: Int)

  private init(_ bins: [Bin]) {
    self.bins = bins
    var (count, sums, squares) = (0, [0, 0, 0], [0, 0, 0])
    for bin in bins {
      count += bin.count
      for part in 0..<3 {
        let sum = bin.sum(of: part)
        sums[part] += sum
        squares[part] += sum / bin.count * (sum / bin.count) * bin.count
      }
    }
    self.count = count
    mean = sums.map { ($0 + count / 2) / max(1, count) }
    let spreads = (0..<3).map { squares[$0] - sums[$0] / max(1, count) * (sums[$0] / max(1, count)) * count }
    let part = (0..<3).max { spreads[$0] < spreads[$1] } ?? 0
    widest = (part, bins.count > 1 ? spreads[part] : -1)
  }

  /// Parts the colours of a picture into so many boxes at most, the fullest first.
  static func boxes(of picture: Picture, count: Int) -> [ColourBox] {
    var boxes = [ColourBox(bins(of: picture))]
    while boxes.count < count, let index = boxes.indices.max(by: { boxes[$0].widest.spread < boxes[$1].widest.spread }),
      boxes[index].widest.spread >= 0
    {
      let (lower, upper) = boxes[index].halves
      boxes[index] = lower
      boxes.append(upper)
    }
    return boxes.sorted { $0.count > $1.count }
  }

  /// Its two parts below and above the mean in the part of a colour that differs most.
  private var halves: (ColourBox, ColourBox) {
    let part = widest.part
    let sorted = bins.sorted { $0.mean(of: part) < $1.mean(of: part) }
    let end = sorted.firstIndex { $0.mean(of: part) > mean[part] } ?? sorted.count
    let cut = max(1, min(sorted.count - 1, end))
    return (ColourBox(Array(sorted[..<cut])), ColourBox(Array(sorted[cut...])))
  }

  /// The number of the bin of a colour whose parts are from 0 to 255; below 32,768.
  static func number(_ red: Int, _ green: Int, _ blue: Int) -> Int { (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3 }

  private static func bins(of picture: Picture) -> [Bin] {
    var bins = [Bin](repeating: Bin(), count: 1 << 15)
    for offset in stride(from: 0, to: picture.pixels.count, by: 4) where picture.pixels[offset + 3] > 0 {
      let (red, green) = (Int(picture.pixels[offset]), Int(picture.pixels[offset + 1]))
      let blue = Int(picture.pixels[offset + 2])
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
  func sum(of part: Int) -> Int { part == 0 ? sums.red : part == 1 ? sums.green : sums.blue }

  func mean(of part: Int) -> Int { sum(of: part) / count }
}
