/// An ``InputDecoder`` together with the time of the last byte.
struct TimedInputDecoder {
  private var decoder = InputDecoder()
  private var lastByte = 0.0

  /// The time at which ``expire(at:)`` must be called unless bytes arrive before; `nil` if no sequence is unfinished.
  var deadline: Double? { decoder.patience.map { lastByte + $0 } }

  /// Decodes the bytes of one read. Bytes that arrive at the deadline or later, before ``expire(at:)`` was called, still
  /// continue a sequence: the thread that reads them may have been late.
  mutating func feed(_ bytes: some Sequence<UInt8>, at now: Double) -> [DecodedInput] {
    lastByte = now
    return decoder.feed(bytes)
  }

  /// Gives up an unfinished sequence if its deadline has passed.
  mutating func expire(at now: Double) -> [DecodedInput] {
    guard let deadline, now >= deadline else { return [] }
    return decoder.expire()
  }
}
