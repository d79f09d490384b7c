import LibPQ

/// The address of a hub's PostgreSQL.
package struct PostgresAddress: Hashable, Sendable {
  /// The address as libpq reads it. It may hold a password, so no message contains it.
  let text: String
  /// The host, port and database, without user name and password, for messages.
  package let host: String

  /// Parses an address such as `postgres://waymark@127.0.0.1/waymark`.
  ///
  /// libpq quotes parts of an address in its error messages, and takes a piece of a password for a host or a port if a
  /// special character is not percent-encoded. Such an address is refused here, without quoting it.
  ///
  /// Source: PostgreSQL 15, 34.1.1.2, "Connection URIs".
  ///
  /// - Throws: ``HubError/unusableAddress(reason:)``.
  package init(_ text: String) throws {
    guard ["postgres://", "postgresql://"].contains(where: { text.hasPrefix($0) }) else {
      throw HubError.unusableAddress(reason: "it does not begin with postgres://")
    }
    self.text = text
    guard let settings = Self.settings(of: text) else {
      throw HubError.unusableAddress(reason: "a part of it cannot be read")
    }
    let (hosts, database) = (settings["host"] ?? settings["hostaddr"] ?? "", settings["dbname"] ?? "")
    let ports = settings["port"] ?? ""
    guard !hosts.contains("@"), settings["user"] != nil || !database.contains("@"),
      ports.split(separator: ",").allSatisfy({ UInt16($0) != nil })
    else {
      throw HubError.unusableAddress(reason: "its host or its port cannot be one")
    }
    // libpq separates the ports of several hosts by commas, also if none is given.
    host = hosts + (ports.allSatisfy { $0 == "," } ? "" : ":" + ports) + "/" + database
  }

  /// The settings of the address, by libpq's keywords.
  var settings: [String: String] { Self.settings(of: text) ?? [:] }

  /// Parses an address; `nil` if libpq cannot read it.
  private static func settings(of text: String) -> [String: String]? {
    guard let options = PQconninfoParse(text, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var settings: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { settings[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return settings
  }
}
