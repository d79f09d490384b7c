import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct MouseTests {
  private func click(_ fixture: BrowserFixture, _ column: Int, _ row: Int, at time: Double) {
    fixture.mouse(.press(.left), column, row, at: time)
    fixture.mouse(.release(.left), column, row, at: time)
  }

  @Test func `a click on a breadcrumb navigates to that ancestor`() throws {
    let path: PlaceName = "english-for-business/negotiating/opening-offers/who-speaks-first"
    for (column, title) in [(3, "Courses"), (20, "Negotiating"), (35, "Opening offers")] {
      let fixture = try BrowserFixture(opening: path)
      #expect(fixture.screen(at: 0)[0].hasPrefix("   Courses › … › Negotiating › Opening offers"))
      click(fixture, column, 0, at: 1)

      #expect(try fixture.lastStep.to.title == title)
      let step = try fixture.lastStep
      #expect(step.operation == .popTo && step.cause == .mouse)
    }
    let between = try BrowserFixture(opening: path)
    click(between, 13, 0, at: 1)
    #expect(between.screen(at: 2)[2].hasPrefix("   Who speaks first?"))
  }

  @Test func `the next step, the keys and the tabs can be clicked`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    click(fixture, 12, 23, at: 1)
    #expect(fixture.screen(at: 2)[2].hasPrefix("   English for Business"))
    #expect(try fixture.lastStep.cause == .mouse)

    click(fixture, 10, 22, at: 3)
    #expect(fixture.screen(at: 4)[2].hasPrefix("   Why are we here?"))
    #expect(try fixture.lastStep.cause == .mouse)

    click(fixture, 65, 23, at: 5)
    #expect(fixture.screen(at: 6)[2].hasPrefix("   History"))
    click(fixture, 45, 23, at: 7)
    #expect(fixture.screen(at: 8)[2].hasPrefix("   Why are we here?"))
  }

  @Test func `a click on the row below the courses opens the form for adding a course`() throws {
    let fixture = try BrowserFixture()
    #expect(fixture.screen(at: 0)[10].hasPrefix("   + Add a course: a folder, a book, an archive"))
    click(fixture, 10, 10, at: 1)

    #expect(fixture.browser.overlay is AddCourseScreen)
  }

  @Test func `the back and forward buttons of the mouse navigate back and forward`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    fixture.press(.enter, at: 1)
    fixture.mouse(.press(.back), 40, 10, at: 2)
    #expect(fixture.screen(at: 3)[2].hasPrefix("   English for Business"))
    fixture.mouse(.press(.forward), 40, 10, at: 4)

    #expect(fixture.screen(at: 5)[2].hasPrefix("   Meetings"))
    #expect(try fixture.lastStep.cause == .mouse)
  }

  @Test func `a click outside an overlay only closes the overlay`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    let before = fixture.screen(at: 0)
    fixture.press(":", at: 1)
    _ = fixture.screen(at: 2)
    click(fixture, 20, 7, at: 3)

    #expect(fixture.screen(at: 4) == before)
  }
}
