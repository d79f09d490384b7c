#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Light as it adds up: half of the light of white is 188 in sRGB, not 128.
///
/// Source: IEC 61966-2-1 (sRGB), the transfer function.
enum LinearLight {
  /// The light of each number of sRGB, of 65,535.
  static let ofEncoded: [UInt64] = (0..<256).map { UInt64((linear(Double($0) / 255) * 65_535).rounded()) }

  /// The nearest number of sRGB for each light from 0 to 65,535.
  static let encoded: [UInt8] = {
    var numbers: [UInt8] = []
    numbers.reserveCapacity(65_536)
    for number in 0..<256 {
      let end = number == 255 ? 65_536 : Int((linear((Double(number) + 0.5) / 255) * 65_535).rounded(.up))
      while numbers.count < end { numbers.append(UInt8(number)) }
    }
    return numbers
  }()

  private static func linear(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }
}
