import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An HTTP/1.1 connection to a server on this machine, with which a test controls every byte.
///
/// An instance must be used on one thread only.
final class HTTPConnection {
  struct Answer: Equatable {
    var status: Int
    /// The header fields by their names in lower case.
    var headers: [String: String]
    var body: String

    /// The members of a body that is a JSON object.
    var object: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
    }
  }

  /// The server has closed the connection.
  struct Closed: Error {}

  /// The maximum time in seconds to wait for a response.
  static let patience = 60

  private var descriptor: Int32
  private var received: [UInt8] = []

  init(port: Int) throws {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var timeout = timeval(tv_sec: Self.patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var noDelay: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      let errorNumber = errno
      close()
      throw POSIXError(.init(rawValue: errorNumber) ?? .EIO)
    }
  }

  deinit { close() }

  func close() {
    #if canImport(Glibc)
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    #else
    if descriptor >= 0 { _ = Darwin.close(descriptor) }
    #endif
    descriptor = -1
  }

  /// Closes the sending side of the connection.
  func closeOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Sends a text unchanged.
  func send(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
        Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        #else
        Darwin.send(descriptor, buffer.baseAddress, buffer.count, 0)
        #endif
      }
      guard count > 0 else { throw Closed() }
      bytes.removeFirst(count)
    }
  }

  func send(
    _ method: String, _ path: String, token: String? = nil, headers: [String: String] = [:], body: String? = nil,
    length: Int? = nil
  ) throws {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1"]
    if let token { lines.append("Authorization: Bearer \(token)") }
    if let body { lines += ["Content-Type: application/json", "Content-Length: \(length ?? body.utf8.count)"] }
    lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
  }

  /// Sends a request and reads its response.
  func ask(
    _ method: String, _ path: String, token: String? = nil, headers: [String: String] = [:], body: String? = nil
  ) throws -> Answer {
    try send(method, path, token: token, headers: headers, body: body)
    return try answer(hasBody: method != "HEAD")
  }

  /// Reads the next response.
  ///
  /// - Parameter hasBody: Whether the body that the head announces follows. `false` for a response to HEAD.
  func answer(hasBody: Bool = true) throws -> Answer {
    var answer = try head()
    guard hasBody else { return answer }
    if let length = answer.headers["content-length"].flatMap({ Int($0) }) {
      answer.body = String(decoding: try take(length), as: UTF8.self)
    } else if answer.headers["transfer-encoding"] == "chunked" {
      while let chunk = try chunk() { answer.body += chunk }
    }
    return answer
  }

  /// Reads the head of the next response.
  func head() throws -> Answer {
    let end = Array("\r\n\r\n".utf8)
    var position: Int?
    while true {
      position = received.firstRange(of: end)?.lowerBound
      if position != nil { break }
      try receive()
    }
    let lines = String(decoding: received[..<position!], as: UTF8.self).components(separatedBy: "\r\n")
    received.removeFirst(position! + end.count)
    let headers = lines.dropFirst().map { line -> (String, String) in
      let components = line.split(separator: ":", maxSplits: 1)
      return (
        components[0].lowercased(), components.count > 1 ? components[1].trimmingCharacters(in: .whitespaces) : ""
      )
    }
    return Answer(
      status: Int(lines[0].split(separator: " ")[1])!, headers: Dictionary(headers) { first, _ in first }, body: "")
  }

  /// Reads a chunk of a chunked body. Returns `nil` at the end of the body.
  ///
  /// Source: RFC 9112, section 7.1.
  func chunk() throws -> String? {
    let lineEnd = Array("\r\n".utf8)
    var range = received.firstRange(of: lineEnd)
    while range == nil {
      try receive()
      range = received.firstRange(of: lineEnd)
    }
    let size = Int(String(decoding: received[..<range!.lowerBound], as: UTF8.self), radix: 16)!
    received.removeFirst(range!.upperBound)
    let bytes = try take(size)
    _ = try take(2)
    return size == 0 ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Reads all remaining bytes, and returns whether the server has closed the connection.
  func isClosed() -> Bool {
    do {
      while true { try receive() }
    } catch is Closed {
      return true
    } catch {
      return false
    }
  }

  /// Returns whether bytes arrive, or the server closes the connection, within a number of milliseconds.
  func isAnswered(within milliseconds: Int32) -> Bool {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, milliseconds) > 0
  }

  /// Reads a number of bytes of a body.
  func bytes(_ count: Int) throws -> [UInt8] { try take(count) }

  private func take(_ count: Int) throws -> [UInt8] {
    while received.count < count { try receive() }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { return received += buffer[..<count] }
    if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { throw POSIXError(.ETIMEDOUT) }
    throw Closed()
  }
}
