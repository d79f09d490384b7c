import LearningModel
import Testing

@testable import CoursePages

/// Tests the learner's position in a text after the text was edited.
struct FollowedPointTests {
  private func text(_ words: String) -> [Block] {
    words.split(separator: " ").map { .paragraph([.text(String($0))]) }
  }

  @Test(arguments: [
    // Insertions and deletions: none, before the block, after it, on both sides.
    ("a b c d", "a b c d", 2, 2), ("a b c d", "x y a b c d", 2, 4), ("a b c d", "a b c d x", 2, 2),
    ("a b c d", "x a b c D", 2, 3), ("a b c d", "c d", 2, 0),
    // The block itself was edited: the position follows its neighbours, preceding ones first.
    ("a b c d", "x a b C d", 2, 3), ("a b c d", "a b d", 2, 2), ("a b c d", "x y z c", 3, 3),
    // A block that occurs twice does not identify a position.
    ("a - c d", "- x a - c d", 1, 3),
    // No block is unchanged.
    ("a b c d", "x y", 3, 1), ("a b c d", "", 3, 0),
  ])
  func `the position follows the block when the text is edited`(_ old: String, _ new: String, _ from: Int, _ to: Int) {
    let point = ReadingText.Point(block: from, offset: 0.5)

    #expect(point.followed(from: text(old), to: text(new)) == ReadingText.Point(block: to, offset: 0.5))
  }

  @Test func `a position at the beginning of a text stays there`() {
    #expect(ReadingText.Point().followed(from: text("a b"), to: text("x a b")) == ReadingText.Point())
  }
}
