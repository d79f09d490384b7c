import Foundation
import LearningModel

extension RunningCheck {
  /// Waits for the result. In the meantime, Ctrl-C ends the check instead of this program.
  ///
  /// - Parameter write: Receives complete lines of the output, without control characters.
  /// - Throws: The errors of ``ExerciseRunner/run(while:receive:)``.
  package func waitOrInterrupt(_ write: (String) -> Void) throws -> CheckResult {
    let interruption = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, SIG_DFL) }
    interruption.setEventHandler { [self] in cancel() }
    interruption.resume()
    defer { interruption.cancel() }
    return try wait(write)
  }

  /// The maximum length of a line that is written at once, in bytes.
  private static let maximumLine = 64 << 10

  /// Waits for the result.
  ///
  /// - Parameters:
  ///   - keepsColours: Whether the colours of the output are kept. Other control characters are removed.
  ///   - goesOn: Called often. If it returns `false`, the check is cancelled.
  ///   - write: Receives complete lines of the output.
  /// - Throws: The errors of ``ExerciseRunner/run(while:receive:)``.
  package func wait(
    keepingColours keepsColours: Bool = false, while goesOn: () -> Bool = { true }, _ write: (String) -> Void
  ) throws -> CheckResult {
    var text: [UInt8] = []
    while true {
      let result = result
      if !goesOn() { cancel() }
      text += takeOutput()
      // An incomplete line may end in the middle of an escape sequence.
      let end =
        result == nil
        ? text.lastIndex(of: 0x0A).map { $0 + 1 } ?? (text.count > Self.maximumLine ? text.count : 0) : text.count
      if end > 0 {
        let isIncomplete = result != nil && text.last != 0x0A
        write(
          ProgramOutput.plain(String(decoding: text[..<end], as: UTF8.self), keepingColours: keepsColours)
            + (isIncomplete ? "\n" : ""))
        text.removeFirst(end)
      }
      if let result { return try result.get() }
      usleep(20_000)
    }
  }
}
