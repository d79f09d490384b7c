import Testing

@testable import waymark

struct ProgressBarTests {
  @Test func `a bar fills from the left and never exceeds its width`() {
    #expect(ProgressBar.line("Indexing", done: 0, of: 4) == "Indexing  ────────────────────────  0 of 4")
    #expect(ProgressBar.line("Indexing", done: 3, of: 4) == "Indexing  ━━━━━━━━━━━━━━━━━━──────  3 of 4")
    #expect(ProgressBar.line("Indexing", done: 9, of: 4) == "Indexing  ━━━━━━━━━━━━━━━━━━━━━━━━  4 of 4")
  }

  @Test func `an unknown total shows the count without a bar`() {
    #expect(ProgressBar.line("Reading", done: 128, of: nil) == "Reading  128")
  }
}
