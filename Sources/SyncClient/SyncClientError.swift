package import LearningModel

/// Why a server could not be asked.
package enum SyncClientError: ExplainedError, Hashable {
  /// The address is none, or not one that a token may be sent to.
  case unusableAddress(text: String, reason: String)
  /// libcurl cannot be loaded.
  case noLibrary(reason: String)
  /// The server does not answer.
  case unreachable(host: String, reason: String)
  /// Somebody has asked to stop.
  case interrupted
  /// The token is worth nothing there.
  case refusedToken(host: String)
  /// The server has too much to do.
  case busy(host: String)
  /// The server says why it does not.
  case refused(host: String, words: String)
  /// What answers is no server of Waymark's.
  case foreign(host: String, status: Int)
  /// There is no token for that server.
  case noToken(host: String, file: String)
  /// Others can read the token.
  case exposedToken(file: String)
  /// The file of the token cannot be read or written.
  case tokenFile(file: String, reason: String)
  /// What was given is no token.
  case unusableToken

  /// Of which kind it is.
  package var kind: FailureKind {
    switch self {
    case .unusableAddress, .refused, .unusableToken: .refused
    case .noLibrary, .unreachable: .unavailable
    case .interrupted, .busy: .tryAgain
    case .refusedToken, .exposedToken: .noPermission
    case .foreign: .badData
    case .noToken: .notFound
    case .tokenFile: .cannotCreate
    }
  }

  /// What was found and what to do next.
  package var description: String {
    switch self {
    case .unusableAddress(let text, let reason):
      "Could not synchronise with '\(text)': \(reason). Write it as https://school.example, or http://127.0.0.1:8080."
    case .noLibrary(let reason):
      "Could not synchronise: libcurl cannot be loaded (\(reason)). Install it: on Debian the package is libcurl4."
    case .unreachable(let host, let reason):
      "Could not synchronise with '\(host)': \(reason). What you did is saved here, and not there yet; "
        + "synchronise again when the server can be reached."
    case .interrupted:
      "Could not finish synchronising: it was stopped. What was exchanged stays; the same command goes on from there."
    case .refusedToken(let host):
      "Could not synchronise with '\(host)': the token is wrong, has expired or was taken back. "
        + "Ask those who look after the server for another one, and give it with --token."
    case .busy(let host):
      "Could not finish synchronising with '\(host)': the server has too much to do. "
        + "What was exchanged stays; run the same command again in a minute."
    case .refused(let host, let words):
      "Could not synchronise with '\(host)'. The server says: \(words)"
    case .foreign(let host, let status):
      "Could not synchronise with '\(host)': it answered \(status), as no server of Waymark's does. Look at the address."
    case .noToken(let host, let file):
      "Could not synchronise with '\(host)': there is no token for it at '\(file)'. "
        + "Give the one that you were given with --token, which reads it from standard input and keeps it there."
    case .exposedToken(let file):
      "Could not use the token at '\(file)': others on this machine may read it. Run: chmod 600 '\(file)'"
    case .tokenFile(let file, let reason):
      "Could not use '\(file)' for the token: \(reason). Make room for it, or look at its folder's permissions."
    case .unusableToken:
      "Could not keep the token: what was given is none. "
        + "Paste the line that 'waymark-server tokens add' has printed; it begins with waymark_."
    }
  }
}
