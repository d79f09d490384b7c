import LearningModel
import TestSupport
import Testing

struct CardKeysTests {
  private func items(_ cards: [(String, String)]) -> [CardOutline] {
    ActivityContent.flashcards(
      introduction: [],
      cards: cards.map { Flashcard(front: [.text($0.0)], back: [.paragraph([.text($0.1)])]) }
    ).cardOutlines
  }

  private func known(_ cards: [(String, String)], keys: [String]) -> [CardKeys.Known] {
    zip(items(cards), keys).enumerated().map { index, pair in
      CardKeys.Known(key: pair.1, item: index, front: pair.0.front, back: pair.0.back)
    }
  }

  private let cards = [("a", "1"), ("b", "2"), ("c", "3")]

  @Test(
    arguments: [
      ([("a", "1"), ("b", "2"), ("c", "3")], ["A", "B", "C"]), ([("c", "3"), ("a", "1")], ["C", "A"]),
      ([("a", "1"), ("b!", "2"), ("c", "3")], ["A", "B", "C"]),
      ([("a", "1"), ("b", "2!"), ("c", "3")], ["A", "B", "C"]),
      ([("a", "1"), ("b!", "2!"), ("c", "3")], ["A", "B", "C"]),
    ])
  func `a card is recognised by its texts, then by its position`(edition: [(String, String)], keys: [String]) {
    #expect(CardKeys.keys(of: items(edition), knowing: known(cards, keys: ["A", "B", "C"])) == keys)
  }

  @Test func `an inserted card gets a key of its own, also if its question is used twice`() {
    let edition = cards + [("new", "4"), ("new", "5")]

    let keys = CardKeys.keys(of: items(edition), knowing: known(cards, keys: ["A", "B", "C"]))

    let digest = CardDigest.digest("new")
    #expect(keys == ["A", "B", "C", digest, "\(digest)-2"])
  }

  @Test func `the author's key takes precedence, and a removed card is recognised when it returns`() {
    let keyed = Flashcard(key: "mine", front: [.text("a")], back: [])
    let outline = ActivityContent.flashcards(introduction: [], cards: [keyed]).cardOutlines
    #expect(CardKeys.keys(of: outline, knowing: known(cards, keys: ["A", "B", "C"])) == ["mine"])

    var removed = known(cards, keys: ["A", "B", "C"])
    removed[1] = CardKeys.Known(key: "B", item: nil, front: removed[1].front, back: removed[1].back)
    #expect(CardKeys.keys(of: items(cards), knowing: removed) == ["A", "B", "C"])
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `keys are unique after random edits`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var edition = cards
    var all: [String: CardKeys.Known] = [:]
    for _ in 0..<20 {
      let index = random.below(edition.count)
      switch random.below(4) {
      case 0: edition[index].0 = "f\(random.below(4))"
      case 1: edition[index].1 = "b\(random.below(4))"
      case 2: edition.insert(("f\(random.below(4))", "b\(random.below(4))"), at: index)
      default: if edition.count > 1 { edition.remove(at: index) }
      }
      let outlines = items(edition)
      let keys = CardKeys.keys(of: outlines, knowing: Array(all.values))
      #expect(Set(keys).count == keys.count)
      all = all.mapValues { CardKeys.Known(key: $0.key, item: nil, front: $0.front, back: $0.back) }
      for (index, key) in keys.enumerated() {
        all[key] = CardKeys.Known(key: key, item: index, front: outlines[index].front, back: outlines[index].back)
      }
    }
  }

  @Test func `a reversed card is shown in both directions, and each gap is a card`() {
    let card = Flashcard(front: [.text("front")], back: [.paragraph([.text("back")])], isReversed: true)
    #expect(card.variants == [.forward, .reversed])
    #expect(card.faces(.reversed).question.plainText == "back")
    #expect(card.faces(.reversed).answer.plainText == "front")

    let gaps = Flashcard(
      front: [.text("{{c2::x}} and {{c1::"), .emphasis([.text("y")]), .text("::hint}} and {{c3::open")], back: [])
    #expect(gaps.variants == [.gap(1), .gap(2)])
    #expect(gaps.faces(.gap(1)).question.plainText == "x and [hint] and {{c3::open")
    #expect(gaps.faces(.gap(2)).question.plainText == "[…] and y and {{c3::open")
    #expect(gaps.faces(.gap(2)).answer.plainText == "x and y and {{c3::open")
  }
}
