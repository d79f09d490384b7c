/// Six rows of a picture as sixels: for each colour in them, its bits from left to right.
struct SixelBand {
  private let width: Int
  /// For each colour and column, which of the six rows have it.
  private var bits: [UInt8]
  /// For each colour, its first column and the one behind its last; empty where it is not in the band.
  private var extents: [Range<Int>]

  init(width: Int, colours: Int) {
    self.width = width
    bits = Array(repeating: 0, count: width * colours)
    extents = Array(repeating: 0..<0, count: colours)
  }

  mutating func write(_ picture: IndexedPicture, rows: Range<Int>, to writer: inout PieceWriter) {
    var used: [Int] = []
    for (bit, row) in rows.enumerated() {
      for column in 0..<width {
        let colour = Int(picture.numbers[row * width + column])
        guard colour >= 0 else { continue }
        if extents[colour].isEmpty {
          used.append(colour)
          extents[colour] = column..<column + 1
        } else {
          let extent = extents[colour]
          extents[colour] = min(extent.lowerBound, column)..<max(extent.upperBound, column + 1)
        }
        bits[colour * width + column] |= 1 << bit
      }
    }
    for (order, colour) in used.enumerated() {
      writer.add(Array("\(order > 0 ? "$" : "")#\(colour)".utf8))
      let extent = extents[colour]
      run(of: 0, count: extent.lowerBound, to: &writer)
      var start = extent.lowerBound
      while start < extent.upperBound {
        let value = bits[colour * width + start]
        var end = start
        while end < extent.upperBound, bits[colour * width + end] == value {
          bits[colour * width + end] = 0
          end += 1
        }
        run(of: value, count: end - start, to: &writer)
        start = end
      }
      extents[colour] = 0..<0
    }
  }

  private func run(of value: UInt8, count: Int, to writer: inout PieceWriter) {
    let sixel = value + 0x3F
    if count > 3 {
      writer.add(Array("!\(count)".utf8) + [sixel])
    } else if count > 0 {
      writer.add([UInt8](repeating: sixel, count: count))
    }
  }
}
