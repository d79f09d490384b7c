import Foundation
import Images
import TextCanvas
import WholeNumbers

/// The masks of a note with an image occlusion, and the pictures of its cards.
///
/// Source: Anki manual, "Image Occlusion"; the properties of masks in Anki's `rslib/src/image_occlusion`, and how
/// `ts/routes/image-occlusion/review.ts` draws them.
struct ImageOcclusion {
  private struct Mask {
    let numbers: [Int]
    /// `rect`, `ellipse`, `polygon` or `text`.
    let shape: String
    /// The upper left corner, as a share of the width and height of the picture.
    let corner: SIMD2<Double>
    /// The width and height, as a share of those of the picture.
    let size: SIMD2<Double>
    /// The corners of a polygon, relative to its upper left corner.
    let points: [SIMD2<Double>]
    /// The rotation around ``corner`` in degrees.
    let angle: Double
    /// Whether the mask is also drawn on cards that ask for another one.
    let isAlwaysDrawn: Bool
  }

  private let masks: [Mask]

  /// The longest side of the pictures. Larger images are scaled down, because each card has two pictures of its own.
  private static let maximumSide = 1_200

  /// Reads the masks of a field. Returns `nil` if it has none.
  init?(_ field: String) {
    masks = field.matches(of: /\{\{c([0-9,]+)::image-occlusion:([a-z]+)(:[^}]*)?\}\}/).prefix(500).map { match in
      var values: [Substring: Substring] = [:]
      for property in (match.3 ?? "").split(separator: ":") {
        let pair = property.split(separator: "=", maxSplits: 1)
        if pair.count == 2 { values[pair[0]] = pair[1] }
      }
      func number(_ name: Substring) -> Double {
        values[name].flatMap { Double($0) }.map { $0.isFinite ? min(10, max(-10, $0)) : 0 } ?? 0
      }
      let points = (values["points"] ?? "").split(separator: " ").prefix(500).compactMap { point -> SIMD2<Double>? in
        let numbers = point.split(separator: ",").compactMap { Double($0) }.filter(\.isFinite)
        return numbers.count == 2 ? SIMD2(numbers[0], numbers[1]) : nil
      }
      let least = points.reduce(points.first ?? .zero) { pointwiseMin($0, $1) }
      let extent = points.reduce(.zero) { pointwiseMax($0, $1 - least) }
      let radii = SIMD2(number("rx"), number("ry"))
      let sides = SIMD2(number("width"), number("height"))
      return Mask(
        numbers: match.1.split(separator: ",").compactMap { Int($0) }, shape: String(match.2),
        corner: SIMD2(number("left"), number("top")),
        size: match.2 == "ellipse" ? radii * 2 : match.2 == "polygon" ? extent : sides,
        points: points.map { $0 - least },
        angle: values["angle"].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } ?? 0,
        isAlwaysDrawn: values["oi"] == "1")
    }
    if masks.isEmpty { return nil }
  }

  /// Returns the masks of a side in words: `box 1, which is asked, and boxes 2, 3`.
  ///
  /// - Parameter number: The number of the card.
  func description(asking number: Int, isQuestion: Bool) -> String {
    let others = Set(masks.filter { $0.isAlwaysDrawn && $0.shape != "text" }.flatMap(\.numbers)).subtracting([number])
      .sorted().map { "box \($0)" }
    return "picture with "
      + (["box \(number), which is \(isQuestion ? "asked" : "uncovered")"] + others).joined(separator: ", ")
  }

  /// Returns the picture of a side of a card: the asked masks in one colour, or only their borders on the answer, and the
  /// others in another colour.
  ///
  /// - Returns: The picture, and the number of pixels that were examined. `nil` if no mask has the number.
  func picture(of image: PixelImage, asking number: Int, isQuestion: Bool) -> (image: PixelImage, cost: Int)? {
    guard masks.contains(where: { $0.numbers.contains(number) && $0.shape != "text" }) else { return nil }
    var canvas = Canvas(image.composited(over: Self.page))
    for mask in masks where mask.shape != "text" {
      let isAsked = mask.numbers.contains(number)
      guard isAsked || mask.isAlwaysDrawn else { continue }
      draw(mask, isAsked ? (isQuestion ? Self.asked : nil) : Self.other, on: &canvas)
    }
    return (canvas.image, canvas.cost)
  }

  private static let asked: [UInt8] = [255, 142, 142]
  private static let other: [UInt8] = [255, 235, 162]
  private static let page = Colour.rgb(255, 255, 255)
  private static let border: [UInt8] = [33, 33, 33]

  private func draw(_ mask: Mask, _ fill: [UInt8]?, on canvas: inout Canvas) {
    let scale = SIMD2(Double(canvas.width), Double(canvas.height))
    let (corner, size) = (mask.corner * scale, mask.size * scale)
    let points = mask.points.map { $0 * scale }
    let (sine, cosine) = (sin(mask.angle * .pi / 180), cos(mask.angle * .pi / 180))
    func rotated(_ point: SIMD2<Double>, _ sine: Double) -> SIMD2<Double> {
      SIMD2(point.x * cosine - point.y * sine, point.x * sine + point.y * cosine)
    }
    /// Whether a point relative to the corner is inside of the mask, which is larger by a margin.
    func contains(_ point: SIMD2<Double>, _ margin: Double) -> Bool {
      switch mask.shape {
      case "ellipse":
        let radii = size / 2 + margin
        let distance = (point - size / 2) / radii
        return radii.x > 0 && radii.y > 0 && (distance * distance).sum() <= 1
      case "polygon":
        return points.indices.count { index in
          let (one, other) = (points[index], points[(index + 1) % points.count])
          return (one.y > point.y) != (other.y > point.y)
            && point.x < (other.x - one.x) * (point.y - one.y) / (other.y - one.y) + one.x
        } % 2 == 1
      default:
        return point.x >= -margin && point.y >= -margin && point.x < size.x + margin && point.y < size.y + margin
      }
    }
    let corners = [SIMD2(0, 0), SIMD2(size.x, 0), SIMD2(0, size.y), size].map { corner + rotated($0, sine) }
    canvas.fill(
      from: corners.reduce(corners[0]) { pointwiseMin($0, $1) } - 1,
      to: corners.reduce(corners[0]) { pointwiseMax($0, $1) } + 1
    ) { point in
      let inner = rotated(point - corner, -sine)
      guard contains(inner, 0) else { return nil }
      let isBorder = [SIMD2(1.5, 0), SIMD2(-1.5, 0), SIMD2(0, 1.5), SIMD2(0, -1.5)].contains {
        !contains(inner + $0, 0)
      }
      return isBorder ? Self.border : fill
    }
    if fill != nil, let number = mask.numbers.first {
      canvas.write(number, at: corner + rotated(size / 2, sine), in: size)
    }
  }
}

