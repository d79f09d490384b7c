import Foundation
import TestSupport
import Testing

/// The images that pages refer to.
struct ImageRouteTests {
  /// A PNG of 40 × 40 red pixels. Smaller images are treated as symbols within a line.
  private static let png = Data(
    base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAACgAAAAoCAIAAAADnC86AAAALElEQVR42u3NsQkAAAjAsP7/tD4huASyp6kXicVisVgsFovF"
      + "YrFYLBaLxXcWqvU6G92VM/sAAAAASUVORK5CYII="
  )!

  @Test func `an image is found by its digest and may be cached permanently`() throws {
    let home = try ServerFixture()
    let token = try home.token()
    try FileManager.default.createDirectory(
      atPath: home.folder.file("course"), withIntermediateDirectories: true)
    try home.folder.write(Self.png, to: "course/red.png")
    try home.folder.write(Data("# Reds\n\nBefore.\n\n![A red square](red.png)\n\nBehind.\n".utf8), to: "course/red.md")
    #expect(try home.waymark("import", home.folder.file("course")).code == 0)
    let paths = try RandomCourse.paths(in: home)
    let activity = try #require(paths.first { $0.hasPrefix("course/") && $0.split(separator: "/").count == 4 })
    try home.serve()
    let connection = try home.connect()

    let page = try connection.ask("GET", "/v1/pages/\(activity)", token: token).body
    let digest = try #require(page.firstMatch(of: /"picture": ?"([0-9a-f]{64})"/)?.1).description
    try connection.send("GET", "/v1/pictures/\(digest)", token: token)
    let head = try connection.head()
    let bytes = try connection.bytes(head.headers["content-length"].flatMap { Int($0) } ?? 0)
    let same = try connection.ask(
      "GET", "/v1/pictures/\(digest)", token: token, headers: ["If-None-Match": head.headers["etag"] ?? ""])

    #expect(head.status == 200 && head.headers["content-type"] == "image/png")
    #expect(head.headers["etag"] == "\"\(digest)\"")
    #expect(head.headers["cache-control"] == "private, max-age=31536000, immutable")
    #expect(head.headers["x-content-type-options"] == "nosniff")
    #expect(Data(bytes) == Self.png)
    #expect(same.status == 304)
    #expect(try connection.ask("GET", "/v1/pictures/\(String(digest.reversed()))", token: token).status == 404)
    #expect(try connection.ask("GET", "/v1/pictures/\(digest)").status == 401)
  }
}
