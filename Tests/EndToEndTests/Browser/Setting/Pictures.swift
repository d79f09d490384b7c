/// What the screens of the bundled course look like in a terminal of 80 × 24, as far as they say where one is: the last
/// row, with the keys, is left out.
enum Pictures {
  static let course = """
       Courses                                                      course 1 of 1

       English for Business                                          0 of 52 done
       Meet, negotiate, write and present with confidence.              about 5 h
     ──────────────────────────────────────────────────────────────────────────────
     ╭────────────────────────────────────────────────────────────────────────────╮
     │ Meetings                                                           0 of 13 │
     │ Open, steer and close a meeting that people leave on time.    about 75 min │
     ╰────────────────────────────────────────────────────────────────────────────╯
       Negotiating                                                        0 of 14
       Prepare, make the first offer, trade, and close.              about 80 min

       Writing                                                            0 of 12
       Messages that are read, answered and not misunderstood.       about 60 min

       Presenting                                                         0 of 13
       Stand up, say one thing, and be remembered for it.            about 65 min





       .  Begin with “Why are we here?”                            reading, 6 min
    """

  static let goal = """
       Courses › English for Business                                 goal 2 of 4

       Negotiating                                                   0 of 14 done
       Prepare, make the first offer, trade, and close.              about 80 min
     ──────────────────────────────────────────────────────────────────────────────
     ╭────────────────────────────────────────────────────────────────────────────╮
     │ Preparing                                                           0 of 4 │
     │ What you want, what they want, and where you stop.            about 20 min │
     ╰────────────────────────────────────────────────────────────────────────────╯
       Opening offers                                                      0 of 4
       Who speaks first, how high, and how to say it.                about 25 min

       Counter-offers                                                      0 of 3
       Answering a number with a number, and with a reason.          about 18 min

       Closing the deal                                                    0 of 3
       Sum up, agree the next step, and stop talking.                about 17 min





       .  Begin with “Three columns on one page”                   reading, 5 min
    """

  static let lesson = """
       Courses › English for Business › Negotiating                 lesson 2 of 4

       Opening offers                                                 0 of 4 done
       Who speaks first, how high, and how to say it.                about 25 min
     ──────────────────────────────────────────────────────────────────────────────

     ╭────────────────────────────────────────────────────────────────────────────╮
     │ · Read the brief                                   reading           5 min │
     │   Eleven hotels, thirty lifts, one bride. This is the case you will argue. │
     ╰────────────────────────────────────────────────────────────────────────────╯
       · Who speaks first?                                reading           6 min
       · Anchors and ranges                               flashcards     12 cards
       · Make the first offer                             quiz        5 questions









       .  Begin with “Read the brief”                              reading, 5 min
    """

  /// The lesson after a page of its second activity was read.
  static let lessonBegun = """
       Courses › English for Business › Negotiating                 lesson 2 of 4

       Opening offers                                                 0 of 4 done
       Who speaks first, how high, and how to say it.           about 25 min left
     ──────────────────────────────────────────────────────────────────────────────

       · Read the brief                                   reading           5 min
     ╭────────────────────────────────────────────────────────────────────────────╮
     │ ◐ Who speaks first?                                reading           6 min │
     │   You stopped at “The case for waiting”.                         39 % read │
     ╰━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━──────────────────────────────────────────────╯
       · Anchors and ranges                               flashcards     12 cards
       · Make the first offer                             quiz        5 questions









       .  Go on with “Who speaks first?”                    39 % read, left HH:MM
    """

  static let reading = """
       Courses › … › Negotiating › Opening offers                 activity 2 of 4

       Who speaks first?
       The old advice is to wait. The old advice is half right.             6 min
     ──────────────────────────────────────────────────────────────────────────────

       Ask ten people who should name a price first, and nine will say “Never
       you!” It sounds clever, like most advice that lets us avoid something
       frightening. Sometimes it is even true.

       The case for going first

       The first number on the table pulls every later number towards it. People
       know this, they are warned about it, and it works on them all the same. If
       you say 48 and Marta had 34 in her head, the conversation is now about the
       space between the two, and you chose one end of it.

       Go first when

       •  you know the market at least as well as they do,
       •  you have a reason that can be said in one breath,

       n  Next: Anchors and ranges                                         ↓ more
    """

  /// The course after a step down.
  static let courseAtNegotiating = """
       Courses                                                      course 1 of 1

       English for Business                                          0 of 52 done
       Meet, negotiate, write and present with confidence.              about 5 h
     ──────────────────────────────────────────────────────────────────────────────

       Meetings                                                           0 of 13
       Open, steer and close a meeting that people leave on time.    about 75 min
     ╭────────────────────────────────────────────────────────────────────────────╮
     │ Negotiating                                                        0 of 14 │
     │ Prepare, make the first offer, trade, and close.              about 80 min │
     ╰────────────────────────────────────────────────────────────────────────────╯
       Writing                                                            0 of 12
       Messages that are read, answered and not misunderstood.       about 60 min

       Presenting                                                         0 of 13
       Stand up, say one thing, and be remembered for it.            about 65 min





       .  Begin with “Why are we here?”                            reading, 6 min
    """

  /// The lesson after its first activity was said to be done.
  static let lessonOneDone = """
       Courses › English for Business › Negotiating                 lesson 2 of 4

       Opening offers                                                 1 of 4 done
       Who speaks first, how high, and how to say it.           about 20 min left
     ━━━━━━━━━━━━━━━━━━━━──────────────────────────────────────────────────────────

     ╭────────────────────────────────────────────────────────────────────────────╮
     │ ✓ Read the brief                                   reading           5 min │
     │   Eleven hotels, thirty lifts, one bride. This is the case you will…  done │
     ╰━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╯
       · Who speaks first?                                reading           6 min
       · Anchors and ranges                               flashcards     12 cards
       · Make the first offer                             quiz        5 questions









       .  Begin with “Who speaks first?”                           reading, 6 min
    """
}
