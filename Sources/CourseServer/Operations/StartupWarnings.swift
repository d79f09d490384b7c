#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension ServerSettings {
  /// Warnings about the way in which the server is run, one sentence each.
  ///
  /// - Parameter user: The number of the user that runs it; 0 for root.
  package func warnings(user: UInt32) -> [String] {
    var warnings: [String] = []
    let isLocal = host == "localhost" || host == "::1" || host.hasPrefix("127.")
    if !isLocal, !isBehindProxy {
      warnings.append(
        "The server listens at '\(host)' without TLS, so that everyone on the network can read tokens and what learners do: "
          + "listen at 127.0.0.1, with a proxy that ends TLS in front, or give --behind-proxy.")
    }
    if user == 0 {
      warnings.append("The server runs as root, and needs no rights of root: run it as a user of its own.")
    }
    var status = stat()
    if hub == nil, stat(database, &status) == 0, status.st_mode & 0o077 != 0 {
      let quoted = "'" + database.replacing("'", with: #"'\''"#) + "'"
      warnings.append(
        "Others on this machine may read or write the database, and with it everything that learners did: "
          + "run chmod 600 \(quoted).")
    }
    return warnings
  }
}
