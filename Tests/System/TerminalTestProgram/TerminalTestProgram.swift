import Foundation
import TerminalIO
import TextCanvas

/// A program for tests that takes over a terminal, shows the received events, and ends in many ways.
///
/// It draws its size, the number of events and the last event. Keys: `q` quit, `e` exit with code 3, `x` end with an
/// error, `t` Swift trap, `s` segmentation fault, `a` abort, `o` stack overflow, `z` suspend, `p` set the page's
/// background, `f` draw frames continuously in which every cell changes, `m` draw frames continuously with moving text,
/// `h` hang, `w` wait until the file GUEST_GATE exists.
///
/// If GUEST_GATE is set, the program prints the number of events when a signal ends it.
@main
@MainActor struct TerminalTestProgram {
  struct Failure: Error {}

  static func main() async throws {
    let guest = TestClient()
    try await guest.run()
  }
}

@MainActor
final class TestClient {
  private var events = 0
  private var last = "none"
  /// The number of the current animation frame, or 0 if no animation runs.
  private var frame = 0
  private var isLoud = false
  private var ending: CheckedContinuation<Int, any Error>?
  private let gate = ProcessInfo.processInfo.environment["GUEST_GATE"]

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    var options = TerminalOptions(title: "Guest \u{1B}]0;evil\u{7}", recordingPath: environment["GUEST_RECORD"])
    if let patience = environment["GUEST_PATIENCE"].flatMap(Double.init) {
      (options.answerTimeout, options.startTimeout) = (.seconds(patience), .seconds(patience))
    }
    let session = try TerminalSession.open(options) { [weak self] session, event in self?.take(event, session) }
    draw(session)
    do {
      let code = try await withCheckedThrowingContinuation { ending = $0 }
      session.close()
      print("goodbye")
      exit(Int32(code))
    } catch {
      session.close()
      throw error
    }
  }

  private func take(_ event: TerminalEvent, _ session: TerminalSession) {
    switch event {
    case .ending(let signal):
      session.close()
      if gate != nil { FileHandle.standardOutput.write(Data("ended after \(events) events\n".utf8)) }
      signal.endProcess()
    case .frameDue(let time):
      frame += 1
      session.requestFrame(at: time + 1.0 / 60)
    case .capabilities: break
    case .resumed: last = "resumed"
    case .input(let input, _):
      events += 1
      last = Self.words(input)
      if case .key(let key) = input, key.phase == .press, case .character(let character) = key.key {
        act(on: character, session)
      }
    }
    if session.isOpen { draw(session) }
  }

  private func act(on character: Character, _ session: TerminalSession) {
    switch character {
    case "q": finish(.success(0))
    case "e": exit(3)
    case "x": finish(.failure(TerminalTestProgram.Failure()))
    case "t":
      let numbers: [Int] = []
      last = "\(numbers[events])"
    case "s":
      UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case "a": abort()
    case "o": last = "\(Self.endless(events))"
    case "z": session.suspend()
    case "w":
      FileHandle.standardOutput.write(Data([7]))
      while let gate, !FileManager.default.fileExists(atPath: gate) { usleep(1000) }
    case "h":
      // The bell reports to the test that the program hangs.
      FileHandle.standardOutput.write(Data([7]))
      while true { usleep(1000) }
    case "f", "m":
      frame = 1
      isLoud = character == "f"
      session.requestFrame(at: MonotonicClock.now)
    default: break
    }
  }

  private func finish(_ result: Result<Int, any Error>) {
    ending?.resume(with: result)
    ending = nil
  }

  private static func endless(_ number: Int) -> Int {
    number < 0 ? 0 : endless(number + 1) &+ endless(number &+ 2)
  }

  private func draw(_ session: TerminalSession) {
    var surface = Surface(session.size, filledWith: .blank)
    let size = session.size
    surface.draw("Guest \(size.columns)x\(size.rows)", at: .zero, style: Style(attributes: .bold))
    surface.draw("events \(events)", at: CellPoint(column: 0, row: 1))
    surface.draw("last \(last)", at: CellPoint(column: 0, row: 2))
    surface.draw("end", at: CellPoint(column: size.columns - 3, row: size.rows - 1))
    if frame > 0, !isLoud {
      for row in 4..<max(4, size.rows - 1) {
        let text = "row \(row) of a text that moves to the left, and says nothing else   "
        let shift = frame * (row % 3 + 1)
        let line = String(repeating: text, count: size.columns / 30 + 6).dropFirst(shift % text.count)
        let style = Style(foreground: .rgb(UInt8(row * 4), 120, 200))
        surface.draw(String(line.prefix(size.columns)), at: CellPoint(column: 0, row: row), style: style)
      }
      surface.draw("frame \(frame)", at: CellPoint(column: 0, row: 3))
    } else if frame > 0 {
      // All colours change in each frame, so that a frame has many bytes.
      for row in 4..<max(4, size.rows - 1) {
        for column in 0..<size.columns {
          let shade = UInt8(truncatingIfNeeded: column * 3 + row * 5 + frame * 7)
          surface[column, row] = Cell(
            Glyph("▓"), style: Style(foreground: .rgb(shade, 255 &- shade, UInt8(row)), background: .rgb(0, shade, 9)))
        }
      }
      surface.draw("frame \(frame)", at: CellPoint(column: 0, row: 3))
    }
    session.present(Frame(surface: surface))
  }

  private static func words(_ input: InputEvent) -> String {
    switch input {
    case .paste(let text): "paste \(text)"
    default: input.description
    }
  }
}
