/// The limits of a program that runs to its end.
package struct ProgramLimits: Hashable, Sendable {
  /// The seconds of the processor that the program may take. If `nil`, unlimited.
  package var processorSeconds: Int?
  /// The seconds until the program must have ended. If `nil`, unlimited.
  package var seconds: Double?
  /// The bytes of address space that the program may take. If `nil`, unlimited.
  package var memory: Int?
  /// The bytes of standard output that are read.
  package var output: Int
  /// Whether the program is confined: it cannot write to files, gets no new privileges, ends with the calling thread, and
  /// has no network if the system has network namespaces.
  package var isConfined: Bool

  /// Creates limits.
  package init(
    processorSeconds: Int? = nil, seconds: Double? = nil, memory: Int? = nil, output: Int, isConfined: Bool
  ) {
    self.processorSeconds = processorSeconds
    self.seconds = seconds
    self.memory = memory
    self.output = output
    self.isConfined = isConfined
  }
}

/// Why a program did not run to its end.
package enum ProgramFailure: Error, Hashable, Sendable {
  /// The program cannot be started; `reason` is the system's message.
  case cannotStart(reason: String)
  /// The program took longer than ``ProgramLimits/seconds``.
  case tooSlow(seconds: Int)
  /// The program wrote more than ``ProgramLimits/output`` bytes.
  case tooMuchOutput(bytes: Int)
}

/// The result of a program that ran to its end.
package struct ProgramResult: Hashable, Sendable {
  /// The exit code; 128 and the number of the signal if a signal ended the program.
  package let code: Int32
  /// The bytes of standard output.
  package let output: [UInt8]
  /// The first 64 KiB of standard error.
  package let errors: [UInt8]
  /// Whether the program could use the network.
  package let hadNetwork: Bool
}
