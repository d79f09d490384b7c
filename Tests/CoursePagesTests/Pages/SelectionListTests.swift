import Testing

@testable import CoursePages

@Suite struct SelectionListTests {
  private typealias Form = SelectionList.Form

  /// The forms of all lists: cards and rows of places, results, steps, cards to review, and entries of an overlay.
  private static let forms = [
    "cards": CardListLayout.cards.form, "list": CardListLayout.list.form, "rows": CardListLayout.rows.form,
    "results": Form(rowsEach: 4, gap: 1, headings: [0: 2, 7: 2], countsMore: true),
    "small results": Form(rowsEach: 2, moreOfChosen: 1, headings: [0: 1, 7: 1], countsMore: true),
    "steps": Form(frameRows: 1, moreOfChosen: 1), "reviews": Form(frameRows: 1, rowsBelow: 9),
    "entries": Form(moreOfChosen: 2),
  ]
  private static let heights = [6, 9, 14, 17, 40]

  /// Expects that the selected entry with its frame is visible, that entries do not overlap, and that no row below the
  /// last one is empty while entries are hidden above.
  private func check(_ list: SelectionList, _ name: Comment) {
    guard list.count > 0 else { return }
    let rows = list.frame(of: list.chosen) ?? list.text(of: list.chosen)
    let isLast = list.chosen == list.count - 1
    #expect(rows.lowerBound >= 0 && rows.upperBound <= list.height - (list.hasMoreRow && !isLast ? 1 : 0), name)
    for (upper, lower) in zip(list.visible, list.visible.dropFirst()) {
      #expect(list.text(of: upper).upperBound <= list.text(of: lower).lowerBound, name)
    }
    let slack = list.form.beginsWithWholeEntry ? list.form.rowsEach - 1 : 0
    #expect(list.scroll <= list.lastScroll + slack, name)
    if list.hasMoreRow { #expect(list.more > 0, name) }
  }

  @Test(arguments: forms.keys.sorted(), heights)
  func `keys, clicks, the wheel and resizing keep the selected entry visible`(name: String, height: Int) throws {
    let form = try #require(Self.forms[name])
    for count in [0, 1, 2, 9, 40] {
      let label: Comment = "\(count) entries"
      var list = SelectionList(chosen: count / 2)
      list.layOut(form, count: count, height: height)
      check(list, label)

      // Each command moves in its direction and stops at the ends.
      let commands: [(command: Command, end: Int)] = [
        (.chooseNext, count - 1), (.choosePrevious, 0), (.pageDown, count - 1), (.pageBack, 0),
        (.halfPageDown, count - 1), (.halfPageUp, 0), (.chooseLast, count - 1), (.chooseFirst, 0),
        (.chooseLast, count - 1),
      ]
      for (command, end) in commands {
        let distance = abs(end - list.chosen)
        list.choose(try #require(list.target(of: command)))
        list.layOut(form, count: count, height: height)
        check(list, label)
        guard count > 0 else { continue }
        let isEnd = command == .chooseFirst || command == .chooseLast
        #expect(isEnd ? list.chosen == end : distance == 0 || abs(end - list.chosen) < distance, label)
      }

      // A click on the text of an entry selects it. An entry that is visible already does not scroll the list.
      for index in list.visible {
        let row = list.text(of: index).first { $0 >= 0 }
        #expect(row.flatMap(list.index) == index, label)
      }
      #expect(list.index(atRow: -1) == nil && list.index(atRow: height) == nil, label)
      let before = list
      list.layOut(form, count: count, height: height)
      #expect(list == before, label)

      // Scrolling stays between the ends. Another height shows the selected entry again.
      let chosen = list.chosen
      for amount in [1, -3, 1000, -1000] { list.scroll(by: amount) }
      #expect(list.scroll == 0 && list.chosen == chosen, label)
      for other in Self.heights + [height] {
        list.layOut(form, count: count, height: other)
        check(list, label)
        #expect(list.chosen == chosen, label)
      }
    }
  }

  @Test func `headings are skipped, and the list follows an entry that moves`() {
    var list = SelectionList(chosen: 3)
    list.layOut(Form(), count: 20, height: 4)
    let isSelectable = { [3, 4, 9].contains($0) }

    list.choose(4, where: isSelectable)
    #expect(list.chosen == 4)
    list.choose(5, where: isSelectable)
    #expect(list.chosen == 9)
    list.choose(8, where: isSelectable)
    #expect(list.chosen == 4)
    list.choose(0, where: isSelectable)
    #expect(list.chosen == 3)

    list.layOut(Form(), count: 20, height: 4, rowsAbove: 2)
    let row = list.text(of: 3)
    list.follow(to: 8)
    list.layOut(Form(), count: 25, height: 4, rowsAbove: 2)
    #expect(list.text(of: 8) == row && row.lowerBound >= 2)
  }
}
