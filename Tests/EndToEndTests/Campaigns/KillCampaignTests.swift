import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Programs are killed at random moments; nothing that was answered is lost, and nothing is half done.
///
/// Where each was is told by whether it held SQLite's write lock when it was stopped and by what the database then has.
struct KillCampaignTests {
  /// In every second home a browser lives on beside those that are killed. Where nobody does, the next start is the
  /// first to open the database again, and has to recover it.
  static let homes = Array(1...Tier.count(2, long: 20)).map(UInt64.init)
  static let kills = Tier.count(15, long: 50)

  @Test(arguments: homes)
  func `whenever a program is killed, what it answered stays and what it began is gone`(seed: UInt64) throws {
    let campaign = try KillCampaign(seed: seed)
    let living = seed.isMultiple(of: 2) ? try campaign.browser(of: "dora") : nil
    try living?.waitFor("Goal 2")

    for _ in 0..<Self.kills {
      try campaign.round()
      if let living {
        try living.waitUntilQuiet(for: 0.01)
        try campaign.expectAlive("dora")
      }
    }

    #expect(campaign.tally.total == Self.kills)
    try campaign.finishImport()
    if let living {
      living.type("q")
      #expect(try living.waitForExit() == .exited(0))
    }
    try campaign.expectOrder("the end")
    let folder = campaign.home.database.deletingLastPathComponent().path
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix("-sessions") }
    #expect(left.sorted() == ["waymark.sqlite"], "whoever comes last tidies up")
    print("Killed in home \(seed): \(campaign.tally)")
  }
}
