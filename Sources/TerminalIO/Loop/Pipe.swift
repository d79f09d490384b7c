import CTerminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A pipe to wake a thread that waits, whose ends never block.
final class Pipe: Sendable {
  /// The end that is waited for.
  let reading: Int32
  /// The end that wakes.
  let writing: Int32

  init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard cterminal_pipe(&ends) == 0 else { throw .systemRefused(call: "pipe", code: errno) }
    reading = ends[0]
    writing = ends[1]
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Wakes the thread that waits; once is enough, so a full pipe is as good.
  func write() {
    var byte: UInt8 = 0
    #if canImport(Glibc)
    _ = Glibc.write(writing, &byte, 1)
    #else
    _ = Darwin.write(writing, &byte, 1)
    #endif
  }

  /// Takes out everything that is in it.
  @discardableResult
  func drain() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(reading, &buffer, buffer.count)
      guard count > 0 else { return all }
      all.append(contentsOf: buffer[..<count])
    }
  }
}
