import Images
import TestSupport
import Testing

struct HostilePictureTests {
  /// The maximum processor time for one image in seconds. In a debug build the pixel loops take about ten times as
  /// long, so the limit only detects endless loops.
  private static let secondsAllowed: Double = {
    #if DEBUG
    10
    #else
    1
    #endif
  }()

  private static let interlaced = TinyPNG(
    width: 9, height: 7, bitDepth: 4, colourType: 3, isInterlaced: true, palette: (0..<48).map { UInt8($0) },
    transparency: [0, 128], samples: { x, y in [x + y] }
  ).bytes

  /// Returns bytes with random modifications: replaced, removed, repeated or overwritten bytes.
  private static func mutate(_ original: [UInt8], by random: inout SplitMix64) -> [UInt8] {
    var bytes = original
    for _ in 0...random.below(4) {
      let start = random.below(max(1, bytes.count))
      let length = min(1 + random.below(8), bytes.count - start)
      switch random.below(5) {
      case 0: bytes[start] = UInt8(random.below(256))
      case 1: bytes[start] ^= 1 << random.below(8)
      case 2: bytes.removeSubrange(start..<start + length)
      case 3: bytes.insert(contentsOf: bytes[start..<start + length], at: random.below(bytes.count))
      default: for index in start..<start + length { bytes[index] = random.oneIn(2) ? 0xFF : 0 }
      }
      if bytes.isEmpty { return [0] }
    }
    return bytes
  }

  @Test(arguments: FilePictures.names + ["interlaced.png", "interlaced.png with right checksums"])
  func `a damaged image is decoded within its limits or rejected`(name: String) throws {
    let limits = ImageLimits()
    let original = try name.hasPrefix("interlaced.png") ? Self.interlaced : FilePictures.bytes(of: name)
    var random = SplitMix64(seed: 15)
    var read = 0
    var refused = 0
    var longest = 0.0

    for _ in 0..<Tier.count(2_000, long: 100_000) {
      var bytes = Self.mutate(original, by: &random)
      if name.hasSuffix("checksums") { bytes = TinyPNG.withRightChecksums(bytes) }
      let seconds = processorSeconds {
        if let image = try? PixelImage(decoding: bytes, named: name, limits: limits) {
          #expect(image.width * image.height <= limits.pixels)
          read += 1
        } else {
          refused += 1
        }
      }
      longest = max(longest, seconds)
    }

    if Tier.isLong { #expect(longest <= Self.secondsAllowed) }
    // Some damaged images must be decoded and some rejected, so that the test checks both cases.
    #expect(read > 0 || name == "animated.webp")
    #expect(refused > 0)
  }

  @Test(arguments: FilePictures.names)
  func `a truncated image is rejected or decodes to the complete image`(name: String) throws {
    let bytes = try FilePictures.bytes(of: name)
    let expected = try? PixelImage(decoding: bytes, named: name)

    for count in 0..<bytes.count {
      let image = try? PixelImage(decoding: Array(bytes.prefix(count)), named: name)
      #expect(image == nil || image == expected, "\(count) bytes")
    }
  }

  @Test func `a header with a huge size is rejected without allocating memory`() {
    for (width, height) in [(1_000_000_000, 1), (40_000_001, 1), (1, 40_000_001), (65_000, 65_000)] {
      let header = TinyPNG(width: width, height: height, bitDepth: 8, colourType: 0) { _, _ in [] }.header

      #expect(throws: ImageError.tooManyPixels(image: "sky", width: width, height: height, limit: 40_000_000)) {
        try PixelImage(decoding: header, named: "sky")
      }
    }
  }

  @Test func `without a pixel limit the memory limit applies`() {
    let header = TinyPNG(width: 1_000_000_000, height: 0x7FFF_FFFF, bitDepth: 8, colourType: 0) { _, _ in [] }.header
    let limit = 256 << 20

    #expect {
      try PixelImage(decoding: header, named: "sky", limits: ImageLimits(pixels: .max, memory: limit))
    } throws: { error in
      guard case .tooMuchMemory("sky", _, limit) = error as? ImageError else { return false }
      return true
    }
  }

  @Test func `a large text chunk in a PNG does not prevent decoding`() throws {
    var png = TinyPNG(width: 1, height: 1, bitDepth: 8, colourType: 0) { _, _ in [7] }
    png.chunks = [("tEXt", Array("Title\0".utf8) + [UInt8](repeating: 0x41, count: 5 << 20))]

    let image = try PixelImage(decoding: png.bytes, named: "bees.png")

    #expect(image == PixelImage(width: 1, height: 1, pixels: [7, 7, 7, 255]))
  }

  @Test func `a JPEG may have several scans but not hundreds`() throws {
    let grey = try FilePictures.bytes(of: "grey.jpg")

    let image = try PixelImage(decoding: Self.inScans(grey, count: 3), named: "scans.jpg")

    // The same values are used for luma and chroma, so each grey level becomes a colour.
    #expect([image.width, image.height] == [24, 16])
    #expect(
      throws: ImageError.corrupt(image: "scans.jpg", format: .jpeg, reason: "It has more than 100 scans")
    ) {
      try PixelImage(decoding: Self.inScans(grey, count: 300), named: "scans.jpg")
    }
  }

  /// Makes a JPEG with three components from a greyscale JPEG, whose only scan is repeated for the components.
  private static func inScans(_ grey: [UInt8], count: Int) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    var index = 2
    while true {
      let marker = grey[index + 1]
      let end = index + 2 + (Int(grey[index + 2]) << 8 | Int(grey[index + 3]))
      let segment = grey[index..<end]
      index = end
      switch marker {
      case 0xC0:
        bytes += [0xFF, 0xC0, 0, 17] + segment[segment.startIndex + 4..<segment.startIndex + 9] + [3]
        for number in UInt8(1)...3 { bytes += [number, 0x11, 0] }
      case 0xDA:
        for scan in 0..<count {
          bytes += [0xFF, 0xDA, 0, 8, 1, UInt8(1 + scan % 3), 0, 0, 63, 0] + grey[end..<grey.count - 2]
        }
        return bytes + [0xFF, 0xD9]
      default: bytes += segment
      }
    }
  }
}
