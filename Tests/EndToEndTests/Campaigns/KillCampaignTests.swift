import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Kills programs at random times. Acknowledged changes must persist, and no change may be partial.
///
/// The tally classifies each kill by whether the process held SQLite's write lock and by the database's content
/// afterwards.
struct KillCampaignTests {
  /// The seeds of the homes. In every second home, a browser keeps running, so the database stays open. In the other
  /// homes, the next program has to recover the database.
  static let homes = Array(1...Tier.count(2, long: 20)).map(UInt64.init)
  static let kills = Tier.count(15, long: 50)

  @Test(arguments: homes)
  func `after a kill, acknowledged changes are complete and no other change is partly stored`(seed: UInt64) throws {
    let campaign = try KillCampaign(seed: seed)
    let openBrowser = seed.isMultiple(of: 2) ? try campaign.browser(of: "dora") : nil
    try openBrowser?.waitFor("Goal 2")

    for _ in 0..<Self.kills {
      try campaign.round()
      if let openBrowser {
        try openBrowser.waitUntilQuiet(for: 0.01)
        try campaign.expectAlive("dora")
      }
    }

    #expect(campaign.tally.total == Self.kills)
    try campaign.finishImport()
    if let openBrowser {
      openBrowser.type("q")
      #expect(try openBrowser.waitForExit() == .exited(0))
    }
    try campaign.expectOrder("the end")
    let folder = campaign.home.database.deletingLastPathComponent().path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix("-sessions") }
    #expect(files.sorted() == ["waymark.sqlite"], "the last program removes the other files")
    print("Killed in home \(seed): \(campaign.tally)")
  }
}
