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
        "depth": .about("How many levels below the place that was asked for; 0 for itself.", .whole),
        "position": .about("Its number among the children of the place above it, from 0.", .whole),
        "progress": .about("The share of its activities that the learner has done.", .share),
      ]),
    "Hit": object(place + ["score": .number, "snippet": .text, "breadcrumb": .list(.text)]),
    "Bookmark": object(place + ["removed": .truth]),
    "Progress": object(
      place + [
        "done": .about("Of the activities in it, or of itself where it is one, how many are done.", .whole),
        "total": .about("How many there are.", .whole), "learner": .text,
      ]),
    "Learner": object(["name": .text]),
    "Step": object(step, optional: ["message"]),
    "StepTransition": object([
      "kind": .about(
        "A card that opens into its page, or closes; a page that slides beside another; or one that fades into another.",
        .word(kinds)),
      "direction": .about(
        "down into a card, up out of it, right along the reading order, left against it.", .orNull(.word(directions))),
      "reason": .text, "node": .about("The place whose card it is.", .orNull(.text)),
    ]),
    "Event": object(["id": .whole, "sequence": .whole, "at": .time]),
    "Whereabouts": object([
      "place": .named("PlaceReference"),
      "stack": .about("The paths from the list of courses, /, down to the place.", .list(.text)),
      "pathTaken": .about("The paths of the last visits that led here, at most 100, in their order.", .list(.text)),
      "resume": .about("Where to go on.", .named("Resume")),
    ]),
    "Resume": object([
      "last": .about("Where the learner was last.", .orNull(.named("PlaceReference"))),
      "firstUnfinished": .about(
        "The activity to go on with; null if everything is done.", .orNull(.named("PlaceReference"))),
      "next": .about("What follows that place in reading order.", .orNull(.named("PlaceReference"))),
      "reason": .about("Why, in a sentence for the learner.", .text),
    ]),
    "HistoryRow": object(historyRow),
    "Statistics": [
      "type": "object",
      "description": "The group stands under its own name: a place, a word, a date or a number, as 'by' has asked for.",
      "properties": [
        "visits": Shape.whole.value, "places": Shape.whole.value, "activeMs": Shape.whole.value,
        "turnedBack": Shape.share.value,
      ], "required": ["visits", "places", "activeMs", "turnedBack"],
    ],
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
            + "What is right is told, so that a client can say so at once; what counts is what the server finds right.",
          .any), "link": .about("The address that the activity leads to.", .any),
        "introduction": .about("A text before the cards or questions.", .any),
        "text": .about("A text about the link.", .any),
        "pass": .about("The share of the questions that must be right for the quiz to be done.", .number),
      ], optional: ["minutes", "summary", "reading", "flashcards", "quiz", "link", "introduction", "text", "pass"],
      isOpen: true),
    "Position": object([
      "block": .whole, "blockOffset": .share, "fraction": .share, "heading": .orNull(.text), "savedAt": .time,
    ]),
    "Erasure": object([
      "learner": .text, "sessions": .whole, "steps": .whole, "activities": .whole, "swept": .truth,
      "logCleared": .about("Whether the write-ahead log holds nothing of what was erased.", .truth),
      "copies": .list(.text), "untouchedCopies": .list(.object(["path": .text, "reason": .text])),
    ]),
    "LearnerFile": object(["format": .text, "version": .whole, "name": .text, "createdAt": .time], isOpen: true),
    "Picture": ["description": "The file: PNG, JPEG, WebP, GIF or SVG."],
    "SyncMessage": [
      "type": "object", "minProperties": 2, "maxProperties": 2,
      "description": "The version, and one member more: greet, compare, push, pull or names.",
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
      "description":
        "Events 'step', whose data are a HistoryRow on one line; 'reset' where too much was missed to be told again.",
    ],
    "StepRequest": object(
      [
        "operation": .about(
          "push goes down to a child of the place where the session is, select to another child of the same parent, popTo "
            + "up to a place above, and open to any place: these four need 'place'. pop goes up, popToRoot to the list of "
            + "courses, next and previous along the reading order, back and forward along the visits, and resume to where "
            + "the learner was last.", .word(operations)),
        "place": .about("A path; for push and select the last part of one does.", .filled),
        "dryRun": .about("Only answers what would happen.", .truth),
      ], optional: ["place", "dryRun"]),
    "ActRequest": object(
      [
        "act": .about(
          "What a text's or a link's reader has seen to its end, what the learner calls done or not done, a quiz that was "
            + "answered ('answers'), a card that was turned over ('card' and 'known').",
          .word(ActRequest.known.map(\.rawValue))), "place": .about("The path of the activity.", .filled),
        "answers": .about(
          "For each question of the page, in its order, the numbers of the choices that were taken, from 0. Where several "
            + "are right, all of them.", .list(.list(.index))),
        "card": .about("The number of the card, from 0.", .index),
        "known": .about("Whether the learner knew what is on its back.", .truth),
      ], optional: ["answers", "card", "known"]),
    "PositionRequest": object(
      ["block": .index, "blockOffset": .share, "fraction": .share, "heading": .filled],
      optional: ["block", "blockOffset", "heading"]),
  ]

  private static let operations = NavigationOperation.allCases.filter { $0 != .repair }.map(\.rawValue)
  private static let kinds = TransitionKind.allCases.map(\.rawValue)
  private static let directions = TransitionDirection.allCases.map(\.rawValue)

  /// A text from the history: one of the listed words, or a word of a later version whose events were synchronised.
  private static func logged(_ words: [String]) -> Shape {
    .about(words.joined(separator: ", ") + ", or a word of a later version that has been here.", .text)
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
          "type": "string", "minLength": 1, "maxLength": .integer(Int64(Parameter.longestText)),
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
      case .word(let words): ["type": "string", "enum": .array(words.map { .text($0) })]
      case .list(let element): ["type": "array", "items": element.value]
      case .object(let members): OpenAPISchemas.object(members)
      case .named(let name): ["$ref": "#/components/schemas/\(name)"]
      case .orNull(let shape): ["anyOf": [shape.value, ["type": "null"]]]
      case .about(let words, let shape): .object([("description", .text(words))] + shape.members)
      }
    }
  }
}

extension KeyValuePairs {
  fileprivate static func + (left: Self, right: Self) -> [(key: Key, value: Value)] { Array(left) + Array(right) }
}
