import TextCanvas

@MainActor struct FrameBytes {
  init(seed: UInt64) throws {}
  func table() throws -> Table { Table("bytes", columns: ["what"]) }
}
