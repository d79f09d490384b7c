import Testing
import TextCanvas

@testable import TerminalIO

/// Tests the order in which events are handled, and the frames between them.
struct LoopEventQueueTests {
  private static let interrupt = TerminalEventLoop.LoopEvent.input(
    .key(KeyEvent(.character("c"), modifiers: .control)), at: 9)

  private static func keys(_ count: Int) -> [TerminalEventLoop.LoopEvent] {
    (0..<count).map { .input(.key(KeyEvent(.character("n"))), at: Double($0)) }
  }

  /// Removes all events from a queue. Returns `n` for a key, `C` for an interrupt and `.` for anything else. Each is
  /// followed by `|` if a frame may be drawn after it.
  private static func handled(_ queue: inout LoopEventQueue) -> String {
    var text = ""
    while let (event, precedesInput) = queue.popFirst() {
      switch event {
      case .input(.key(let key), at: _): text += key.isInterrupt ? "C" : "n"
      default: text += "."
      }
      if !precedesInput { text += "|" }
    }
    return text
  }

  @Test func `all inputs that have arrived are handled before a frame`() {
    var queue = LoopEventQueue()
    queue.append(Self.keys(2) + [.deadlineReached(.frame, 1)] + Self.keys(1) + [.writable])

    #expect(Self.handled(&queue) == "nn.n|.|")
  }

  @Test func `inputs that arrive between others are also handled before the frame`() {
    var queue = LoopEventQueue()
    queue.append(Self.keys(2))
    let first = queue.popFirst()?.precedesInput
    queue.append(Self.keys(2))

    #expect(first == true)
    #expect(Self.handled(&queue) == "nnn|")
    #expect(queue.count == 0)
  }

  @Test func `an endless burst of input allows a frame after every 1000 inputs`() {
    var queue = LoopEventQueue()
    queue.append(Self.keys(2500))

    let frames = Self.handled(&queue).split(separator: "|").map(\.count)

    #expect(frames == [1000, 1000, 500])
  }

  @Test func `an interrupt key drops many inputs before it, and nothing else`() {
    var queue = LoopEventQueue()
    queue.append(Self.keys(5000) + [.signal(28)])
    _ = queue.popFirst()
    queue.append(Self.keys(5000) + [Self.interrupt] + Self.keys(2))

    #expect(Self.handled(&queue) == ".Cnn|")
  }

  @Test func `a few inputs before an interrupt key are handled`() {
    var queue = LoopEventQueue()
    queue.append(Self.keys(LoopEventQueue.maximumInputsBeforeInterrupt) + [Self.interrupt])

    #expect(
      Self.handled(&queue) == String(repeating: "n", count: LoopEventQueue.maximumInputsBeforeInterrupt) + "C|")
  }

  @Test func `inputs beyond the maximum are dropped, and other events and an interrupt key are not`() {
    var queue = LoopEventQueue()
    queue.append(Self.keys(LoopEventQueue.maximumInputs + 10) + [.writable])
    #expect(queue.count == LoopEventQueue.maximumInputs + 1)

    queue.append(Self.keys(1) + [Self.interrupt])

    #expect(Self.handled(&queue) == ".C|")
  }

  @Test func `a long paste counts as many inputs`() {
    var queue = LoopEventQueue()
    let paste = TerminalEventLoop.LoopEvent.input(.paste(String(repeating: "x", count: 1 << 20)), at: 1)
    for _ in 0..<100 { queue.append([paste]) }

    #expect(queue.count == 64)
  }
}
