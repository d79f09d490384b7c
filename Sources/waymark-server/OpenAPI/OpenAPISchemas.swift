import Answers
import LearningModel
import NavigationKit

/// The schemas of requests and responses in the OpenAPI document.
enum OpenAPISchemas {
  /// The schemas by name.
  static let all: OutputValue = [
    "Problem": object(
      ["type": .text, "title": .text, "status": .whole, "detail": .text, "session": .text], optional: ["session"]),
    "PlaceReference": object(place),
    "Course": object(
      place + [
        "revision": .whole,
        "counts": .object(["course": .whole, "goal": .whole, "lesson": .whole, "activity": .whole]), "progress": .share,
      ]),
    "Place": object(
      place + [
        "depth": .about("The number of levels below the requested place; 0 for the place itself.", .whole),
        "position": .about("The index among the children of the parent, from 0.", .whole),
        "progress": .about("The share of the activities that are done.", .share),
      ]),
    "Hit": object(place + ["score": .number, "snippet": .text, "breadcrumb": .list(.text)]),
    "Bookmark": object(place + ["removed": .truth]),
    "Progress": object(
      place + [
        "done": .about("The number of done activities. An activity counts as one.", .whole),
        "total": .about("The number of activities.", .whole), "learner": .text,
      ]),
    "Learner": object(["name": .text]),
    "Step": object(step, optional: ["message"]),
    "StepTransition": object([
      "kind": .about(
        "A card that opens or closes, a page that slides to a sibling, or a page that fades into another.",
        .word(kinds)),
      "direction": .about(
        "down opens a card, up closes it, right follows the reading order, left reverses it.",
        .orNull(.word(directions))),
      "reason": .text, "node": .about("The path of the place whose card moves.", .orNull(.text)),
    ]),
    "Event": object(["id": .whole, "sequence": .whole, "at": .time]),
    "Whereabouts": object([
      "place": .named("PlaceReference"),
      "stack": .about("The paths from the list of courses, /, to the place.", .list(.text)),
      "pathTaken": .about("The paths of the last visits up to this place, oldest first, at most 100.", .list(.text)),
      "resume": .about("Where to continue.", .named("Resume")),
    ]),
    "Resume": object([
      "last": .about("The last place of the learner.", .orNull(.named("PlaceReference"))),
      "firstUnfinished": .about(
        "The activity to continue with; null if everything is done.", .orNull(.named("PlaceReference"))),
      "next": .about("The place after the last one in reading order.", .orNull(.named("PlaceReference"))),
      "reason": .about("The reason, as a sentence for the learner.", .text),
    ]),
    "HistoryRow": object(historyRow),
    "Statistics": [
      "type": "object",
      "description": "The group is a member with the name of 'by'. Its value is a place, a text, a date or a number.",
      "properties": [
        "visits": Shape.whole.value, "places": Shape.whole.value, "activeMs": Shape.whole.value,
        "turnedBack": Shape.share.value,
      ], "required": ["visits", "places", "activeMs", "turnedBack"],
    ],
    "WaitingReviews": object(
      place + [
        "today": .about("The cards to answer today, within the daily limits.", .whole),
        "steps": .about("The cards in a step of minutes.", .whole), "reviews": .whole, "new": .whole,
        "due": .about("All due cards, without the daily limits.", .whole),
        "notMet": .about("All new cards, without the daily limits.", .whole),
      ]),
    "NextCard": object(
      place + [
        "card": .text, "question": .text, "answer": .text, "choices": .list(.text), "phase": .word(phases),
        "due": .orNull(.text), "retrievability": .orNull(.share),
        "again": .about("The seconds until the card is asked again after this answer.", .whole), "hard": .whole,
        "good": .whole, "easy": .whole,
      ]),
    "CardRow": object(
      place + [
        "card": .text, "question": .text, "phase": .word(phases), "suspended": .truth, "leech": .truth,
        "due": .orNull(.text), "interval": .about("The last interval in days.", .whole),
        "stability": .orNull(.number), "difficulty": .orNull(.number), "retrievability": .orNull(.share),
        "answers": .whole, "lapses": .whole,
      ]),
    "ReviewPeriod": object([
      "period": .text, "answers": .whole, "new": .whole, "reviews": .whole, "retention": .orNull(.share),
      "durationMs": .whole,
    ]),
    "ForecastDay": object(["date": .text, "cards": .whole]),
    "ReviewLogRow": object(
      place + [
        "card": .text, "at": .time, "rating": .word(ratings), "intervalSeconds": .whole, "durationMs": .whole,
        "undone": .truth,
      ]),
    "ReviewSettings": object([
      "retention": .share, "newCards": .whole, "reviews": .whole, "hasFourAnswers": .truth,
    ]),
    "ReviewSettingsChange": object(
      [
        "place": .about("The path of a course (default: all courses).", .filled),
        "retention": .about("The probability of recall at which a card is due, 0.7 to 0.99.", .share),
        "newCards": .about("The maximum number of new cards per day.", .index),
        "reviews": .about("The maximum number of reviews per day.", .index),
        "hasFourAnswers": .about("Whether a card has four possible answers, in all courses.", .truth),
      ], optional: ["place", "retention", "newCards", "reviews", "hasFourAnswers"]),
    "CardAnswer": object(
      place + [
        "card": .text, "rating": .word(ratings), "intervalSeconds": .whole, "phase": .word(phases), "lapses": .whole,
        "leech": .truth, "event": .about("The UUID of the answer in the log.", .text),
      ]),
    "Undone": object(["undone": .truth]),
    "PlaceOfCards": object(["place": .about("The path of a place.", .filled)]),
    "CardsOfPlace": object(
      [
        "place": .about("The path of a place.", .filled),
        "card": .about("Only this card of the activity: its key, or its first characters.", .filled),
      ], optional: ["card"]),
    "ChangedCards": object(["cards": .about("The number of changed cards.", .whole)]),
    "ReviewFit": object([
      "applied": .about("Whether the new weights are used from now on.", .truth), "answers": .whole,
      "lossBefore": .about("The mean log loss of all predictions with the previous weights.", .number),
      "lossAfter": .number,
      "testLossBefore": .about("The mean log loss of the last fifth, which is not used for the fit.", .number),
      "testLossAfter": .number, "weights": .about("The new weights, w0 to w20.", .list(.number)),
    ]),
    "AnswerRequest": object(
      [
        "place": .about("The path of the activity with the card.", .filled),
        "card": .about("The key of the card, or its first characters.", .filled), "rating": .word(ratings),
        "seconds": .about("The time that the answer took.", .index),
      ], optional: ["seconds"]),
    "Page": object(
      [
        "key": .text, "title": .text, "minutes": .whole, "summary": .text,
        "reading": .about(
          "A text: a block or a list of them. A block is a string, which is a paragraph, or an object named by its first "
            + "member, such as p, h2, ul, ol, quote, code, table or math. A line of text is a string, or a list of "
            + "strings and of objects such as em, strong, code and link.", .any),
        "flashcards": .about("Cards, each with a line 'front' and a text 'back'.", .any),
        "quiz": .about(
          "Questions, each with a line 'question' and 'choices': objects whose one member, 'right' or 'wrong', is a line. "
            + "Clients can show at once whether an answer is correct; the server grades the answers itself.",
          .any), "link": .about("The URL of the link.", .any),
        "introduction": .about("A text before the cards or questions.", .any),
        "text": .about("A text about the link.", .any),
        "pass": .about("The share of correct answers that completes the quiz.", .number),
      ], optional: ["minutes", "summary", "reading", "flashcards", "quiz", "link", "introduction", "text", "pass"],
      isOpen: true),
    "Position": object([
      "block": .whole, "blockOffset": .share, "fraction": .share, "heading": .orNull(.text), "savedAt": .time,
    ]),
    "Erasure": object([
      "learner": .text, "sessions": .whole, "steps": .whole, "activities": .whole, "swept": .truth,
      "logCleared": .about("Whether the write-ahead log contains no erased data.", .truth),
      "copies": .list(.text), "untouchedCopies": .list(.object(["path": .text, "reason": .text])),
    ]),
    "LearnerFile": object(["format": .text, "version": .whole, "name": .text, "createdAt": .time], isOpen: true),
    "Picture": ["description": "A PNG, JPEG, WebP, GIF or SVG file."],
    "SyncMessage": [
      "type": "object", "minProperties": 2, "maxProperties": 2,
      "description": "The version and one other member: greet, compare, push, pull or names.",
      "properties": .object(
        [("version", ["type": "integer", "minimum": 1, "maximum": 1])]
          + ["greet", "compare", "push", "pull", "names"].map { ($0, ["type": "object"]) }),
      "required": ["version"], "additionalProperties": false,
    ],
    "SyncAnswer": ["type": "object", "minProperties": 1, "maxProperties": 1],
    "Document": object(["openapi": .text], isOpen: true),
    "Text": ["type": "string"],
    "Events": [
      "type": "string",
      "description": .text(
        "The event 'step' has a HistoryRow on one line as its data. "
          + "The event 'reset' means that too many steps were missed."),
    ],
    "StepRequest": object(
      [
        "operation": .about(
          "push goes to a child of the current place, select to a sibling, popTo to a place above, and open to any "
            + "place; these four require 'place'. pop goes to the parent, popToRoot to the list of courses, next and "
            + "previous follow the reading order, back and forward the visits, and resume goes to the last place of "
            + "the learner.",
          .word(operations)),
        "place": .about("A path. push, select and popTo also accept a slug.", .filled),
        "dryRun": .about("Whether to return what would happen, without navigating.", .truth),
      ], optional: ["place", "dryRun"]),
    "ActRequest": object(
      [
        "act": .about(
          "A text or link was read to its end, an activity was marked as done or not done, a quiz was answered "
            + "(requires 'answers'), or a card was turned (requires 'card' and 'known').",
          .word(ActivityEventRequest.allowedKinds.map(\.rawValue))),
        "place": .about("The path of the activity.", .filled),
        "answers": .about(
          "For each question in order, the numbers of all chosen answers, from 0.", .list(.list(.index))),
        "card": .about("The number of the card, from 0.", .index),
        "known": .about("Whether the learner knew the back of the card.", .truth),
      ], optional: ["answers", "card", "known"]),
    "PositionRequest": object(
      ["block": .index, "blockOffset": .share, "fraction": .share, "heading": .filled],
      optional: ["block", "blockOffset", "heading"]),
  ]

