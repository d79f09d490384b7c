import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file that stores the token of a learner for a server. Only its owner can read it.
struct TokenFile: Hashable, Sendable {
  let path: String

  /// - Parameters:
  ///   - folder: The folder of the settings file.
  ///   - host: The host of the server.
  ///   - learner: The name of the learner.
  init(in folder: String, host: String, learner: String) {
    // These characters are allowed in file names. Periods are not among them, because the names `.` and `..` refer to
    // folders. All other characters are escaped.
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_@")
    let name = "\(learner)@\(host)".addingPercentEncoding(withAllowedCharacters: plain) ?? "token"
    path = folder + "/tokens/" + name
  }

  /// Returns the token.
  ///
  /// - Returns: `nil` if the file does not exist.
  /// - Throws: ``SyncClientError/exposedToken(file:)``, ``SyncClientError/tokenFile(file:reason:)``.
  func token() throws(SyncClientError) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw failure()
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure() }
    guard status.st_mode & 0o077 == 0 else { throw .exposedToken(file: path) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = read(file, &bytes, bytes.count)
    guard count >= 0 else { throw failure() }
    return try Self.token(in: String(decoding: bytes[..<count], as: UTF8.self))
  }

  /// Stores a token.
  ///
  /// - Throws: ``SyncClientError/unusableToken``, ``SyncClientError/tokenFile(file:reason:)``.
  func save(_ text: String) throws(SyncClientError) {
    let token = try Self.token(in: text)
    let folder = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .tokenFile(file: path, reason: "its folder cannot be created")
    }
    // A new file replaces the old file, so that the token is never in a file with other permissions.
    let new = path + ".new"
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure() }
    let bytes = Array((token + "\n").utf8)
    let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    close(file)
    guard isWritten, rename(new, path) == 0 else { throw failure() }
  }

  /// Returns the token in a text without surrounding white space.
  private static func token(in text: String) throws(SyncClientError) -> String {
    let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...200).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .unusableToken
    }
    return token
  }

  private func failure() -> SyncClientError { .tokenFile(file: path, reason: String(cString: strerror(errno))) }
}
