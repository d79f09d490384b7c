import Foundation
import TestSupport
import Testing

/// A leaf and a server that are connected by TLS.
@Suite(.enabled(if: SecureProxy.python != nil, "Python is not installed."))
struct SecureSyncTests {
  private func sync(_ leaf: LeafDatabase, _ url: String, _ arguments: String..., input: String = "") throws
    -> ServerFixture.Answer
  {
    try leaf.fixture.run(
      ServerFixture.path("waymark"), ["sync", url, "--format", "json"] + arguments, input: input,
      variables: ["WAYMARK_DATABASE": leaf.database])
  }

  @Test func `over TLS, only a server with a certificate of the given authority is trusted`() throws {
    let (home, token) = try ServerFixture.serving()
    let proxy = try SecureProxy(before: home)
    let stranger = try SecureProxy(before: home, for: "DNS:school.example")
    let leaf = try LeafDatabase(home)
    try leaf.walk(7)
    let url = "https://127.0.0.1:\(proxy.port)"

    let unknown = try sync(leaf, url, "--join", "--token", input: token + "\n")
    let other = try sync(
      leaf, "https://127.0.0.1:\(stranger.port)", "--ca", stranger.authority, "--join", "--token", input: token + "\n")
    let before = try home.waymark("history", "list", "--format", "jsonl").output
    let believed = try sync(leaf, url, "--ca", proxy.authority, "--join")
    let missing = try sync(leaf, url, "--ca", home.folder.file("none.pem"))

    #expect(unknown.code == 69 && unknown.errors.contains("certificate"), "\(unknown)")
    #expect(unknown.errors.contains("Your changes are saved in this database."))
    #expect(other.code == 69 && other.errors.contains("127.0.0.1"), "\(other)")
    #expect(before == "")
    #expect(believed.code == 0 && believed.count("sent", "steps") == 8, "\(believed)")
    #expect(missing.code == 66 && missing.errors.contains("none.pem"), "\(missing)")
  }
}
