import LearningModel
import Testing

@testable import CourseFormats

struct TextDecodingTests {
  private let words = "Grüße, 🐝\nzwei"

  private func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
    text.utf16.flatMap { isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  @Test func `UTF-8 and UTF-16 with a byte order mark are decoded`() throws {
    let utf8 = Array(words.utf8)

    #expect(try TextDecoding.decode(utf8, file: "a") == words)
    #expect(try TextDecoding.decode([0xEF, 0xBB, 0xBF] + utf8, file: "a") == words)
    #expect(try TextDecoding.decode([0xFF, 0xFE] + utf16(words, isLittle: true), file: "a") == words)
    #expect(try TextDecoding.decode([0xFE, 0xFF] + utf16(words, isLittle: false), file: "a") == words)
    #expect(try TextDecoding.decode([], file: "a") == "")
  }

  @Test func `the first invalid byte of UTF-8 is reported with its line`() {
    let latin = Array("eins\nzw".utf8) + [0xE9] + Array("i".utf8)

    #expect(throws: CourseFormatError.notText(file: "a.md", line: 2, byte: 0xE9, offset: 7)) {
      try TextDecoding.decode(latin, file: "a.md")
    }
    #expect(throws: CourseFormatError.notText(file: "a.md", line: 1, byte: 0xC3, offset: 5)) {
      try TextDecoding.decode([0xEF, 0xBB, 0xBF, 0x61, 0x61, 0xC3], file: "a.md")
    }
  }

  @Test func `truncated UTF-16 and unpaired surrogates are reported`() {
    #expect(throws: CourseFormatError.notText(file: "a", line: 1, byte: 0x62, offset: 4)) {
      try TextDecoding.decode([0xFF, 0xFE, 0x61, 0x00, 0x62], file: "a")
    }
    #expect(throws: CourseFormatError.notText(file: "a", line: 2, byte: 0x3D, offset: 6)) {
      try TextDecoding.decode([0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00, 0x3D, 0xD8], file: "a")
    }
  }

  @Test func `UTF-16 without a byte order mark is reported with its first NUL`() {
    #expect(throws: CourseFormatError.notText(file: "a.md", line: 1, byte: 0, offset: 1)) {
      try TextDecoding.decode(utf16("# Bees", isLittle: true), file: "a.md")
    }
    #expect(throws: CourseFormatError.notText(file: "a.md", line: 1, byte: 0, offset: 0)) {
      try TextDecoding.decode(utf16("# Bees", isLittle: false), file: "a.md")
    }
    #expect(throws: CourseFormatError.notText(file: "a.md", line: 2, byte: 0, offset: 6)) {
      try TextDecoding.utf8([0xEF, 0xBB, 0xBF] + Array("a\nb".utf8) + [0, 0xFF], file: "a.md")
    }
    #expect(throws: CourseFormatError.notText(file: "a.md", line: 2, byte: 0, offset: 6)) {
      try TextDecoding.decode([0xFF, 0xFE] + utf16("a\n\0b", isLittle: true), file: "a.md")
    }
  }

  @Test func `a JSON course in UTF-16 without a byte order mark is reported with the byte`() throws {
    let json = #"{"waymark": 1, "course": {"key": "c", "title": "C", "children": []}}"#

    for (isLittle, offset) in [(true, 1), (false, 0)] {
      #expect(throws: CourseFormatError.notText(file: "c.json", line: 1, byte: 0, offset: offset)) {
        try FormatRegistry.read(CourseSource(name: "c.json", bytes: utf16(json, isLittle: isLittle)))
      }
    }
  }

  @Test func `all line ends are converted to line feeds`() throws {
    #expect(try TextDecoding.decode(Array("a\r\nb\rc\n\r\n".utf8), file: "a") == "a\nb\nc\n\n")
  }
}

struct SourceDigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the digest equals the SHA-256 examples of the standard`(_ text: String, _ digest: String) {
    var source = SourceDigest()
    source.add(Array(text.utf8))

    #expect(source.hexadecimal() == digest)
  }

  @Test func `the digest is independent of how the bytes are divided`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var whole = SourceDigest()
    whole.add(bytes)

    for size in [1, 55, 56, 63, 64, 65, 127, 128, 999] {
      var parts = SourceDigest()
      for start in stride(from: 0, to: bytes.count, by: size) {
        parts.add(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(parts.hexadecimal() == whole.hexadecimal(), "\(size)")
    }
  }

  @Test func `different files with the same bytes in total have different digests`() {
    var first = SourceDigest()
    first.add(Array("ab".utf8), of: "x")
    first.add(Array("c".utf8), of: "y")
    var second = SourceDigest()
    second.add(Array("a".utf8), of: "x")
    second.add(Array("bc".utf8), of: "y")

    #expect(first.hexadecimal() != second.hexadecimal())
  }
}

struct SourcePathTests {
  @Test(arguments: [
    ("b.md", "a", "a/b.md"), ("../b.md", "a", "b.md"), ("./x/../b.md", "a", "a/b.md"), ("/b.md", "a", "b.md"),
    ("..\\b.md", "a", "b.md"), ("", "a", "a"), ("../../b.md", "a", nil), ("C:\\b.md", "a", nil),
  ])
  func `a relative path resolves inside the source or to nil`(_ name: String, _ folder: String, _ path: String?) {
    #expect(SourcePath.resolve(name, in: folder) == path)
  }
}
