public import Foundation

/// Creates archives byte by byte, including invalid ones that no tool would create.
public enum Archives {
  /// Returns a tar archive.
  ///
  /// Source: POSIX ustar.
  public static func tar(_ entries: [(name: String, type: Character, text: String)]) -> Data {
    var archive = Data()
    for entry in entries {
      var header = [UInt8](repeating: 0, count: 512)
      func put(_ text: String, at offset: Int) {
        for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
      }
      let isFile = entry.type == "0"
      put(entry.name, at: 0)
      put("0000644\0", at: 100)
      put("0000000\0", at: 108)
      put("0000000\0", at: 116)
      put(octal(isFile ? entry.text.utf8.count : 0, width: 11) + "\0", at: 124)
      put("00000000000\0", at: 136)
      put("        ", at: 148)
      put(String(entry.type), at: 156)
      if !isFile { put(entry.text, at: 157) }
      put("ustar\u{0}00", at: 257)
      put(octal(header.reduce(0) { $0 + Int($1) }, width: 6) + "\0 ", at: 148)
      archive.append(contentsOf: header)
      guard isFile else { continue }
      archive.append(contentsOf: entry.text.utf8)
      archive.append(contentsOf: [UInt8](repeating: 0, count: (512 - entry.text.utf8.count % 512) % 512))
    }
    archive.append(contentsOf: [UInt8](repeating: 0, count: 1024))
    return archive
  }

  private static func octal(_ number: Int, width: Int) -> String {
    let digits = String(number, radix: 8)
    return String(repeating: "0", count: width - digits.count) + digits
  }

  /// Returns a zip archive with uncompressed entries.
  ///
  /// Source: PKWARE APPNOTE, 4.3.
  public static func zip(_ entries: [(name: String, text: String)]) -> Data {
    var archive = Data()
    var directory = Data()
    for (name, text) in entries {
      let (name, bytes) = (Array(name.utf8), Array(text.utf8))
      // The fields are version, flags (names are UTF-8), method, time, date, checksum, both sizes, and the lengths of
      // name and extra field.
      let common =
        little(20, 2) + little(0x0800, 2) + little(0, 2) + little(0, 2) + little(0x21, 2) + little(checksum(bytes), 4)
        + little(bytes.count, 4) + little(bytes.count, 4) + little(name.count, 2) + little(0, 2)
      directory.append(contentsOf: little(0x0201_4B50, 4) + little(20, 2) + common)
      directory.append(contentsOf: little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4))
      directory.append(contentsOf: little(archive.count, 4) + name)
      archive.append(contentsOf: little(0x0403_4B50, 4) + common + name + bytes)
    }
    let start = archive.count
    archive.append(directory)
    archive.append(contentsOf: little(0x0605_4B50, 4) + little(0, 4) + little(entries.count, 2))
    archive.append(contentsOf: little(entries.count, 2) + little(directory.count, 4) + little(start, 4) + little(0, 2))
    return archive
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> Int {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return Int(~crc)
  }
}
