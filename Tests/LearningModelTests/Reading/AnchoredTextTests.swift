import LearningModel
import Testing

struct AnchoredTextTests {
  private static let blocks: [Block] = [
    .heading(level: 1, text: [.text("Offers")], anchor: "offers"),
    .paragraph([.text("The first offer is an "), .strong([.text("anchor")]), .text(": it pulls every later number.")]),
    .heading(level: 2, text: [.text("Silence")], anchor: "silence"),
    .paragraph([.text("Let the silence work for you.")]),
    .paragraph([.text("Let the silence work for you.")]),
  ]

  private let text = AnchoredText(blocks)

  private func quoted(_ anchor: NoteAnchor, in blocks: [Block]) -> String? {
    let text = AnchoredText(blocks)
    return text.place(of: anchor).map { "\($0.block): \(text.text(at: $0))" }
  }

  @Test func `an anchor has the heading, passage digest, characters and quote`() throws {
    let anchor = try #require(text.anchor(ofBlock: 1, text: "anchor: it"))

    #expect(anchor.heading == "offers")
    #expect(anchor.digest == text.passages[1].digest)
    #expect(anchor.characters == 17..<26)
    #expect(anchor.quote == "anchor: it")
    #expect(text.anchor(ofBlock: 1, text: "no such words") == nil)
    #expect(text.anchor(ofBlock: 9) == nil)
  }

  @Test func `an anchor finds its block, also the second of two equal blocks`() throws {
    for block in Self.blocks.indices {
      let anchor = try #require(text.anchor(ofBlock: block))

      #expect(text.place(of: anchor) == AnchoredText.Place(block: block, characters: 0..<text.passages[block].length))
    }
  }

  @Test func `words are found in a moved block and in an edited block`() throws {
    let anchor = try #require(text.anchor(ofBlock: 1, text: "pulls every"))
    let moved = [.paragraph([.text("Something new.")])] + Self.blocks
    var edited = Self.blocks
    edited[1] = .paragraph([.text("An opening offer pulls every number that comes later.")])

    #expect(quoted(anchor, in: moved) == "2: pulls every")
    #expect(quoted(anchor, in: edited) == "1: pulls every")
  }

  @Test func `words below the anchor's heading are preferred`() throws {
    let anchor = try #require(text.anchor(ofBlock: 3, text: "silence work"))
    var edited = Self.blocks
    edited[1] = .paragraph([.text("Here the silence work is done too.")])
    edited[3] = .paragraph([.text("Now let the silence work for you.")])
    edited.remove(at: 4)

    #expect(quoted(anchor, in: edited) == "3: silence work")
  }

  @Test func `if half of the quote matches, the whole block is found`() throws {
    let anchor = try #require(text.anchor(ofBlock: 1))
    var edited = Self.blocks
    edited[1] = .paragraph([.text("The first offer is an anchor: it pulls every later nummer.")])

    #expect(quoted(anchor, in: edited) == "1: The first offer is an anchor: it pulls every later nummer.")
  }

  @Test func `an anchor of removed words finds no place`() throws {
    let anchor = try #require(text.anchor(ofBlock: 1))

    #expect(quoted(anchor, in: Array(Self.blocks[2...])) == nil)
    #expect(quoted(anchor, in: []) == nil)
  }

  @Test func `a long passage is quoted up to 400 characters and found whole`() throws {
    let long = Array(repeating: "word", count: 300).joined(separator: " ")
    let anchor = try #require(AnchoredText([.paragraph([.text(long)])]).anchor(ofBlock: 0))

    #expect(anchor.quote.count == 400)
    let edited = AnchoredText([.paragraph([.text("More: " + long)])])
    #expect(edited.place(of: anchor)?.characters == 5..<1205)
  }
}
