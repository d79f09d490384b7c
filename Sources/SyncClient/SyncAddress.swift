import Foundation

/// Where a server is that a database synchronises with.
package struct SyncAddress: Hashable, Sendable {
  /// The address, without what stands behind its host, its port and its path.
  package let url: String
  /// The host and the port, as they are written.
  package let host: String

  /// Reads it.
  ///
  /// - Parameter text: Such as `https://school.example`. Without TLS it has to be on this machine, as the token would be
  ///   read on the way.
  /// - Throws: ``SyncClientError/unusableAddress(text:reason:)``.
  package init(_ text: String) throws(SyncClientError) {
    guard let parts = URLComponents(string: text), let name = parts.host, !name.isEmpty else {
      throw .unusableAddress(text: text, reason: "it is no address of a server")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
      throw .unusableAddress(text: text, reason: "it says more than where the server is")
    }
    switch parts.scheme?.lowercased() {
    case "https": break
    case "http":
      guard Self.isOfThisMachine(name) else {
        throw .unusableAddress(text: text, reason: "without TLS others on the network could read the token")
      }
    default: throw .unusableAddress(text: text, reason: "it begins with neither https:// nor http://")
    }
    url = String(text.reversed().drop { $0 == "/" }.reversed())
    host = parts.port.map { "\(name):\($0)" } ?? name
  }

  /// Source: RFC 1122, section 3.2.1.3, RFC 4291, section 2.5.3, and RFC 6761, section 6.3.
  private static func isOfThisMachine(_ host: String) -> Bool {
    let name = host.lowercased()
    return name == "localhost" || name == "::1" || name == "[::1]"
      || name.wholeMatch(of: /127\.\d{1,3}\.\d{1,3}\.\d{1,3}/) != nil
  }
}
