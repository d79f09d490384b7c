import GRDB
import LearningModel
import LearningStore
import NavigationKit
import Testing

struct NavigationErrorTests {
  static let errors: [(error: NavigationError, kind: FailureKind, words: String)] = [
    (
      .unknownPlace(name: "englsh", nearest: [PlacePath("english"), PlacePath("english-2")]), .notFound,
      "Could not find 'englsh': no place has this path. Did you mean 'english', 'english-2'?"
    ),
    (
      .unknownPlace(name: "x", nearest: []), .notFound,
      "Could not find 'x': no place has this path."
    ),
    (
      .removedPlace(title: "Opening", nearest: .root), .refused,
      "Could not open 'Opening': it is no longer in the course. The nearest remaining place is '/' (Courses)."
    ),
    (
      .notAChild(place: PlacePath("a/b"), of: PlacePath("c")), .refused,
      "Could not push 'a/b': it is not a child of 'c'. Use open to go anywhere, or push one of the places listed there."
    ),
    (
      .notOnStack(place: PlacePath("a"), current: PlacePath("c/d")), .refused,
      "Could not pop to 'a': it is not above 'c/d'. Use open to go anywhere."
    ),
    (
      .notASibling(place: PlacePath("a"), of: PlacePath("c/d")), .refused,
      "Could not select 'a': it is not a sibling of 'c/d'. Use open to go anywhere."
    ),
    (
      .notAnActivity(place: PlacePath("a")), .refused,
      "Could not record anything in 'a': it is not an activity."
    ),
    (
      .notACourse(place: PlacePath("a/b"), course: PlacePath("a")), .refused,
      "Could not use review settings of 'a/b': a setting applies to a course or to all courses. Use 'a'."
    ),
    (
      .unknownCard(key: "k", place: PlacePath("a")), .notFound,
      "Could not find card 'k' in 'a': no card there has this key, or several have keys that begin with it."
    ),
    (
      .unknownTag(name: "verb"), .notFound,
      "Could not find cards with the tag 'verb': no card has this tag. Check its spelling."
    ),
    (
      .cardChanged, .refused,
      "Could not record the answer: the card was changed in another program after it was shown. It is shown again when it is due."
    ),
    (
      .notOwnCard(key: "k", place: PlacePath("a")), .refused,
      "Could not change card 'k' in 'a': it is part of the course. Change it in the source of the course, "
        + "for a card from Anki in Anki, and import the course again: the card keeps its schedule."
    ),
    (
      .cardText(problem: "the question is empty"), .refused,
      "Could not make the card: the question is empty. Change the text and try again."
    ),
    (
      .reviewSetting(name: "retention", value: "0.5", range: "0.7 to 0.99"), .invalidArgument,
      "Could not set retention to 0.5: the value must be from 0.7 to 0.99. Choose a value in this range."
    ),
    (
      .tooFewAnswers(count: 12, needed: 400, leftOut: [PlacePath("cards"), PlacePath("english-for-business")]),
      .refused,
      "Could not fit the weights: the log has 12 answers that can be used, and 400 are needed. Answer more cards "
        + "and try again later. Until then, the weights are unchanged. Courses with weights of their own are left out: "
        + "cards, english-for-business."
    ),
    (
      .tooFewAnswers(count: 400, needed: 400, leftOut: []), .refused,
      "Could not fit the weights: no card was answered again on a later day. Answer more cards "
        + "and try again later. Until then, the weights are unchanged."
    ),
    (
      .unknownLearner(name: "adda", nearest: ["ada"]), .notFound,
      "Could not find learner 'adda': there is no learner with this name. Did you mean 'ada'?"
    ),
    (
      .unknownLearner(name: "zoe", nearest: []), .notFound,
      "Could not find learner 'zoe': there is no learner with this name."
    ),
    (
      .unusableName(name: " "), .invalidArgument,
      "Could not use ' ' as a name: the name contains only spaces. Choose another name."
    ),
    (
      .unusableName(name: String(repeating: "a", count: 101)), .invalidArgument,
      "Could not use '\(String(repeating: "a", count: 101))' as a name: it has 101 characters, and a "
        + "name has at most 100. Choose another name."
    ),
    (
      .unknownFilterValue(filter: "since", value: "", known: []), .invalidArgument,
      "Could not filter by 'since:': this filter has no such value. Write one after the colon."
    ),
    (
      .openQuotation(text: "\"first offer"), .invalidArgument,
      "Could not search for '\"first offer': the quotation mark has no second one. Add it, or omit both."
    ),
    (
      .invalidToken, .refused,
      "Could not write to the database: the access token is not valid any more. Ask for a new token."
    ),
    (
      .similarName(name: "Ada", known: "ada"), .refused,
      "Could not add learner 'Ada': the name differs from that of learner 'ada' only in case, spaces or invisible "
        + "characters. Use 'ada', or choose a name with different letters."
    ),
    (
      .unknownSession(name: "7"), .notFound,
      "Could not find session '7': no session has this number or name."
    ),
    (
      .unknownTime(text: "soon"), .invalidArgument,
      "Could not read the time 'soon': the format is not supported. Use 2026-11-20, 2026-11-20T10:15, 10:15, "
        + "yesterday, 'tuesday 10:15', or a time before now such as 10m, 3h, 7d or 2w."
    ),
    (
      .unknownTimeZone(name: "Atlantis"), .invalidArgument,
      "Could not use the time zone 'Atlantis': there is no time zone with this name. Use a name such as Europe/Lisbon "
        + "or UTC."
    ),
    (
      .unreadableLearner(file: "a.json", problem: "it is not JSON"), .badData,
      "Could not import a learner from 'a.json': it is not JSON."
    ),
    (
      .learnerIsHere(name: "ada"), .tryAgain,
      "Could not erase data of learner 'ada': the learner's browser is open and would record new data. "
        + "Close it and try again."
    ),
    (
      .noSessionLock(path: "/a/b", reason: "permission denied"), .cannotCreate,
      "Could not begin a session at '/a/b': its lock file cannot be created (permission denied). Check that the folder "
        + "is writable."
    ),
    (
      .busy, .tryAgain,
      "Could not write to the database: another program is keeping it busy. Try again when it has finished."
    ),
    (
      .database(.anotherProgram(path: "/a/b")), .badData,
      "Could not open the database at '/a/b': it belongs to another program."
    ),
  ]

