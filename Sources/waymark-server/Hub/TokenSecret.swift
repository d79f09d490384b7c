import Crypto

/// What the holder of a token knows, and nobody else.
enum TokenSecret {
  /// How every secret begins, so that one that was published by mistake can be found.
  static let prefix = "waymark_"

  /// Makes a secret of 256 random bits.
  static func make() -> String {
    let key = SymmetricKey(size: .bits256)
    return prefix + key.withUnsafeBytes { Hexadecimal.text($0) }
  }

  /// SHA-256 of a secret, in hexadecimal digits: what the database knows of it.
  ///
  /// A secret of 256 random bits cannot be guessed, so it needs no salt, and none of the functions that are slow on purpose.
  static func digest(of secret: some StringProtocol) -> String { Digest.text(Array(secret.utf8)) }
}

/// SHA-256.
enum Digest {
  /// The digest of some bytes in hexadecimal digits.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    Hexadecimal.text(SHA256.hash(data: Array(bytes)))
  }
}

/// SHA-256 of bytes that arrive in parts.
struct RunningDigest {
  private var hash = SHA256()

  init() {}

  /// Adds the next bytes.
  mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

  /// The digest of all bytes that were added, in hexadecimal digits.
  var text: String { Hexadecimal.text(hash.finalize()) }
}

/// Bytes in hexadecimal digits.
enum Hexadecimal {
  /// Two lower-case digits for each byte.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
