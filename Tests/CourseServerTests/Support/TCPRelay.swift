import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A TCP relay between a client and a server on this machine. It counts bytes and can cut the connection.
final class TCPRelay: Sendable {
  private struct State {
    var bytes = 0
    var pieces = 0
    var cut = Int.max
    var answer: String?
  }

  private let state = Mutex(State())
  private let listener: Int32
  private let server: Int
  /// The port at which the relay listens.
  let port: Int

  /// Starts to listen.
  ///
  /// - Parameter server: The port of the server.
  init(to server: Int) throws {
    self.server = server
    listener = Self.socket()
    var address = Self.address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0 && listen(listener, 16) == 0
      }
    }
    guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { break }
        carry(client)
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Returns the number of bytes relayed in both directions since the last call.
  func takeBytes() -> Int {
    state.withLock { state in
      defer { state.bytes = 0 }
      return state.bytes
    }
  }

  /// Cuts the connection after a number of received chunks of any length.
  func cut(behind count: Int) { state.withLock { $0 = State(cut: count) } }

  /// Answers each connection with a text instead of relaying it, like a proxy whose server is away. `nil` relays again.
  func answer(_ text: String?) { state.withLock { $0.answer = text } }

  private func carry(_ client: Int32) {
    if let answer = state.withLock({ $0.answer }) {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      _ = recv(client, &buffer, buffer.count, 0)
      _ = answer.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
      shutdown(client, Int32(SHUT_WR))
      while recv(client, &buffer, buffer.count, 0) > 0 {}
      close(client)
      return
    }
    let other = Self.socket()
    var address = Self.address(server)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      for end in [client, other] { close(end) }
      return
    }
    let ends = DispatchGroup()
    for (from, to) in [(client, other), (other, client)] {
      ends.enter()
      Thread.detachNewThread { [self] in
        pump(from, to)
        // Both directions are closed together.
        for end in [from, to] { shutdown(end, Int32(SHUT_RDWR)) }
        ends.leave()
      }
    }
    ends.notify(queue: .global()) { for end in [client, other] { close(end) } }
  }

  private func pump(_ from: Int32, _ to: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(from, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      let isCut = state.withLock { state in
        state.bytes += count
        state.pieces += 1
        return state.pieces > state.cut
      }
      var sent = 0
      while sent < count, !isCut {
        let more = buffer.withUnsafeBytes { send(to, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL)) }
        guard more > 0 else { return }
        sent += more
      }
      guard !isCut else { return }
    }
  }

  private static func socket() -> Int32 {
    #if canImport(Glibc)
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return address
  }
}
