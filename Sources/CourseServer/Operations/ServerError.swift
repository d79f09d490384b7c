package import LearningModel
import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The reason why a server cannot listen.
package enum ServerError: ExplainedError, Hashable {
  /// Another program listens at the port.
  case portTaken(host: String, port: Int)
  /// The user may not listen at the port.
  case portForbidden(host: String, port: Int)
  /// The machine does not have the address.
  case unknownHost(host: String, port: Int)
  /// The system reported something else.
  case cannotListen(host: String, port: Int, reason: String)

  /// The error of opening a port; `nil` if it is another error.
  init?(_ error: any Error, host: String, port: Int) {
    switch error {
    case let error as IOError:
      switch error.errnoCode {
      case EADDRINUSE: self = .portTaken(host: host, port: port)
      case EACCES, EPERM: self = .portForbidden(host: host, port: port)
      case EADDRNOTAVAIL: self = .unknownHost(host: host, port: port)
      default: self = .cannotListen(host: host, port: port, reason: String(cString: strerror(error.errnoCode)))
      }
    case is SocketAddressError, is SocketAddressError.UnknownHost: self = .unknownHost(host: host, port: port)
    default: return nil
    }
  }

  package var kind: FailureKind {
    switch self {
    case .portTaken, .unknownHost, .cannotListen: .unavailable
    case .portForbidden: .noPermission
    }
  }

  package var description: String {
    switch self {
    case .portTaken(let host, let port):
      "Could not listen at '\(host)', port \(port): another program uses it. Choose another port with --port."
    case .portForbidden(let host, let port):
      "Could not listen at '\(host)', port \(port): this user may not use it. Choose a port from 1024 with --port."
    case .unknownHost(let host, let port):
      "Could not listen at '\(host)', port \(port): this machine does not have that address. Choose another with --host."
    case .cannotListen(let host, let port, let reason):
      "Could not listen at '\(host)', port \(port): \(reason). Choose another address or port with --host and --port."
    }
  }
}
