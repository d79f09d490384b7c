/// A PNG encoder for all colour types and bit depths, without compression and filters.
///
/// Source: PNG (Third Edition), 5 (chunks), 7.2 (scanlines), 8.1 (Adam7), 11.2; RFC 1950; RFC 1951, 3.2.4 (stored
/// blocks).
struct TinyPNG {
  var width: Int
  var height: Int
  var bitDepth: Int
  /// The colour type: 0 greyscale, 2 RGB, 3 palette, 4 greyscale with alpha, 6 RGB with alpha.
  var colourType: Int
  var isInterlaced = false
  var palette: [UInt8] = []
  var transparency: [UInt8] = []
  /// Returns the samples of the pixel at a column and a row, each with `bitDepth` bits.
  var samples: (Int, Int) -> [Int]

  /// Additional chunks before the image data.
  var chunks: [(type: String, data: [UInt8])] = []

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  var header: [UInt8] {
    let kind = [UInt8(bitDepth), UInt8(colourType), 0, 0, isInterlaced ? 1 : 0]
    return Self.signature + Self.chunk("IHDR", Self.number(width) + Self.number(height) + kind)
  }

  var bytes: [UInt8] {
    var all = header
    for chunk in chunks { all += Self.chunk(chunk.type, chunk.data) }
    if !palette.isEmpty { all += Self.chunk("PLTE", palette) }
    if !transparency.isEmpty { all += Self.chunk("tRNS", transparency) }
    return all + Self.chunk("IDAT", Self.stored(scanlines)) + Self.chunk("IEND", [])
  }

  private var scanlines: [UInt8] {
    // The first column, the first row, and the steps of each pass.
    let passes =
      isInterlaced
      ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
      : [(0, 0, 1, 1)]
    var lines: [UInt8] = []
    for (left, top, across, down) in passes where left < width {
      for row in stride(from: top, to: height, by: down) {
        lines.append(0)
        var bits = 0
        var value = 0
        for column in stride(from: left, to: width, by: across) {
          for sample in samples(column, row) {
            value = value << bitDepth | sample
            bits += bitDepth
            while bits >= 8 {
              lines.append(UInt8(truncatingIfNeeded: value >> (bits - 8)))
              bits -= 8
            }
            value &= 0xFFFF
          }
        }
        if bits > 0 { lines.append(UInt8(truncatingIfNeeded: value << (8 - bits))) }
      }
    }
    return lines
  }

  static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return number(data.count) + body + number(Int(checksum(body)))
  }

  /// Returns a file with the checksums of its complete chunks corrected.
  static func withRightChecksums(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: signature) else { return bytes }
    var all = signature
    var index = signature.count
    while index + 12 <= bytes.count {
      let length = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
      guard index + 12 + length <= bytes.count else { break }
      let body = Array(bytes[index + 4..<index + 8 + length])
      all += number(length) + body + number(Int(checksum(body)))
      index += 12 + length
    }
    return all + bytes[index...]
  }

  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var all: [UInt8] = [0x78, 0x01]
    var remaining = data[...]
    repeat {
      let block = remaining.prefix(0xFFFF)
      remaining = remaining.dropFirst(block.count)
      let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
      all += [remaining.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
    } while !remaining.isEmpty
    var (one, two) = (1, 0)
    for byte in data {
      one = (one + Int(byte)) % 65_521
      two = (two + one) % 65_521
    }
    return all + number(two << 16 | one)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
