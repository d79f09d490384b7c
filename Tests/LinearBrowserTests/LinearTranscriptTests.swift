import Testing

@testable import LinearBrowser

struct LinearTranscriptTests {
  @Test func `the recorded session from the first run to quitting is unchanged`() throws {
    let transcript = try Transcript(named: "main-job.txt")
    let fixture = try LinearFixture(hasCourse: false)

    let replayed = transcript.held(with: fixture)

    #expect(replayed == transcript.text)
    #expect(fixture.browser.isFinished)
  }

  @Test func `the transcript contains no control or box-drawing characters`() throws {
    let text = try Transcript(named: "main-job.txt").text

    let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) }
    let boxes = text.unicodeScalars.filter { (0x2500...0x25FF).contains($0.value) }
    #expect(controls.isEmpty)
    #expect(boxes.isEmpty)
  }
}
