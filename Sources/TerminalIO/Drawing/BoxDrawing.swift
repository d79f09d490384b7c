import WholeNumbers

/// Draws lines, corners and blocks as shapes that reach the edges of their cell, so that neighbours join.
///
/// Source: The Unicode Standard, the code charts U+2500–U+257F and U+2580–U+259F, by the names of the characters.
struct BoxDrawing {
  /// The position and size of the cell in pixels.
  let x: Double
  let y: Double
  let width: Double
  let height: Double

  private enum Weight: UInt8 {
    case none = 0x30
    case light, heavy, double

    /// Half the thickness of a line in pixels.
    var half: Double {
      switch self {
      case .none: 0
      case .light: 0.5
      case .heavy: 1.5
      case .double: 1.5
      }
    }
  }

  /// The arms of U+2500… in the order up, right, down, left: 0 none, 1 light, 2 heavy, 3 double. Dashes, arcs and
  /// diagonals have no arms here.
  private static let arms: StaticString = """
    0101020210102020000000000000000000000000000000000110021001200220\
    0011001200210022110012002100220010011002200120021110121021101120\
    2120221012202220101110122011102120212012102220220111011202110212\
    0121012202210222110111021201120221012102220122021111111212111212\
    2111112121212112221111221221221212222122222122220000000000000000\
    0303303003100130033000130031003313003100330010033001300313103130\
    3330101330313033031301310333130331013303131331313333000000000000\
    0000000000000000000110000100001000022000020000200201102001022010
    """

  /// Draws a character of U+2500–U+257F.
  func drawLines(_ scalar: UInt32, paint: SvgPaint, into shapes: inout SvgShapes) {
    switch scalar {
    case 0x2504...0x250B, 0x254C...0x254F: dashes(scalar, paint, &shapes)
    case 0x256D...0x2573: curve(scalar, paint, &shapes)
    default: lines(Int(scalar - 0x2500), paint, &shapes)
    }
  }

  // MARK: - Lines

  private func lines(_ number: Int, _ paint: SvgPaint, _ shapes: inout SvgShapes) {
    let weights = (0..<4).map { Weight(rawValue: BoxDrawing.arms.utf8Start[4 * number + $0]) ?? .none }
    // Horizontal arms come first, so that adjacent ones in a row become one long rectangle.
    for direction in [3, 1, 0, 2] where weights[direction] != .none {
      let same = weights[(direction + 2) % 4]
      let sides = (weights[(direction + 1) % 4], weights[(direction + 3) % 4])
      if weights[direction] == .double {
        arm(direction, from: start(sides.0, across: sides.1), at: 1, half: 0.5, paint, &shapes)
        arm(direction, from: start(sides.1, across: sides.0), at: -1, half: 0.5, paint, &shapes)
      } else {
        arm(direction, from: start(same, sides), at: 0, half: weights[direction].half, paint, &shapes)
      }
    }
  }

  /// Returns the start of a single line as a distance from the centre, negative if it starts beyond the centre.
  private func start(_ opposite: Weight, _ sides: (Weight, Weight)) -> Double {
    switch (sides.0 == .double, sides.1 == .double) {
    case _ where opposite != .none && sides.0 != .double && sides.1 != .double: 0
    case (true, true): opposite == .none ? 0.5 : 0
    case (true, false), (false, true): -1.5
    case (false, false): -max(sides.0.half, sides.1.half)
    }
  }

  /// Returns the start of one line of a double line, as a distance from the centre. `near` is the perpendicular arm on
  /// the line's own side, and `far` the arm on the opposite side.
  private func start(_ near: Weight, across far: Weight) -> Double {
    if near == .double { return 0.5 }
    if far == .double { return -1.5 }
    return -max(near.half, far.half)
  }

  /// Adds a line from near the centre to an edge. `offset` moves it clockwise, as seen from the centre.
  private func arm(
    _ direction: Int, from start: Double, at offset: Double, half: Double, _ paint: SvgPaint, _ shapes: inout SvgShapes
  ) {
    let middleX = x + width / 2
    let middleY = y + height / 2
    let rect =
      switch direction {
      case 0:
        SvgRect(x: middleX + offset - half, y: y, width: 2 * half, height: height / 2 - start)
      case 1:
        SvgRect(x: middleX + start, y: middleY + offset - half, width: width / 2 - start, height: 2 * half)
      case 2:
        SvgRect(x: middleX - offset - half, y: middleY + start, width: 2 * half, height: height / 2 - start)
      default:
        SvgRect(x: x, y: middleY - offset - half, width: width / 2 - start, height: 2 * half)
      }
    shapes.add(rect, paint: paint)
  }

