import Testing

@testable import waymark

struct ProgressBarTests {
  @Test func `a bar fills from the left, and never more than it is long`() {
    #expect(ProgressBar.line("Indexing", done: 0, of: 4) == "Indexing  ────────────────────────  0 of 4")
    #expect(ProgressBar.line("Indexing", done: 3, of: 4) == "Indexing  ━━━━━━━━━━━━━━━━━━──────  3 of 4")
    #expect(ProgressBar.line("Indexing", done: 9, of: 4) == "Indexing  ━━━━━━━━━━━━━━━━━━━━━━━━  4 of 4")
  }

  @Test func `where nobody knows how much there is, what is done is counted`() {
    #expect(ProgressBar.line("Reading", done: 128, of: nil) == "Reading  128")
  }
}
