import CourseKit
import Foundation
import LearningModel
import NavigationKit
import TestSupport
import Snapshots
import Testing
import TextCanvas

@testable import LinearBrowser

struct LinearBrowserTests {
  @Test(arguments: [
    (LinearReason.flag, "asked for by --linear"), (.environment, "asked for by WAYMARK_LINEAR"),
    (.settings, "asked for by the settings file"),
    (.dumbTerminal, "because TERM names a terminal that cannot show a full screen"),
  ])
  func `the first line names the reason for linear mode`(_ reason: LinearReason, _ text: String) throws {
    let first = try LinearFixture(reason: reason).beginning.joined(separator: " ")

    #expect(
      first.hasPrefix("Waymark, linear mode (\(text)). Type a number or a command, or ? for help. List: Courses."))
  }

  @Test func `a new session continues at the place where the last one ended`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    fixture.type("")
    fixture.type("quit")
    fixture.browser.close()

    let again = LinearBrowser(navigation: fixture.navigation, library: fixture.library, reason: .flag)
    let lines = try again.begin()

    #expect(
      lines[2...4] == [
        "Activity: Who speaks first? Continued where you stopped, 5 minutes left.",
        "Heading: How to ask for their number.",
        "Table, 3 rows: Tone, What you could say, Risk.",
      ])
  }

  @Test func `steps are recorded with their causes`() throws {
    let fixture = try LinearFixture()
    for line in ["1", "neg", "mark", "up", "marks", "1", "find anchors and ranges", "1", "up", "2", "again"] {
      fixture.type(line)
    }
    while fixture.type("").last?.hasPrefix("End of the text") != true {}
    fixture.type("link 1")

    let rows = try fixture.navigation.history.page().rows.reversed()
    #expect(
      rows.map { "\($0.operation.rawValue) \($0.cause.rawValue)" } == [
        "resume system", "push key", "push key", "pop key", "open bookmark", "open search", "pop key", "push key",
        "open link",
      ])
    #expect(try fixture.navigation.history.sessions().map(\.name) == ["browser"])
  }

  @Test func `a text is done once its portions were on screen long enough`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/negotiating/opening-offers/read-the-brief")
    repeat { fixture.wait(seconds: 60) } while fixture.type("").last?.hasPrefix("End of the text") != true

    let answer = fixture.type("where")
    fixture.wait(seconds: 60)
    let later = fixture.type("where")

    #expect(answer[0].hasPrefix("Courses,"))
    #expect(later[0] == "Done. 1 of 4 done in Opening offers.")
  }

  @Test func `a text marked as not done is not marked as done automatically`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/negotiating/opening-offers/read-the-brief")
    while fixture.type("").last?.hasPrefix("End of the text") != true {}

    let answers = [fixture.type("done"), fixture.type("not done")]
    fixture.wait(seconds: 60)

    #expect(answers == [["Done. 1 of 4 done in Opening offers."], ["Not done. 0 of 4 done in Opening offers."]])
    #expect(fixture.type("done") == ["Done. 1 of 4 done in Opening offers."])
    #expect(fixture.type("x") == ["This activity is already done."])
  }

  @Test func `if several titles begin with the typed text, they are listed as choices`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/writing")

    #expect(fixture.type("e")[0] == "Opened. Lesson: Emails that get answers. Lesson 1 of 4 in Writing. 0 of 4 done.")
    fixture.type("courses")
    fixture.type("1")
    fixture.type("presenting")
    #expect(
      fixture.type("open s") == ["2 items begin with this text: 2. Speaking. 3. Slides and numbers."])
    #expect(fixture.type("5") == ["There is no item 5 here. Type a number from 1 to 4."])
    #expect(
      fixture.type("speakng") == [
        "Nothing here is called 'speakng'. Did you mean 'Speaking'? Type ? for the",
        "commands, or find speakng to search all courses.",
      ])
  }

  @Test func `in a list, a word that is a command only in activities selects a title`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/writing")

    #expect(fixture.type("t")[0] == "Opened. Lesson: Tone. Lesson 2 of 4 in Writing. 0 of 3 done.")
  }

  @Test func `a path opens any place, and an unknown path is explained`() throws {
    let fixture = try LinearFixture()

    let opened = fixture.type("english-for-business/writing/tone")
    let refused = fixture.type("open english-for-business/wrting")

    #expect(opened[0] == "Opened. Lesson: Tone. Lesson 2 of 4 in Writing. 0 of 3 done.")
    #expect(
      refused == [
        "Could not find 'english-for-business/wrting': no place has this path. Did you",
        "mean 'english-for-business/writing'?",
      ])
  }

  @Test func `a query that is too long is rejected with the limit`() throws {
    let fixture = try LinearFixture()

    let answer = fixture.type("find " + String(repeating: "anchor ", count: 200))

    #expect(
      answer.joined(separator: " ")
        == "Could not search: the query has 1399 characters, and a query has at most 500. "
        + "Shorten it to the words that matter.")
  }

  @Test func `a search result opens at the matching portion, which counts towards reading progress`() throws {
    let fixture = try LinearFixture(opening: "english-for-business")
    let path = PlaceName.text("english-for-business/negotiating/opening-offers/who-speaks-first")
    let place = try fixture.navigation.places.named(path).place
    func block() throws -> Int? { try fixture.navigation.progress.readingPosition(in: place)?.block }

    fixture.type("find invitation to bargain")
    let portion = fixture.type("1")
    let afterSearch = try block()
    fixture.type("")
    let afterReading = try fixture.navigation.progress.readingPosition(in: place)

    expectSnapshot(portion.prefix(6))
    #expect(afterSearch == nil)
    // The portion was printed for a second and is left with Enter.
    #expect(afterReading.map { ($0.fraction * 1000).rounded() } == 205)
  }

  @Test func `opening a search result at the end of a text does not complete the text`() throws {
    let fixture = try LinearFixture(opening: "english-for-business")
    let path = PlaceName.text("english-for-business/negotiating/opening-offers/who-speaks-first")
    fixture.type("find given away four thousand euros")
    let portion = fixture.type("1")
    fixture.wait(seconds: 60)
    let next = fixture.type("")

    #expect(portion.contains("Heading: When the other side waits."))
    #expect(portion.last == "End of the text. Enter: continue with Anchors and ranges.")
    #expect(next.first == "Next. Activity: Anchors and ranges. Activity 3 of 4 in Opening offers.")
    #expect(try fixture.navigation.places.summary(of: path).state != .done)
    let position = try fixture.navigation.progress.readingPosition(in: fixture.navigation.places.named(path).place)
    #expect(
      position.map { [Double($0.block), ($0.fraction * 100).rounded()] } == [0, 27], "the reading position is unchanged"
    )
  }

  @Test func `the command “up” closes the search results without recording a step`() throws {
    let fixture = try LinearFixture(opening: "english-for-business")
    fixture.type("find anchor")

    let parent = fixture.type("up")

    #expect(parent[0] == "Course: English for Business. 0 of 52 done.")
    #expect(try fixture.navigation.history.page().rows.count == 2)
  }

  @Test func `the commands “go on” and “where” skip activities that are done`() throws {
    let lesson = "english-for-business/negotiating/counter-offers"
    let fixture = try LinearFixture()
    for title in ["if-you-then-we", "the-number-comes-back"] {
      fixture.type("open \(lesson)/\(title)")
      fixture.type("done")
    }
    fixture.type("open \(lesson)/if-you-then-we")

    let place = fixture.type("where")
    let opened = fixture.type("go on")

    #expect(place.last == "continue: Dropping anchor too early. Reading, 6 minutes, not begun.")
    #expect(opened.first?.hasPrefix("Opened. Activity: Dropping anchor too early.") == true)
    #expect(try fixture.navigation.resume().firstUnfinished?.title == "Dropping anchor too early")
  }

  @Test func `after the last activity, the command “go on” prints that the course has ended`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    try FileManager.default.createDirectory(atPath: fixture.folder.file("lab"), withIntermediateDirectories: true)
    try fixture.folder.write(Data("# One\n\nWords to read.\n".utf8), to: "lab/1-one.md")
    _ = try fixture.library.importCourse(from: fixture.folder.file("lab"))
    fixture.type("go on")
    fixture.type("done")

    #expect(fixture.type("go on").first == "End of Lab.")
  }

  @Test func `in the list of courses, the command “next” reports that there are no siblings`() throws {
    #expect(try LinearFixture().type("next") == ["This is the list of courses: there is no next or previous place."])
  }

  @Test func `an import that removes most of a course prints a warning and proceeds only after a yes`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    for (name, goals) in [("full", 1...6), ("small", 1...1)] {
      let children = goals.map { #"{"key": "g\#($0)", "title": "Goal \#($0)"}"# }.joined(separator: ",")
      let course = #"{"waymark": 1, "course": {"key": "x", "title": "X", "children": [\#(children)]}}"#
      try fixture.folder.write(Data(course.utf8), to: name + ".json")
    }
    for line in ["import \(fixture.folder.file("full.json"))", "yes"] { fixture.type(line) }

    let confirmation = fixture.type("import \(fixture.folder.file("small.json"))")
    let refused = fixture.type("no")
    let before = try fixture.navigation.places.page(of: .text("x")).children.count
    fixture.type("import \(fixture.folder.file("small.json"))")
    let replaced = fixture.type("yes")

    #expect(
      confirmation == [
        "Import: X. 1 goal, 0 lessons, 0 activities.", "This import changes your course: 5 removed.",
        "Replacing would remove 5 of the 7 places of “X”.",
        "Type yes to replace it. Anything else cancels.",
      ])
    #expect(refused == ["Not imported."] && before == 6)
    #expect(replaced.first == "Imported:")
    #expect(try fixture.navigation.places.page(of: .text("x")).children.count == 1)
  }

  @Test func `in the middle of the cards, the command “again” restarts the round`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/negotiating/opening-offers/anchors-and-ranges")
    for line in ["", "known", "", "not known"] { fixture.type(line) }

    #expect(fixture.type("again").first?.hasPrefix("Card 1 of 12: ") == true)
  }

  @Test func `an import without a yes changes nothing`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    try fixture.folder.write(Data(#"{"waymark": 1, "course": {"key": "x", "title": "X"}}"#.utf8), to: "x.json")

    fixture.type("import \"\(fixture.folder.file("x.json"))\"")
    let answer = fixture.type("no")

    #expect(answer == ["Not imported."])
    #expect(fixture.type("yes") == ["There is nothing to answer here."])
    #expect(try fixture.library.courses().isEmpty)
  }

  @Test func `a failed import prints the reason`() throws {
    let fixture = try LinearFixture(hasCourse: false)

    let answer = fixture.type("import /nowhere/course").joined(separator: " ")

    #expect(answer.hasPrefix("Could not import '/nowhere/course'"))
  }

  @Test func `long lists are printed in portions with continuous numbers`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    let goals = (1...45).map { #"{"key": "g\#($0)", "title": "Goal \#($0)"}"# }.joined(separator: ",")
    let course = #"{"waymark": 1, "course": {"key": "long", "title": "Long", "children": [\#(goals)]}}"#
    try fixture.folder.write(Data(course.utf8), to: "long.json")
    _ = try fixture.library.importCourse(from: fixture.folder.file("long.json"))

    let first = fixture.type("open long")
    let second = fixture.type("")
    let third = fixture.type("more")

    #expect(Array(first.suffix(2)) == ["20. Goal 20. Empty.", "Enter or more: show items 21 to 45."])
    #expect(second.first == "21. Goal 21. Empty.")
    #expect(third.first == "41. Goal 41. Empty.")
    #expect(fixture.type("") == ["End of the list. Type a number, or continue."])
    #expect(fixture.type("45")[0] == "Opened. Goal: Goal 45. Goal 45 of 45 in Long.")
  }

  @Test func `a solution is printed on request, or at once if a search found it`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    let page =
      "# Bees\n\nHow many legs?\n\n<details><summary>Solution</summary>\n\nSix of them.\n\n</details>\n\nNext.\n"
    try fixture.folder.write(Data(page.utf8), to: "bees.md")
    for line in ["import \(fixture.folder.file("bees.md"))", "yes", "1"] { fixture.type(line) }

    // A folder with a single page is skipped.
    let closed = fixture.type("1")
    let links = fixture.type("links")
    let opened = fixture.type("1")
    fixture.type("find six")
    let portion = fixture.type("1")

    #expect(closed.contains("Solution. It is closed: link 1 opens it."))
    #expect(!closed.contains("Six of them."))
    #expect(links == ["Done. 1 of 1 done in Bees.", "Link 1: Solution."])
    #expect(opened.suffix(3) == ["Solution.", "Six of them.", "End of: Solution."])
    #expect(portion.contains("Six of them."))
  }

  @Test func `control characters of authors and learners are not printed`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    let evil = "\\u001b]0;owned\\u0007 \\u009b2J \\u202egnp.exe"
    let course = """
      {"waymark": 1, "course": {"key": "evil", "title": "E\(evil)", "children": [{"key": "g", "title": "G", "children": [
      {"key": "l", "title": "L", "children": [{"key": "a", "title": "A\(evil)", "reading": ["\(evil)",
      {"code": "\(evil)", "language": "\(evil)"}, {"link": "https://x\(evil)", "text": "\(evil)"}]}]}]}]}}
      """
    try fixture.folder.write(Data(course.utf8), to: "evil.json")
    let typed = "\u{1B}[2J\u{9B}1m\u{202E}"

    var output: [String] = []
    for line in [
      "import \(fixture.folder.file("evil.json"))", "yes", "1", "1", "1", "1", "links", typed, "find owned",
      "open \(typed)", "where", "marks", "history",
    ] {
      output += fixture.type(line)
    }

    let unexpected = output.joined().unicodeScalars.filter {
      $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || (0x202A...0x202E).contains($0.value)
    }
    #expect(unexpected.isEmpty)
    #expect(output.joined().contains("owned"))
  }

  @Test func `steps of earlier days are listed with their day, or their date`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/negotiating")
    fixture.type("1")
    fixture.wait(seconds: 400 * 86_400)
    fixture.type("up")
    fixture.wait(seconds: 86_400)
    fixture.type("2")

    let lines = fixture.type("history").map { $0.replacing(/\d\d:\d\d/, with: "TIME") }

    #expect(lines.contains { $0.contains("Opening offers. Lesson, opened at TIME") }, "\(lines)")
    #expect(lines.contains { $0.contains("Negotiating. Goal, up yesterday at TIME") }, "\(lines)")
    #expect(lines.contains { $0.contains("Preparing. Lesson, opened on 20 November 2026") }, "\(lines)")
  }

  @Test(arguments: [20, 40, 132])
  func `no line is wider than the terminal`(_ width: Int) throws {
    let fixture = try LinearFixture(opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    fixture.browser.width = width

    var output: [String] = []
    for line in ["again", "", "?", "find anchor", "history"] { output += fixture.type(line) }

    #expect(output.allSatisfy { $0.displayWidth <= width })
  }

  @Test func `all cards are turned, and the command “again” repeats the unknown ones`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/negotiating/opening-offers/anchors-and-ranges")
    #expect(fixture.type("known") == ["Turn the card first: turn, or an empty line."])

    for card in 1...11 {
      fixture.type("")
      fixture.type(card == 4 ? "no" : "k")
    }
    fixture.type("turn")
    let end = fixture.type("yes")
    let again = fixture.type("again")

    #expect(
      end == [
        "Known.", "Done. 1 of 4 done in Opening offers.", "That was the last card. You knew 11 of 12.",
        "retry: the wrong one. Enter: continue with Make the first offer.",
      ])
    #expect(again == ["Card 1 of 1: a bracketing offer."])
    #expect(try fixture.navigation.progress.gradedCards(at: fixture.navigation.currentPlace().place).count == 12)
  }

  @Test func `a link activity prints its address and is done only by command`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/meetings/across-borders/what-time-is-it-there")
    fixture.wait(seconds: 600)

    #expect(
      fixture.beginning.suffix(3) == [
        "Address: https://en.wikipedia.org/wiki/Time_zone",
        "Open it in your web browser. Type done when you have visited it.",
        "End of the text. Enter: continue with The last five minutes.",
      ])
    #expect(fixture.type("done") == ["Done. 1 of 3 done in Across borders."])
  }

  @Test func `a quiz prints the result of the last attempt`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/negotiating/opening-offers/make-the-first-offer")
    #expect(fixture.type("") == ["First type the number of your answer."])
    #expect(fixture.type("1 2") == ["Type one number from 1 to 4."])

    for answer in ["1", "3", "4 1", "3", "1"] { for line in [answer, "", ""] { fixture.type(line) } }

    #expect(try fixture.navigation.currentPlace().title == "Dropping anchor too early")
    let again = fixture.type("previous")
    #expect(again[1...2].joined(separator: " ").contains("Last attempt, today: 4 of 5 right."))
  }

  @Test func `an unfinished quiz and deck print their progress`() throws {
    let lesson = "english-for-business/negotiating/opening-offers"
    let fixture = try LinearFixture(opening: .text(lesson + "/make-the-first-offer"))
    for line in ["1", "", "", "2", "", "up", "anchors", "", "known", "", "not known", "up"] { fixture.type(line) }

    expectSnapshot(fixture.type("list").dropFirst(2))
  }

  @Test func `an unfinished quiz continues with the chosen answers`() throws {
    let quiz = "english-for-business/negotiating/opening-offers/make-the-first-offer"
    let fixture = try LinearFixture(opening: .text(quiz))
    for line in ["2", "", "", "3"] { fixture.type(line) }
    fixture.type("up")

    let again = fixture.type("4")

    #expect(again.contains("Continued where you stopped. retry: start again."))
    #expect(again.contains { $0.hasPrefix("Question 2 of 5: ") })
    #expect(
      again.joined(separator: " ").hasSuffix(
        "Selected: 3. 46,000, with the ninety-minute promise as the reason. Enter: check it."))
    fixture.type("")
    fixture.type("up")
    // The explanation of a checked question was printed before.
    #expect(fixture.type("4").contains { $0.hasPrefix("Question 3 of 5: ") })
    fixture.type("again")
    fixture.type("up")
    #expect(fixture.type("4").contains { $0.hasPrefix("Question 1 of 5: ") })
  }

  @Test func `the end of the input ends the session`() throws {
    let fixture = try LinearFixture()
    fixture.browser.close()
    let browser = LinearBrowser(navigation: fixture.navigation, library: fixture.library, reason: .flag)
    var lines = ["1", "2"]
    var output = ""

    try browser.run(
      columns: { 60 }, echoes: true, reading: { lines.isEmpty ? nil : lines.removeFirst() }, writing: { output += $0 })

    #expect(output.contains("\n> 1\nOpened. Course: English for Business. 0 of 52 done.\nGoals:\n"))
    #expect(output.hasSuffix("\n> \n"))
    #expect(try fixture.navigation.history.sessions().allSatisfy { $0.endedAt != nil })
  }
}
