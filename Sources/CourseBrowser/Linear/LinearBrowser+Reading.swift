import CourseLibrary
import LearningModel
import NavigationService

extension LinearBrowser {
  /// How long the end of a text must have been there before it counts as read, in milliseconds. As on the full screen.
  static let endTime = 2000

  func beginReading(
    _ blocks: [Block], address: String?, of page: Page, title: String, head: String
  ) throws {
    let past = try navigation.readingPosition(in: page.place.place).flatMap { position in
      position.fraction > 0 && !(position.fraction >= 1 && page.card.state == .done) ? position : nil
    }
    let left = page.card.minutesLeft > 0 ? ", \(SpokenWords.about(minutes: page.card.minutesLeft)) left" : ""
    var reading = LinearReading(blocks, from: past, isOpen: lookedFor != nil)
    if let portion = try portionLookedFor(in: reading), portion != reading.next {
      say("\(head) From what you looked for; again: from the beginning.")
      say(reading.lookUp(portion))
      activity = .reading(reading, address: address)
      if reading.isAtEnd {
        say("End of the text." + (page.next.map { " Enter: on to \(SpokenWords.ended($0.title))" } ?? ""))
      }
    } else {
      say(past == nil ? head : "\(title) From where you stopped\(left).")
      if blocks.isEmpty { say("There is nothing to read here.") }
      activity = .reading(reading, address: address)
      try readOn()
    }
    guard case .reading(let reading, _) = activity, !reading.isAtEnd else { return }
    let beside = [
      page.trail.last.map { " up: " + SpokenWords.ended($0.title) },
      page.next.map { " next: " + SpokenWords.ended($0.title) },
    ]
    say("Enter or more: read on." + beside.compactMap(\.self).joined())
  }

  /// The portion of a text in which its words are nearest together that it was found for; `nil` where it has none of them.
  private func portionLookedFor(in reading: LinearReading) throws -> Int? {
    guard let lookedFor else { return nil }
    let portions = reading.portions.map { $0.map(\.text).joined(separator: "\n") }
    let text = portions.joined(separator: "\n")
    let matches = try library.matches(of: lookedFor, in: text)
    let together = WordsTogether(matches, in: text)
    guard together.stops.indices.contains(together.nearest) else { return nil }
    let start = matches.places[together.stops[together.nearest].lowerBound].lowerBound
    var end = 0
    return portions.firstIndex { portion in
      end += portion.utf8.count + 1
      return start < end
    }
  }

  /// Reads a portion, and keeps how far the learner has come.
  func readOn() throws {
    guard case .reading(var reading, let address) = activity else { return }
    let lines = reading.readOn() ?? []
    if reading.isAtEnd { reading.endSaidAt = now }
    activity = .reading(reading, address: address)
    say(lines)
    try navigation.save(reading.position(at: now), in: navigation.currentPlace().place)
    if reading.isAtEnd { try sayEnd() }
  }

  private func sayEnd() throws {
    let page = try navigation.page()
    if case .reading(_, let address?) = activity {
      say("Address: \(address)")
      let visited = page.card.state == .done ? "" : " Type done when you were there."
      say("Open it in your web browser.\(visited)")
    }
    let next = page.next.map { "on to " + SpokenWords.ended($0.title) }
    if case .reading(_, nil) = activity, page.card.state != .done {
      say("End of the text. Enter: done" + (next.map { ", and " + $0 } ?? "."))
    } else {
      say("End of the text." + (next.map { " Enter: " + $0 } ?? ""))
    }
  }

  /// A text whose end has been there for a while is read, whatever is typed next.
  func countEnd() throws {
    guard case .reading(var reading, nil) = activity, let end = reading.endSaidAt,
      now.milliseconds - end.milliseconds >= Self.endTime
    else { return }
    reading.endSaidAt = nil
    activity = .reading(reading, address: nil)
    if try navigation.page().card.state != .done { try record(.seenToEnd) }
  }
}
