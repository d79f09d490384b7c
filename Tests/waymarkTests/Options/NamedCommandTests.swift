import ArgumentParser
import Testing

@testable import waymark

/// The quick way from words to a command, held against the whole parser.
struct NamedCommandTests {
  @Test(arguments: [
    ["courses"], ["courses", "--format", "json", "--learner", "ada"], ["tree", "english", "--database", "a.sqlite"],
    ["search", "--", "--learner"], ["nav", "push", "a/b", "--learner", "ada"], ["nav", "--learner", "ada", "pop"],
    ["nav", "pop", "--learner", "ada", "--learner", "ben"], ["history"], ["history", "--since", "7d"],
    ["history", "stats", "--by", "lesson"], ["progress"], ["progress", "english"], ["bookmarks"], ["browse"],
    ["browse", "english", "--motion", "reduced"], ["english"], ["english", "--motion", "none", "--learner", "ada"],
    [], ["histroy"], ["database", "check"], ["learners", "list"],
  ])
  func `words that are right mean what the parser says`(_ words: [String]) throws {
    let named = try #require(Waymark.named(by: words))

    #expect("\(named)" == "\(try Waymark.parseAsRoot(words))")
  }

  @Test(arguments: [
    ["help"], ["help", "nav"], ["nav", "help", "push"], ["--help"], ["courses", "--help"], ["--version"],
    ["nav", "push", "--version"], ["--learner", "ada", "courses"], ["courses", "--nonsense"], ["nav", "psh", "a"],
    ["courses", "--learner", ""], [""],
  ])
  func `all others are left to the parser`(_ words: [String]) {
    #expect(Waymark.named(by: words) == nil)
  }
}
