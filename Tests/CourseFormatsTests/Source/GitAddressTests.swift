import Testing

@testable import CourseFormats

struct GitAddressTests {
  @Test(arguments: [
    ("https://example.org/ladders.git", "ladders"), ("https://example.org/a/foo.js", "foo.js"),
    ("ssh://git@example.org:22/ladders.git/", "ladders"), ("git@example.org:team/ladders.git", "ladders"),
    ("git://example.org/ladders", "ladders"), ("file:///srv/ladders.git", "ladders"), ("HTTPS://example.org/x", "x"),
    ("https://example.org/", "example.org"), ("https://example.org/.git", "repository"),
    ("https://example.org/a b", "repository"),
  ])
  func `the name of a repository is derived from its address`(_ text: String, _ name: String) throws {
    #expect(try GitAddress(text)?.name == name)
  }

  @Test(arguments: [
    "README.md", ".", "/srv/book", "english/negotiating", "a:b", "@host:x", "-oProxyCommand=x@host:y", "C:\\book",
    "a@b/c:d", "", "://x",
  ])
  func `a path is not parsed as an address`(_ text: String) throws {
    #expect(try GitAddress(text) == nil)
  }

  @Test(arguments: ["ext::sh -c id", "http://example.org/a.git", "ftp://example.org/a", "fd::17", "file::/srv/a"])
  func `addresses with unsupported transports are rejected`(_ text: String) {
    #expect(throws: CourseFormatError.unsupportedAddress(text)) { try GitAddress(text) }
  }

  @Test func `the displayed and stored address has no password`() throws {
    #expect(
      try GitAddress("https://ada:secret@example.org/a.git")?.withoutPassword == "https://example.org/a.git")
    #expect(try GitAddress("ssh://git@example.org/a.git")?.withoutPassword == "ssh://git@example.org/a.git")
    #expect(throws: CourseFormatError.unsupportedAddress("http://example.org/a")) {
      try GitAddress("http://ada:secret@example.org/a")
    }
  }
}
