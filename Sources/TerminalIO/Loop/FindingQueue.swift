import TextCanvas

/// The findings of the event loop that the main actor has not handled yet, in order.
struct FindingQueue {
  /// The number of inputs that are handled before an interrupt key. If more wait, they are dropped, so that the program
  /// can be left whatever was typed or pasted before.
  ///
  /// Source: POSIX.1-2017, 11.1.9: a terminal that is not raw discards the whole input queue at its interrupt character.
  static let mostInputsBeforeInterrupt = 32
  /// The number of inputs that are handled without a frame between them.
  static let mostInputsWithoutFrame = 1000

  private var findings: [TerminalEventLoop.Finding] = []
  private var next = 0
  private var waitingInputs = 0
  private var inputsSinceFrame = 0

  /// The number of findings that wait.
  var count: Int { findings.count - next }

  /// Appends findings. An interrupt key removes the inputs before it if there are many.
  mutating func append(_ arrived: [TerminalEventLoop.Finding]) {
    if next > 0, next * 2 >= findings.count {
      findings.removeFirst(next)
      next = 0
    }
    for finding in arrived {
      if case .input(.key(let key), at: _) = finding, key.isInterrupt, waitingInputs > Self.mostInputsBeforeInterrupt {
        findings = findings[next...].filter { !$0.isInput }
        (next, waitingInputs) = (0, 0)
      }
      if finding.isInput { waitingInputs += 1 }
      findings.append(finding)
    }
  }

  /// Removes the first finding.
  ///
  /// - Returns: The finding, and whether inputs that have arrived must be handled before the next frame; `nil` if
  ///   nothing waits.
  mutating func popFirst() -> (finding: TerminalEventLoop.Finding, precedesInput: Bool)? {
    guard next < findings.count else { return nil }
    let finding = findings[next]
    next += 1
    if finding.isInput {
      waitingInputs -= 1
      inputsSinceFrame += 1
    }
    let precedesInput = waitingInputs > 0 && inputsSinceFrame < Self.mostInputsWithoutFrame
    if !precedesInput { inputsSinceFrame = 0 }
    return (finding, precedesInput)
  }
}

extension TerminalEventLoop.Finding {
  fileprivate var isInput: Bool { if case .input = self { true } else { false } }
}