  @Test(
    arguments: [
      (.notAnActivity(place: PlacePath("a")), .listActivities(of: PlacePath("a"))),
      (.unknownCard(key: "k", place: PlacePath("a")), .listCards(of: PlacePath("a"))),
      (.tooFewAnswers(count: 1, needed: 2, leftOut: [PlacePath("a")]), .fitCourse),
      (.tooFewAnswers(count: 1, needed: 2, leftOut: []), nil),
      (.unknownPlace(name: "x", nearest: []), .listPlaces), (.unknownPlace(name: "x", nearest: [PlacePath("xy")]), nil),
      (.unknownLearner(name: "x", nearest: []), .listLearners), (.unknownLearner(name: "x", nearest: ["xy"]), nil),
      (.unknownSession(name: "x"), .listSessions), (.unreadableLearner(file: "x", problem: "y"), .chooseLearnerExport),
      (.database(.anotherProgram(path: "/a/b")), .chooseDatabase(orMoveAway: false)), (.busy, nil), (.noteTooLong, nil),
    ] as [(NavigationError, Remedy?)])
  func `an error has a separate remedy if its wording depends on the program`(
    error: NavigationError, remedy: Remedy?
  ) {
    #expect(error.remedy == remedy)
  }

  @Test(arguments: errors)
  func `an error's description has the cause and any advice that is the same in every program`(
    error: NavigationError, kind: FailureKind, description: String
  ) {
    #expect(error.description == description)
    #expect(error.kind == kind)
  }

  @Test func `database errors are reported with the service's own message`() throws {
    let fixture = try NavigationFixture()
    try fixture.write { try $0.execute(sql: "DROP TABLE placeTotal") }
    let service = try fixture.service()

    #expect {
      try service.places.page()
    } throws: { error in
      guard case NavigationError.database(let error) = error else { return false }
      return error.kind == .refused && error.description.contains("no such table: placeTotal")
    }
  }
}
