import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationService

/// `waymark history at TIME`.
struct HistoryAtCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at",
    abstract: "Say where you were at a moment.",
    discussion: Example.text("waymark history at 'yesterday 21:00'"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var zone: ZoneOptions
  @Argument(help: "A time: 2026-11-20T10:15, 10:15, yesterday, 2h.") var time: String

  func run() throws {
    let service = try global.history(in: zone)
    // Of a stretch such as a day, its end: by then all of it has happened.
    let moment = min(try HistoryTime(time, in: service.timeZone).end, Timestamp(date: Date()))
    let past = try service.place(at: moment, of: global.scope)
    let when = LocalTime.text(past.at, in: service.timeZone)
    let table =
      if let stack = past.stack {
        "At \(when), \(past.learner) was at:\n  " + stack.map(\.title).joined(separator: " › ") + "\n"
      } else {
        "At \(when), \(past.learner) had not been anywhere yet.\n"
      }
    try Printing.value(past, fields: Fields.pastPlace, table: table.harmlessLines, as: output.format)
  }
}
