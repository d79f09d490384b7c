import Foundation

/// The address of a Git repository, with a transport that runs no program of the address's choice.
public struct GitAddress: Hashable, Sendable {
  /// The transports of git that are used.
  ///
  /// Source: git-clone(1), "Git URLs". `ext::` and other remote helpers run commands.
  static let protocols = ["https", "ssh", "git", "file"]

  /// The address as git takes it.
  let text: String

  /// Reads an address.
  ///
  /// - Returns: `nil` if the text is not an address but a path.
  /// - Throws: ``CourseFormatError/unsupportedAddress(_:)`` for other transports.
  public init?(_ text: String) throws {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    let rest = text[scheme.endIndex...]
    if !scheme.isEmpty, rest.hasPrefix("://") || rest.hasPrefix("::") {
      guard rest.hasPrefix("://"), Self.protocols.contains(scheme.lowercased()) else {
        throw CourseFormatError.unsupportedAddress(Self.withoutPassword(text))
      }
    } else {
      // `user@host:path` is short for ssh.
      let host = text.prefix { $0 != ":" && $0 != "/" }
      guard host.dropFirst().dropLast().contains("@"), text[host.endIndex...].hasPrefix(":"), !text.hasPrefix("-")
      else {
        return nil
      }
    }
    self.text = text
  }

  /// The address without a name and password of https, to be shown and stored.
  public var withoutPassword: String { Self.withoutPassword(text) }

  /// The repository's name: the last part of the path without `.git`.
  var name: String {
    let path = text.reversed().drop { $0 == "/" }.prefix { $0 != "/" && $0 != ":" }
    let name = String(path.reversed())
    let stem = name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    let isUsable = stem.allSatisfy { $0.isLetter || $0.isNumber || "._-+~".contains($0) }
    return stem.isEmpty || stem.hasPrefix(".") || !isUsable ? "repository" : stem
  }

  private static func withoutPassword(_ text: String) -> String {
    guard let start = text.range(of: "://"), !text.lowercased().hasPrefix("ssh:") else { return text }
    let authority = text[start.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return String(text[..<start.upperBound] + text[text.index(after: at)...])
  }
}
