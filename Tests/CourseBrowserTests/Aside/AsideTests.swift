import CourseLibrary
import LearningModel
import NavigationService
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// What stands beside the page in a very wide terminal.
@MainActor @Suite struct AsideTests {
  private static let negotiating = "english-for-business/negotiating"

  /// The columns beside the page.
  private func beside(_ fixture: BrowserFixture, at time: Double) -> String {
    let metrics = PageMetrics(size: fixture.browser.size)
    var rows = fixture.screen(at: time).map { row in
      String(row.dropFirst(metrics.asideLeft)).withoutTrailingBlanks
    }
    while rows.last == "" { rows.removeLast() }
    return rows.joined(separator: "\n")
  }

  @Test func `beside a list stands what the chosen card would open, with what is in that`() throws {
    let fixture = try BrowserFixture(160, 30, opening: "english-for-business")
    fixture.press(.down, at: 1)

    #expect(
      fixture.text(at: 2) == """
           Courses                                                                          course 1 of 1      What would open

           English for Business                                                              0 of 52 done      Negotiating                               0 of 14 done
           Meet, negotiate, write and present with confidence.                                  about 5 h      Prepare, make the first offer, trade, a…  about 80 min
         ──────────────────────────────────────────────────────────────────────────────────────────────────    ──────────────────────────────────────────────────────

           Meetings                                                                               0 of 13      · Preparing                                     0 of 4
           Open, steer and close a meeting that people leave on time.                        about 75 min        · Three columns on one page                    5 min
         ╭────────────────────────────────────────────────────────────────────────────────────────────────╮      · Where do you stop?                           6 min
         │ Negotiating                                                                            0 of 14 │      · What do they want?                     5 questions
         │ Prepare, make the first offer, trade, and close.                                  about 80 min │      · Words for a first offer                   10 cards
         ╰────────────────────────────────────────────────────────────────────────────────────────────────╯
           Writing                                                                                0 of 12      · Opening offers                                0 of 4
           Messages that are read, answered and not misunderstood.                           about 60 min        · Read the brief                               5 min
                                                                                                                 · Who speaks first?                            6 min
           Presenting                                                                             0 of 13        · Anchors and ranges                        12 cards
           Stand up, say one thing, and be remembered for it.                                about 65 min        · Make the first offer                   5 questions

                                                                                                               · Counter-offers                                0 of 3
                                                                                                                 · Dropping anchor too early                    6 min
                                                                                                                 · If you, then we                           10 cards
                                                                                                                 · The number comes back                  5 questions

                                                                                                               · Closing the deal                              0 of 3
                                                                                                                 · Say it back                                  6 min
                                                                                                                 · Signed, or not?                        5 questions
                                                                                                                 · Getting to Yes                               5 min

           .  Begin with “Why are we here?”                                                reading, 6 min                 Ctrl-W chooses, a click on a row goes there
           ↵ open   ← up   / find   i info   m mark   ? help                  [1 Learn] 2 Find  3 History
        """)
  }

  @Test func `a choice that stays for a moment is looked into, and nothing before it does`() throws {
    let fixture = try BrowserFixture(160, 30, opening: "english-for-business")
    let first = beside(fixture, at: 1)
    fixture.press(.down, at: 2)
    fixture.press(.down, at: 2.01)
    #expect(beside(fixture, at: 2.03) == first)

    #expect(
      beside(fixture, at: 2.3) == """
        What would open

        Writing                                   0 of 12 done
        Messages that are read, answered and no…  about 60 min
        ──────────────────────────────────────────────────────

        · Emails that get answers                       0 of 4
          · The subject line does the work               5 min
          · Ask for one thing                            5 min
          · Openings and endings                      10 cards
          · Fix the email                          5 questions

        · Tone                                          0 of 3
          · How a full stop sounds                       5 min
          · Saying no on paper                           5 min
          · Softer, please                            10 cards

        · Plain English                                 0 of 3
          · Cut a third                                  6 min
          · False friends                                6 min
          · Politics and the English language            5 min

        · Reports and bad news                          0 of 2
          · The first page is the report                 5 min
          · Bad news, well written                 4 questions



                   Ctrl-W chooses, a click on a row goes there
        """)
  }

  @Test func `of a text it is the text, of cards and quizzes what is asked and nothing of the answers`() throws {
    let fixture = try BrowserFixture(150, 20, opening: .text(Self.negotiating + "/opening-offers"))
    let text = beside(fixture, at: 1)
    fixture.press(.down, at: 2)
    fixture.press(.down, at: 2.1)
    let cards = beside(fixture, at: 3)
    fixture.press(.down, at: 4)

    #expect(
      text == """
        What would open

        Read the brief
        Eleven hotels, thirty lifts, one bri…  5 min
        ────────────────────────────────────────────

        For this lesson and the next two you work at
        Kestrel Lifts, a firm of forty people that
        repairs and services lifts. On Thursday you
        meet Marta Oliveira, who buys for the
        Bellavista hotels. Read what your colleagues
        have found out; later nobody will give you
        time to look it up.




        ↓ more
        """)
    #expect(
      cards == """
        What would open

        Anchors and ranges
        Twelve cards on how a first number h…  7 min
        ────────────────────────────────────────────

         1  an anchor
         2  to anchor high
         3  a range
         4  a bracketing offer
         5  a precise number
         6  in the region of
         7  an extreme offer
         8  to justify a figure
         9  to re-anchor
        10  a flinch
        11  a benchmark
        12  to leave money on the table
        """)
    #expect(
      beside(fixture, at: 5) == """
        What would open

        Make the first offer
        Thursday, ten o'clock. Marta pours t…  7 min
        ────────────────────────────────────────────

        1  You know the market for lift service
           well. Marta smiles and says nothing about
           money. What do you do?
        2  Your aim is 42,000, and you stop at
           36,000. Which opening figure gives you
           the best start?
        3  Which sentences are firm and still leave
           the door open?
        4  You have said your figure. Marta looks
           out of the window for six seconds. What
           now?
        ↓ more
        """)
  }

  @Test func `beside an activity stands what it is one of, and where in it`() throws {
    let fixture = try BrowserFixture(160, 24, opening: .text(Self.negotiating + "/opening-offers/who-speaks-first"))

    #expect(
      beside(fixture, at: 1) == """
        Where you are

        Negotiating                               0 of 14 done
        Prepare, make the first offer, tra…  about 80 min left
        ──────────────────────────────────────────────────────

        · Preparing                                     0 of 4
        ◐ Opening offers                                0 of 4
          · Read the brief                               5 min
          ◐ Who speaks first?                     you are here
          · Anchors and ranges                        12 cards
          · Make the first offer                   5 questions

        · Counter-offers                                0 of 3
        · Closing the deal                              0 of 3







                   Ctrl-W chooses, a click on a row goes there
        """)
    fixture.press("n", at: 2)
    #expect(
      beside(fixture, at: 2.05) == """
        Where you are

        Negotiating                               0 of 14 done
        Prepare, make the first offer, tra…  about 80 min left
        ──────────────────────────────────────────────────────

        · Preparing                                     0 of 4
        ◐ Opening offers                                0 of 4
          · Read the brief                               5 min
          ◐ Who speaks first?                            6 min
          ◐ Anchors and ranges                    you are here
          · Make the first offer                   5 questions

        · Counter-offers                                0 of 3
        · Closing the deal                              0 of 3







                   Ctrl-W chooses, a click on a row goes there
        """, "it changes along with the page")
    #expect(
      beside(fixture, at: 3) == """
        Where you are

        Negotiating                               0 of 14 done
        Prepare, make the first offer, tra…  about 80 min left
        ──────────────────────────────────────────────────────

        · Preparing                                     0 of 4
        ◐ Opening offers                                0 of 4
          · Read the brief                               5 min
          ◐ Who speaks first?                            6 min
          ◐ Anchors and ranges                    you are here
          · Make the first offer                   5 questions

        · Counter-offers                                0 of 3
        · Closing the deal                              0 of 3







                   Ctrl-W chooses, a click on a row goes there
        """)
  }

  @Test func `in a terminal that is high too, what would be read stands beside a list, and below it what is around it`()
    throws
  {
    let fixture = try BrowserFixture(160, 44, opening: .text(Self.negotiating))
    fixture.press(.down, at: 1)

    #expect(
      fixture.text(at: 2) == """
           Courses › English for Business                                                     goal 2 of 4      What comes first there

           Negotiating                                                                       0 of 14 done      Read the brief
           Prepare, make the first offer, trade, and close.                                  about 80 min      Eleven hotels, thirty lifts, one bride. This i…  5 min
         ──────────────────────────────────────────────────────────────────────────────────────────────────    ──────────────────────────────────────────────────────

           Preparing                                                                               0 of 4      For this lesson and the next two you work at Kestrel
           What you want, what they want, and where you stop.                                about 20 min      Lifts, a firm of forty people that repairs and
         ╭────────────────────────────────────────────────────────────────────────────────────────────────╮    services lifts. On Thursday you meet Marta Oliveira,
         │ Opening offers                                                                          0 of 4 │    who buys for the Bellavista hotels. Read what your
         │ Who speaks first, how high, and how to say it.                                    about 25 min │    colleagues have found out; later nobody will give you
         ╰────────────────────────────────────────────────────────────────────────────────────────────────╯    time to look it up.
           Counter-offers                                                                          0 of 3
           Answering a number with a number, and with a reason.                              about 18 min      What Bellavista has

           Closing the deal                                                                        0 of 3      Eleven hotels on one coast, with thirty lifts. The
           Sum up, agree the next step, and stop talking.                                    about 17 min      oldest was built in 1962 and has a velvet bench in it.
                                                                                                               The present supplier, Vertigo Service, charges 34,000
                                                                                                               euros a year and answers the telephone on working
         ──────────────────────────────────────────────────────────────────────────────────────────────────    days.
           Opening offers                                     Ctrl-W chooses, a click on a row goes there
                                                                                                               Last June this went wrong. On a Saturday, between the
           · Read the brief                                                       reading           5 min      second floor and the third, the lift of the Bellavista
           · Who speaks first?                                                    reading           6 min      Grand stopped with a bride inside. It took nine hours
           · Anchors and ranges                                                   flashcards     12 cards      to get her out. The photographs are on the internet,
           · Make the first offer                                                 quiz        5 questions      and they are excellent photographs.

                                                                                                               What Kestrel offers

                                                                                                               •  Two engineers who live near the coast
                                                                                                               •  An answer by telephone at any hour, every day of
                                                                                                                  the year
                                                                                                               •  A free visit to each lift in spring, before the
                                                                                                                  guests arrive
                                                                                                               •  A promise in writing: a person at the door within
                                                                                                                  ninety minutes

                                                                                                               Our full price for this is 48,000 a year. Nobody at
                                                                                                               Kestrel can remember a customer who paid the full
                                                                                                               price, except one, and he owned the firm.

                                                                                                               ↓ more
           .  Begin with “Three columns on one page”                                       reading, 5 min
           ↵ open   ← up   n p goal   / find   i info   m mark   ? help       [1 Learn] 2 Find  3 History
        """)
    fixture.press(.enter, at: 3)
    #expect(
      fixture.text(at: 4) == """
           Courses › English for Business › Negotiating                                     lesson 2 of 4      What would open

           Opening offers                                                                     0 of 4 done      Read the brief
           Who speaks first, how high, and how to say it.                                    about 25 min      Eleven hotels, thirty lifts, one bride. This i…  5 min
         ──────────────────────────────────────────────────────────────────────────────────────────────────    ──────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────────────────────────────────────────────╮    For this lesson and the next two you work at Kestrel
         │ · Read the brief                                                       reading           5 min │    Lifts, a firm of forty people that repairs and
         │   Eleven hotels, thirty lifts, one bride. This is the case you will argue.                     │    services lifts. On Thursday you meet Marta Oliveira,
         ╰────────────────────────────────────────────────────────────────────────────────────────────────╯    who buys for the Bellavista hotels. Read what your
           · Who speaks first?                                                    reading           6 min      colleagues have found out; later nobody will give you
           · Anchors and ranges                                                   flashcards     12 cards      time to look it up.
           · Make the first offer                                                 quiz        5 questions
                                                                                                               What Bellavista has
         ──────────────────────────────────────────────────────────────────────────────────────────────────
           Negotiating                                        Ctrl-W chooses, a click on a row goes there      Eleven hotels on one coast, with thirty lifts. The
                                                                                                               oldest was built in 1962 and has a velvet bench in it.
           · Preparing                                                                             0 of 4      The present supplier, Vertigo Service, charges 34,000
           · Opening offers                                                                  you are here      euros a year and answers the telephone on working
           · Counter-offers                                                                        0 of 3      days.
           · Closing the deal                                                                      0 of 3
                                                                                                               Last June this went wrong. On a Saturday, between the
                                                                                                               second floor and the third, the lift of the Bellavista
                                                                                                               Grand stopped with a bride inside. It took nine hours
                                                                                                               to get her out. The photographs are on the internet,
                                                                                                               and they are excellent photographs.

                                                                                                               What Kestrel offers

                                                                                                               •  Two engineers who live near the coast
                                                                                                               •  An answer by telephone at any hour, every day of
                                                                                                                  the year
                                                                                                               •  A free visit to each lift in spring, before the
                                                                                                                  guests arrive
                                                                                                               •  A promise in writing: a person at the door within
                                                                                                                  ninety minutes

                                                                                                               Our full price for this is 48,000 a year. Nobody at
                                                                                                               Kestrel can remember a customer who paid the full
                                                                                                               price, except one, and he owned the firm.

                                                                                                               ↓ more
           .  Begin with “Read the brief”                                                  reading, 5 min
           ↵ open   ← up   n p lesson   x done   / find   i info   ? help     [1 Learn] 2 Find  3 History
        """)
  }

  @Test func `below what was found stands what it belongs to, and a click on a row of that goes there`() throws {
    let fixture = try BrowserFixture(160, 44, opening: .text(Self.negotiating))
    fixture.press("/", at: 1)
    fixture.type("flinch", at: 2)

    #expect(
      fixture.text(at: 3) == """
           Courses › English for Business › Negotiating                                                        What would open

           flinch▎                                                                                1 place      Anchors and ranges
           in everything, best first                                      Tab: goals, lessons, activities      Twelve cards on how a first number holds, and…   7 min
         ──────────────────────────────────────────────────────────────────────────────────────────────────    ──────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────────────────────────────────────────────╮
         │ Anchors and ranges                                                                  flashcards │     1  an anchor
         │ English for Business › Negotiating › Opening offers                                  not begun │     2  to anchor high
         │ …a flinch A small visible sign of shock at a price: raised eyebrows, air through the teeth. S… │     3  a range
         ╰────────────────────────────────────────────────────────────────────────────────────────────────╯     4  a bracketing offer
                                                                                                                5  a precise number
         ──────────────────────────────────────────────────────────────────────────────────────────────────     6  in the region of
           Opening offers                                     Ctrl-W chooses, a click on a row goes there       7  an extreme offer
                                                                                                                8  to justify a figure
           · Read the brief                                                       reading           5 min       9  to re-anchor
           · Who speaks first?                                                    reading           6 min      10  a flinch
           · Anchors and ranges                                                   flashcards     12 cards      11  a benchmark
           · Make the first offer                                                 quiz        5 questions      12  to leave money on the table
























           Esc  Back to Negotiating                                                Shift-Tab: this course
           ↵ open   ↑↓ choose   Tab kind                                             Learn [Find] History
        """)
    fixture.mouse(.press(.left), 30, 17, at: 4)
    #expect(try fixture.lastStep.to.title == "Make the first offer" && fixture.lastStep.cause == .mouse)
  }

  @Test func `a click on one of its rows goes there`() throws {
    let fixture = try BrowserFixture(160, 30, opening: "english-for-business")
    fixture.press(.down, at: 1)
    _ = fixture.screen(at: 2)
    let row = try #require(fixture.screen(at: 2).firstIndex { $0.contains("Anchors and ranges") })
    fixture.mouse(.press(.left), 120, row, at: 3)

    #expect(try fixture.lastStep.to.title == "Anchors and ranges")
    #expect(try fixture.lastStep.cause == .mouse)
  }

  @Test func `it follows the frame in Find and in the history`() throws {
    let fixture = try BrowserFixture(160, 24, opening: .text(Self.negotiating))
    fixture.press("/", at: 1)
    fixture.type("counter", at: 2)
    let found = beside(fixture, at: 3)
    fixture.press(.escape, at: 4)
    fixture.press("3", at: 5)

    #expect(
      found == """
        What would open

        Counter-offers                             0 of 3 done
        Answering a number with a number, and w…  about 18 min
        ──────────────────────────────────────────────────────

        · Dropping anchor too early                      6 min
        · If you, then we                             10 cards
        · The number comes back                    5 questions













                   Ctrl-W chooses, a click on a row goes there
        """)
    #expect(
      beside(fixture, at: 6) == """
        What would open

        Negotiating                               0 of 14 done
        Prepare, make the first offer, trade, a…  about 80 min
        ──────────────────────────────────────────────────────

        · Preparing                                     0 of 4
          · Three columns on one page                    5 min
          · Where do you stop?                           6 min
          · What do they want?                     5 questions
          · Words for a first offer                   10 cards
        · Opening offers                                0 of 4
          · Read the brief                               5 min
          · Who speaks first?                            6 min
          · Anchors and ranges                        12 cards
          · Make the first offer                   5 questions
        · Counter-offers                                0 of 3
          · Dropping anchor too early                    6 min
          · If you, then we                           10 cards
          · The number comes back                  5 questions
        · Closing the deal                              0 of 3
        ↓ 3 more
                   Ctrl-W chooses, a click on a row goes there
        """)
  }

  @Test func `where there is no course yet, it says how to get around`() throws {
    let fixture = try BrowserFixture(160, 24, isEmpty: true)

    #expect(
      beside(fixture, at: 1) == """


        How to get around
        A handful of keys is enough, and the last row always…
        ──────────────────────────────────────────────────────

        ↓        the one below
        ↑        the one above
        ↵        open it
        ←        up, or close
        Space    a page on, then next
        n        next, or next match
        .        the next step
        /        in text, or anywhere
        m        mark, or take it away
        :        a path or a command
        ?        every key
        """)
  }

  @Test func `of more than there is room for it says how much more there is, and shows where the page is`() throws {
    let fixture = try BrowserFixture(160, 24)
    let lessons = (0..<1000).map { number in
      """
      {"key": "l\(number)", "title": "Lesson \(number)", "children": [
        {"key": "a\(number)", "title": "Text \(number)", "minutes": 3, "reading": [{"p": ["A."]}]},
        {"key": "b\(number)", "title": "More \(number)", "minutes": 3, "reading": [{"p": ["A."]}]}]}
      """
    }
    let course = """
      {"waymark": 1, "course": {"key": "wide", "title": "Wide", "children": [
        {"key": "many", "title": "Many", "children": [\(lessons.joined(separator: ","))]}]}}
      """
    try fixture.browser.library.importCourse(named: "wide.json", bytes: Array(course.utf8))
    try fixture.browser.begin(at: "wide")
    let all = beside(fixture, at: 1)
    try fixture.browser.begin(at: "wide/many/lesson-700/text-700")

    #expect(
      all == """
        What would open

        Many                                    0 of 2000 done
        2000 activities                            about 100 h
        ──────────────────────────────────────────────────────

        · Lesson 0                                      0 of 2
        · Lesson 1                                      0 of 2
        · Lesson 2                                      0 of 2
        · Lesson 3                                      0 of 2
        · Lesson 4                                      0 of 2
        · Lesson 5                                      0 of 2
        · Lesson 6                                      0 of 2
        · Lesson 7                                      0 of 2
        · Lesson 8                                      0 of 2
        · Lesson 9                                      0 of 2
        · Lesson 10                                     0 of 2
        · Lesson 11                                     0 of 2
        · Lesson 12                                     0 of 2
        · Lesson 13                                     0 of 2
        · Lesson 14                                     0 of 2
        ↓ 985 more
                   Ctrl-W chooses, a click on a row goes there
        """)
    #expect(
      beside(fixture, at: 3) == """
        Where you are

        Many                                    1 of 2000 done
        2000 activities                       about 100 h left
        ━─────────────────────────────────────────────────────

        · Lesson 693                                    0 of 2
        · Lesson 694                                    0 of 2
        · Lesson 695                                    0 of 2
        · Lesson 696                                    0 of 2
        · Lesson 697                                    0 of 2
        · Lesson 698                                    0 of 2
        · Lesson 699                                    0 of 2
        ◐ Lesson 700                                    1 of 2
          ✓ Text 700                              you are here
          · More 700                                     3 min
        · Lesson 701                                    0 of 2
        · Lesson 702                                    0 of 2
        · Lesson 703                                    0 of 2
        · Lesson 704                                    0 of 2
        · Lesson 705                                    0 of 2
        ↓ 294 more
        """)
  }

  @Test(arguments: [(149, 24, 0), (150, 24, 44), (200, 60, 74), (200, 17, 0), (400, 120, 74)])
  func `it is there where it can be read, and what is beside the page stands in the middle with it`(
    columns: Int, rows: Int, width: Int
  ) throws {
    let metrics = PageMetrics(size: CellSize(columns: columns, rows: rows))

    #expect(metrics.asideWidth == width)
    let end = width == 0 ? metrics.left + metrics.width : metrics.asideLeft + width + PageMetrics.asideMargin
    #expect(abs(metrics.left - (columns - end)) <= 1)
  }

  @Test func `what was there gives way row after row, from the top, each at once`() throws {
    let fixture = try BrowserFixture(160, 30, opening: "english-for-business")
    let before = beside(fixture, at: 1).split(separator: "\n", omittingEmptySubsequences: false)
    fixture.press(.down, at: 2)
    let middle = beside(fixture, at: 2.12).split(separator: "\n", omittingEmptySubsequences: false)
    let after = beside(fixture, at: 3).split(separator: "\n", omittingEmptySubsequences: false)

    #expect(middle[..<14] == after[..<14])
    #expect(middle[15...] == before[15...])
    #expect(before[2...14] != after[2...14] && before[15...20] != after[15...20])
  }

  @Test func `with reduced motion all its rows give way at once, and without motion it is there`() throws {
    let reduced = try BrowserFixture(160, 30, opening: "english-for-business", motion: .reduced)
    let before = beside(reduced, at: 1)
    reduced.press(.down, at: 2)
    #expect(beside(reduced, at: 2.11) == before)
    let after = beside(reduced, at: 2.13)
    #expect(after == beside(reduced, at: 3) && after != before)

    let still = try BrowserFixture(160, 30, opening: "english-for-business", motion: .none)
    still.press(.down, at: 2)
    #expect(beside(still, at: 2.07) == after)
  }

  @Test func `under a hand it becomes another as far as the page does, and back again`() throws {
    let fixture = try BrowserFixture(160, 30, opening: .text(Self.negotiating + "/opening-offers/read-the-brief"))
    let before = beside(fixture, at: 1)
    #expect(fixture.browser.takeInHand(.pop))
    fixture.browser.moveHand(by: 0.1)
    let early = beside(fixture, at: 1.1)
    fixture.browser.moveHand(by: 0.9)
    let middle = beside(fixture, at: 1.2)
    fixture.browser.moveHand(by: 0.1)
    let back = beside(fixture, at: 1.3)
    fixture.browser.moveHand(by: 0.99)
    let late = beside(fixture, at: 1.4)
    fixture.browser.letGoOfHand()

    #expect(early == before && back == before && middle != before && middle == late)
    #expect(late.contains("For this lesson and the next two you work at") && beside(fixture, at: 2) == late)
  }

  @Test func `a page that springs back keeps what stood beside it`() throws {
    let fixture = try BrowserFixture(160, 30, opening: .text(Self.negotiating + "/opening-offers/read-the-brief"))
    let before = beside(fixture, at: 1)
    #expect(fixture.browser.takeInHand(.pop))
    fixture.browser.moveHand(by: 0.2)
    _ = beside(fixture, at: 1.1)
    fixture.browser.letGoOfHand()

    var seen: Set<String> = []
    for frame in 0..<60 where frame > 20 { seen.insert(beside(fixture, at: 1.1 + Double(frame) / 60)) }
    #expect(seen == [before])
  }

  @Test func `it comes and goes with the size of the terminal`() throws {
    let fixture = try BrowserFixture(100, 30, opening: .text(Self.negotiating))
    _ = fixture.screen(at: 1)
    fixture.browser.stage.resize(to: CellSize(columns: 160, rows: 30), at: 2)
    let wide = fixture.rows(at: 3, of: CellSize(columns: 160, rows: 30))
    fixture.browser.stage.resize(to: CellSize(columns: 100, rows: 30), at: 4)
    let narrow = fixture.rows(at: 5, of: CellSize(columns: 100, rows: 30))

    #expect(wide[2].hasSuffix("0 of 4 done") && wide[2].contains("Preparing"))
    #expect(narrow[2].hasSuffix("0 of 14 done") && !narrow[2].contains("Preparing"))
  }
}
