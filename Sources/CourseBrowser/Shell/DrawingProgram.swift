import Foundation
import Pictures

/// The program that makes pixels of drawings in SVG: `rsvg-convert` of librsvg, where the system has it.
///
/// Drawings are small programs of strangers. So it runs beside Waymark with limits of its own, and reads the drawing from
/// its standard input: what has no address has no files beside it, and librsvg loads nothing from the network.
///
/// Source: rsvg-convert(1); librsvg, "Security and locations of referenced files".
enum DrawingProgram {
  /// Seconds of the processor that a drawing may take.
  private static let seconds = 5
  /// Kibibytes of memory that the program may take, with its libraries.
  private static let memory = 1 << 20
  /// Bytes of its answer that are read: more than a picture in PNG has that fills a terminal.
  private static let mostBytes = 64 << 20

  /// Draws a drawing as large as fits, its sides in proportion; `nil` where there is no such program, or the drawing is
  /// none or takes too much.
  ///
  /// - Parameters:
  ///   - bytes: The drawing, an SVG file.
  ///   - width: Pixels that there are side by side, at least 1.
  ///   - height: Pixels that there are one below the other, at least 1.
  ///   - name: What errors call it.
  ///   - program: The program, looked up in `PATH`.
  static func picture(
    of bytes: [UInt8], width: Int, height: Int, named name: String, program: String = "rsvg-convert"
  ) -> Picture? {
    let script = "ulimit -t \(seconds); ulimit -v \(memory) 2>/dev/null; exec \"$0\" \"$@\""
    let answer = answer(
      of: [
        "/bin/sh", "-c", script, program, "--format", "png", "--keep-aspect-ratio", "--width", "\(width)", "--height",
        "\(height)",
      ], to: bytes)
    return answer.flatMap { try? Picture(decoding: $0, named: name) }
  }

  /// What a program writes that is given some bytes to read; `nil` where it fails or writes too much.
  private static func answer(of words: [String], to bytes: [UInt8]) -> [UInt8]? {
    var ends: [Int32] = [-1, -1]
    #if os(Linux)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    let (here, there) = (ends[0], ends[1])
    defer { close(here) }
    // Other programs that are started inherit neither.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let program = SpawnedProgram(words, input: there, output: there)
    close(there)
    guard let program else { return nil }
    // It reads all before it writes anything, so neither waits for the other.
    send(bytes, to: here)
    shutdown(here, Int32(SHUT_WR))
    let answer = receive(from: here)
    // What still writes ends with this.
    shutdown(here, Int32(SHUT_RDWR))
    return program.waitForEnd() ? answer : nil
  }

  /// Writes as much as is taken: a program may end before it has read all.
  private static func send(_ bytes: [UInt8], to socket: Int32) {
    #if os(macOS)
    var isQuiet: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<Int32>.size))
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, flags) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// All that is written until the other end is closed; `nil` where that is too much.
  private static func receive(from socket: Int32) -> [UInt8]? {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while all.count <= mostBytes {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return all }
      all += buffer.prefix(count)
    }
    return nil
  }
}

extension Picture {
  /// Decodes a picture, or has a drawing drawn as large as it is shown; `nil` where it is neither.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - width: Pixels side by side where it is shown; a drawing gets as many.
  ///   - height: Pixels one below the other there.
  ///   - name: What errors call it.
  init?(showing bytes: [UInt8], width: Int, height: Int, named name: String) {
    if PictureFormat(firstBytes: Array(bytes.prefix(12))) != nil {
      guard let picture = try? Picture(decoding: bytes, named: name) else { return nil }
      self = picture
    } else {
      guard let picture = DrawingProgram.picture(of: bytes, width: width, height: height, named: name) else {
        return nil
      }
      self = picture
    }
  }
}
