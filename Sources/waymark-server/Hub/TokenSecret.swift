import Crypto

/// The secret of an access token. The holder of the token uses it to authenticate.
enum TokenSecret {
  /// The prefix of all secrets. With it, scanners can find a secret that was published by mistake.
  static let prefix = "waymark_"

  /// Returns a new secret with 256 random bits.
  static func make() -> String {
    let key = SymmetricKey(size: .bits256)
    return prefix + key.withUnsafeBytes { Hexadecimal.text($0) }
  }

  /// Returns the SHA-256 digest of a secret in hexadecimal digits. The database stores only the digest.
  ///
  /// 256 random bits cannot be guessed, so neither a salt nor a deliberately slow hash function is needed.
  static func digest(of secret: some StringProtocol) -> String { Digest.text(Array(secret.utf8)) }
}

enum Digest {
  /// Returns the SHA-256 digest of bytes in hexadecimal digits.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    Hexadecimal.text(SHA256.hash(data: Array(bytes)))
  }
}

/// A SHA-256 digest that is computed while bytes arrive.
struct RunningDigest {
  private var hash = SHA256()

  init() {}

  mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

  /// The digest of all added bytes in hexadecimal digits.
  var text: String { Hexadecimal.text(hash.finalize()) }
}

enum Hexadecimal {
  /// Returns two lower-case hexadecimal digits for each byte.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