  private static let phases = CardPhase.allCases.map(\.rawValue)
  private static let ratings = CardRating.allCases.map(\.name)
  private static let operations = NavigationOperation.allCases.filter { $0 != .repair }.map(\.rawValue)
  private static let kinds = TransitionKind.allCases.map(\.rawValue)
  private static let directions = TransitionDirection.allCases.map(\.rawValue)

  /// A text from the history: one of the listed words, or a word of a later version that arrived by synchronisation.
  private static func logged(_ values: [String]) -> Shape {
    .about(values.joined(separator: ", ") + ", or a value of a later version.", .text)
  }

  fileprivate static var place: Members {
    ["path": .text, "kind": logged(PlaceKind.allCases.map(\.rawValue)), "title": .text]
  }

  fileprivate static var step: Members {
    [
      "operation": .word(operations), "performed": .truth, "traversal": .truth,
      "from": .orNull(.named("PlaceReference")),
      "to": .named("PlaceReference"), "transition": .orNull(.named("StepTransition")), "stack": .list(.text),
      "event": .orNull(.named("Event")), "message": .text,
    ]
  }

  fileprivate static var historyRow: Members {
    [
      "id": .whole, "uuid": .text, "learner": .text, "session": .whole, "sequence": .whole, "operation": .text,
      "traversal": .truth, "animated": .truth, "cause": .text,
      "transition": .orNull(
        .object([
          "kind": logged(kinds), "direction": .orNull(logged(directions)), "reason": .text,
          "node": .about("The path of the place whose card moves.", .orNull(.text)),
        ])),
      "from": .orNull(.named("PlaceReference")), "to": .named("PlaceReference"), "stack": .list(.text), "at": .time,
      "leftAt": .orNull(.time), "dwellMs": .orNull(.whole), "activeMs": .orNull(.whole),
    ]
  }

