import Foundation
import LearningModel
import Testing

@testable import NavigationKit
@testable import waymark

struct UnmergedSessionTests {
  @Test(arguments: [
    (
      LearnerImport.UnmergedSession(
        name: "shell", steps: 2, activities: 1, isForked: false, endsAt: Timestamp("2026-11-20T14:00:00Z")),
      "Could not import 2 steps and 1 activity event of session 'shell' from 'b.json': it is open in this database. "
        + "Repeat the import after 2026-11-20 14:00:00, if the session is not used until then."
    ),
    (
      .init(name: "browser", steps: 0, activities: 2, isForked: false, endsAt: nil),
      "Could not import 2 activity events of session 'browser' from 'b.json': a browser is using it. "
        + "Close the browser and repeat the import."
    ),
    (
      .init(name: "shell", steps: 1, activities: 0, isForked: true, endsAt: nil),
      "Could not import 1 step of session 'shell' from 'b.json': the session was continued in both databases. "
        + "Synchronise both databases with a server by 'waymark sync', which keeps both versions."
    ),
  ])
  func `the notice names the missing part and when to repeat the import`(
    session: LearnerImport.UnmergedSession, text: String
  ) {
    #expect(session.notice(file: "b.json", zone: .gmt) == text)
  }
}
