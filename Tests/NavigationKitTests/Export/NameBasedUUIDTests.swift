import Foundation
import Testing

@testable import NavigationKit

struct NameBasedUUIDTests {
  @Test(arguments: [
    ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
  ])
  func `the hash equals the examples of the standard`(message: String, hash: String) {
    let bytes = SHA1.hash(Array(message.utf8))

    #expect(bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined() == hash)
  }

  @Test(arguments: 0...130) func `a message of any length is padded to whole blocks`(length: Int) {
    #expect(SHA1.hash([UInt8](repeating: 7, count: length)).count == 20)
  }

  @Test func `a name always has the same identifier in a namespace`() {
    let names = UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8")!

    #expect(UUID("www.example.com", in: names) == UUID(uuidString: "2ed6657d-e927-568b-95e1-2665a8aea6a2"))
    #expect(UUID("www.example.com", in: .addresses) != UUID("www.example.com", in: names))
  }
}