/// The pixels of a picture on which masks are drawn.
private struct Canvas {
  let width: Int
  let height: Int
  private var pixels: [UInt8]
  /// The number of pixels that were examined.
  private(set) var cost = 0

  init(_ image: PixelImage) { (width, height, pixels) = (image.width, image.height, image.pixels) }

  var image: PixelImage { PixelImage(width: width, height: height, pixels: pixels) }

  /// Sets the pixels between two corners to the colours that a function returns.
  mutating func fill(
    from least: SIMD2<Double>, to greatest: SIMD2<Double>, colour: (_ centre: SIMD2<Double>) -> [UInt8]?
  ) {
    func range(_ least: Double, _ greatest: Double, below end: Int) -> Range<Int> {
      let start = Int(clamping: max(0, least))
      return start..<max(start, Int(clamping: min(Double(end), greatest.rounded(.up))))
    }
    let columns = range(least.x, greatest.x, below: width)
    let rows = range(least.y, greatest.y, below: height)
    cost += columns.count * rows.count
    for row in rows {
      for column in columns {
        guard let colour = colour(SIMD2(Double(column) + 0.5, Double(row) + 0.5)) else { continue }
        let start = 4 * (row * width + column)
        pixels.replaceSubrange(start..<start + 3, with: colour)
      }
    }
  }

  /// The digits in three columns and five rows, from the upper left bit.
  private static let digits = [
    0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111, 0b101_101_111_001_001,
    0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_001_001_001, 0b111_101_111_101_111, 0b111_101_111_001_111,
  ]

  /// Writes a number in the middle of a box, as large as it fits, up to 35 pixels.
  mutating func write(_ number: Int, at centre: SIMD2<Double>, in size: SIMD2<Double>) {
    let digits = String(number).compactMap(\.wholeNumberValue)
    let columns = Double(4 * digits.count - 1)
    let scale = min(7, (size.x / (columns + 2)).rounded(.down), (size.y / 7).rounded(.down))
    guard scale >= 1 else { return }
    let corner = centre - SIMD2(columns, 5) * scale / 2
    fill(from: corner, to: centre + SIMD2(columns, 5) * scale / 2) { point in
      let place = (point - corner) / scale
      guard place.x >= 0, place.y >= 0, place.x < columns, place.y < 5 else { return nil }
      let (column, row) = (Int(clamping: place.x), Int(clamping: place.y))
      guard column % 4 < 3, Self.digits[digits[column / 4]] >> (14 - row * 3 - column % 4) & 1 == 1 else { return nil }
      return [0, 0, 0]
    }
  }
}

extension ImageOcclusion {
  /// Decodes an image for the pictures. Returns `nil` if it is damaged or too large.
  static func image(_ bytes: [UInt8], named name: String) -> PixelImage? {
    guard let image = try? PixelImage(decoding: bytes, named: name) else { return nil }
    let share = Double(maximumSide) / Double(max(image.width, image.height))
    guard share < 1 else { return image }
    return image.scaled(
      toWidth: max(1, Int(clamping: Double(image.width) * share)),
      height: max(1, Int(clamping: Double(image.height) * share)))
  }
}
