import Testing

@testable import LinearBrowser

struct LinearTranscriptTests {
  @Test func `the whole main job is done in lines, from the first run to the goodbye`() throws {
    let transcript = try Transcript(named: "main-job.txt")
    let fixture = try LinearFixture(hasCourse: false)

    let held = transcript.held(with: fixture)

    #expect(held == transcript.text)
    #expect(fixture.browser.isFinished)
  }

  @Test func `a transcript has no byte that moves a cursor, and no sign that draws a box`() throws {
    let text = try Transcript(named: "main-job.txt").text

    let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) }
    let boxes = text.unicodeScalars.filter { (0x2500...0x25FF).contains($0.value) }
    #expect(controls.isEmpty)
    #expect(boxes.isEmpty)
  }
}
