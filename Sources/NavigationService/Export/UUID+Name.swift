import Foundation

extension UUID {
  /// The namespace of names that are addresses.
  ///
  /// Source: RFC 9562, section 6.6.
  static let addresses = UUID(uuidString: "6ba7b811-9dad-11d1-80b4-00c04fd430c8")!

  /// Makes the UUID that a name always has in a namespace.
  ///
  /// Source: RFC 9562, section 5.5, version 5.
  init(_ name: String, in namespace: UUID) {
    let hash = SHA1.hash(withUnsafeBytes(of: namespace.uuid) { Array($0) } + Array(name.utf8))
    self.init(
      uuid: (
        hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6] & 0x0F | 0x50, hash[7], hash[8] & 0x3F | 0x80,
        hash[9], hash[10], hash[11], hash[12], hash[13], hash[14], hash[15]
      ))
  }
}
