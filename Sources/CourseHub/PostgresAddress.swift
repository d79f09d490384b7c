/// Where a hub's PostgreSQL is.
package struct PostgresAddress: Hashable, Sendable {
  /// The address as libpq reads it.
  let text: String
  /// What of it may be told: all but the name and the password of who asks.
  package let host: String

  /// Reads an address such as `postgres://waymark@127.0.0.1/waymark`.
  ///
  /// Source: PostgreSQL 15, 34.1.1.2, "Connection URIs".
  ///
  /// - Throws: ``HubError/unusableAddress(_:)``.
  package init(_ text: String) throws {
    guard let start = ["postgres://", "postgresql://"].first(where: { text.hasPrefix($0) }) else {
      throw HubError.unusableAddress(text)
    }
    self.text = text
    let rest = text.dropFirst(start.count)
    host = String(rest.split(separator: "@", omittingEmptySubsequences: false).last?.prefix { $0 != "?" } ?? "")
  }
}