  // MARK: - Schemas

  fileprivate typealias Members = KeyValuePairs<String, Shape>

  fileprivate static func object(
    _ members: Members, optional: Set<String> = [], isOpen: Bool = false
  ) -> OutputValue {
    object(Array(members), optional: optional, isOpen: isOpen)
  }

  fileprivate static func object(
    _ members: [(key: String, value: Shape)], optional: Set<String> = [], isOpen: Bool = false
  ) -> OutputValue {
    [
      "type": "object", "properties": .object(members.map { ($0.key, $0.value.value) }),
      "required": .array(members.map(\.key).filter { !optional.contains($0) }.map { .text($0) }),
      "additionalProperties": .bool(isOpen),
    ]
  }

  /// The schema of a value.
  ///
  /// Source: JSON Schema 2020-12.
  fileprivate indirect enum Shape {
    case text, filled, time, whole, index, number, share, truth, any
    case word([String])
    case list(Shape)
    case object(Members)
    case named(String)
    case orNull(Shape)
    case about(String, Shape)

    /// The keywords of the schema.
    private var members: [(key: String, value: OutputValue)] {
      if case .object(let members) = value { members } else { [] }
    }

    var value: OutputValue {
      switch self {
      case .text: ["type": "string"]
      case .filled:
        [
          "type": "string", "minLength": 1, "maxLength": .integer(Int64(Parameter.maximumTextLength)),
          "pattern": .text(.visiblePattern),
        ]
      case .time: ["type": "string", "format": "date-time"]
      case .whole: ["type": "integer"]
      case .index:
        ["type": "integer", "minimum": 0, "maximum": 1_000_000_000]
      case .number: ["type": "number"]
      case .share: ["type": "number", "minimum": 0, "maximum": 1]
      case .truth: ["type": "boolean"]
      case .any: [:]
      case .word(let values): ["type": "string", "enum": .array(values.map { .text($0) })]
      case .list(let element): ["type": "array", "items": element.value]
      case .object(let members): OpenAPISchemas.object(members)
      case .named(let name): ["$ref": "#/components/schemas/\(name)"]
      case .orNull(let shape): ["anyOf": [shape.value, ["type": "null"]]]
      case .about(let description, let shape): .object([("description", .text(description))] + shape.members)
      }
    }
  }
}

extension KeyValuePairs {
  fileprivate static func + (left: Self, right: Self) -> [(key: Key, value: Value)] { Array(left) + Array(right) }
}
