import Testing
import WholeNumbers

struct ClampingTests {
  @Test(arguments: [
    (0, 0), (-0.9, 0), (2.9, 2), (-2.9, -2), (0x1p53, 1 << 53), (0x1p62, 1 << 62), (0x1p63, .max), (-0x1p63, .min),
    (1e300, .max), (-1e300, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0), (.signalingNaN, 0),
    (.leastNonzeroMagnitude, 0), (0x1p63.nextDown, Int.max - 1023),
  ])
  func `a floating-point number becomes the nearest integer towards zero inside the range`(
    _ value: Double, _ expected: Int
  ) {
    #expect(Int(clamping: value) == expected)
    #expect(Int64(clamping: value) == Int64(expected))
  }

  @Test(arguments: [-.infinity, -1e20, -300.5, -1, 0, 127.9, 255.9, 65_536, 1e10, 1e20, .infinity, .nan])
  func `smaller and unsigned types use their own limits`(_ value: Double) {
    let whole = value.isNaN ? 0 : value.rounded(.towardZero)

    #expect(Double(UInt8(clamping: value)) == min(max(whole, 0), 255))
    #expect(Double(Int16(clamping: value)) == min(max(whole, -32_768), 32_767))
    #expect(Double(UInt32(clamping: value)) == min(max(whole, 0), 4_294_967_295))
    #expect(UInt64(clamping: value) == UInt64(Double(min(max(whole, 0), 0x1p63.nextDown))) || value >= 0x1p63)
  }
}