  private func dashes(_ scalar: UInt32, _ paint: SvgPaint, _ shapes: inout SvgShapes) {
    let count = scalar >= 0x254C ? 2.0 : scalar >= 0x2508 ? 4.0 : 3.0
    let half = scalar & 1 == 1 ? Weight.heavy.half : Weight.light.half
    let isVertical = scalar & 2 == 2
    let step = (isVertical ? height : width) / count
    for number in 0..<Int(clamping: count) {
      let from = step * (Double(number) + 0.2)
      shapes.add(
        isVertical
          ? SvgRect(x: x + width / 2 - half, y: y + from, width: 2 * half, height: step * 0.6)
          : SvgRect(x: x + from, y: y + height / 2 - half, width: step * 0.6, height: 2 * half), paint: paint)
    }
  }

  private func curve(_ scalar: UInt32, _ paint: SvgPaint, _ shapes: inout SvgShapes) {
    let n = SvgWriter.number
    let radius = width / 2
    let left = n(x)
    let right = n(x + width)
    let top = n(y)
    let bottom = n(y + height)
    let across = n(x + width / 2)
    let middle = n(y + height / 2)
    let above = n(y + height / 2 - radius)
    let below = n(y + height / 2 + radius)
    let arc = "A\(n(radius)) \(n(radius)) 0 0 "
    let path =
      switch scalar {
      case 0x256D: "M\(across) \(bottom)V\(below)\(arc)1 \(right) \(middle)"
      case 0x256E: "M\(across) \(bottom)V\(below)\(arc)0 \(left) \(middle)"
      case 0x256F: "M\(across) \(top)V\(above)\(arc)1 \(left) \(middle)"
      case 0x2570: "M\(across) \(top)V\(above)\(arc)0 \(right) \(middle)"
      case 0x2571: "M\(right) \(top)L\(left) \(bottom)"
      case 0x2572: "M\(left) \(top)L\(right) \(bottom)"
      default: "M\(right) \(top)L\(left) \(bottom)M\(left) \(top)L\(right) \(bottom)"
      }
    shapes.addStroke(path, paint: paint)
  }

  // MARK: - Blocks

  /// Draws a character of U+2580–U+259F.
  func drawBlock(_ scalar: UInt32, paint: SvgPaint, into shapes: inout SvgShapes) {
    func add(_ fromX: Double, _ fromY: Double, _ toX: Double, _ toY: Double, opacity: Int = 100) {
      var shade = paint
      shade.opacity = shade.opacity * opacity / 100
      // Whole pixels, so that shapes in adjacent cells meet without a gap.
      let (left, top) = ((x + width * fromX).rounded(), (y + height * fromY).rounded())
      let (right, bottom) = ((x + width * toX).rounded(), (y + height * toY).rounded())
      shapes.add(
        SvgRect(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top)), paint: shade)
    }
    switch scalar {
    case 0x2580: add(0, 0, 1, 0.5)
    case 0x2581...0x2588: add(0, 1 - Double(scalar - 0x2580) / 8, 1, 1)
    case 0x2589...0x258F: add(0, 0, Double(0x2590 - scalar) / 8, 1)
    case 0x2590: add(0.5, 0, 1, 1)
    case 0x2591...0x2593: add(0, 0, 1, 1, opacity: 25 * Int(scalar - 0x2590))
    case 0x2594: add(0, 0, 1, 0.125)
    case 0x2595: add(0.875, 0, 1, 1)
    default:
      // Bits: upper left, upper right, lower left, lower right.
      let quadrants: [UInt8] = [0b0010, 0b0001, 0b1000, 0b1011, 0b1001, 0b1110, 0b1101, 0b0100, 0b0110, 0b0111]
      let bits = quadrants[Int(scalar - 0x2596)]
      if bits & 0b1000 != 0 { add(0, 0, 0.5, 0.5) }
      if bits & 0b0100 != 0 { add(0.5, 0, 1, 0.5) }
      if bits & 0b0010 != 0 { add(0, 0.5, 0.5, 1) }
      if bits & 0b0001 != 0 { add(0.5, 0.5, 1, 1) }
    }
  }
}
