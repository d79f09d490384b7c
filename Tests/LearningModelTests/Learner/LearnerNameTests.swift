import Testing

@testable import LearningModel

struct LearnerNameTests {
  @Test(arguments: [
    ("Ada", "ada"), ("ADA L.", "ada l."), ("ada  l.", "Ada L."), ("ad\u{200B}a", "ada"), ("ada\u{FEFF}", "Ada"),
    ("a\u{AD}da", "ada"), ("ada\u{2060}\u{A0}", "ada"), ("Ömer", "o\u{308}mer"), ("ΟΔΟΣ", "οδοσ"),
  ])
  func `names that differ only in case, spaces or invisible characters are similar`(name: String, other: String) {
    #expect(LearnerName.similar(to: name, among: ["ben", other]) == [other])
    #expect(LearnerName.similar(to: other, among: [name]) == [name])
  }

  @Test(arguments: [("ada", "adam"), ("ada", "àda"), ("ada-l", "ada l"), ("ада", "ada"), ("ada 1", "ada 2")])
  func `names that differ in a visible character are not similar`(name: String, other: String) {
    #expect(LearnerName.similar(to: name, among: [other]) == [])
  }

  @Test func `a name is not similar to itself, but is similar to its decomposed form`() {
    #expect(LearnerName.similar(to: "Ömer", among: ["Ömer", "O\u{308}mer"]).map { $0.unicodeScalars.count } == [5])
  }

  @Test(arguments: [
    "ada", "Ada L.", "Ömer", "李雷", "नमस्ते", "می\u{200C}خواهم", "👩\u{200D}🚀", "all of us",
    String(repeating: "a", count: 100),
  ])
  func `a valid name is accepted`(name: String) {
    #expect(LearnerName.fault(of: name) == nil)
  }

  @Test(arguments: [
    ("", LearnerName.Fault.empty), ("\u{200B}\u{2060}", .empty), ("a\nb", .forbidden("\n")), ("a\tb", .forbidden("\t")),
    ("a\u{0}", .forbidden("\u{0}")), ("a\u{1B}[31m", .forbidden("\u{1B}")), ("a\u{7F}", .forbidden("\u{7F}")),
    ("a\u{85}b", .forbidden("\u{85}")), ("a\u{9B}b", .forbidden("\u{9B}")), ("a\u{2028}b", .forbidden("\u{2028}")),
    ("a\u{200F}b", .forbidden("\u{200F}")), ("a\u{202E}b", .forbidden("\u{202E}")),
    ("a\u{2067}b", .forbidden("\u{2067}")), ("a\u{61C}b", .forbidden("\u{61C}")), ("all", .reserved),
    ("A l l", .reserved),
    (String(repeating: "é", count: 101), .tooLong(scalars: 101)),
  ])
  func `an invalid name is rejected with the reason`(name: String, fault: LearnerName.Fault) {
    #expect(LearnerName.fault(of: name) == fault)
  }

  @Test(arguments: [
    (LearnerName.Fault.empty, "the name contains only spaces"),
    (.tooLong(scalars: 101), "it has 101 characters, and a name has at most 100"),
    (.forbidden("\u{1B}"), "it contains a control character, a line break or a direction mark (U+001B)"),
    (.reserved, "this word is reserved for all learners"),
  ])
  func `each reason for rejecting a learner's name has a description`(fault: LearnerName.Fault, text: String) {
    #expect(fault.description == text)
  }

  @Test func `white space at the ends of a name is removed`() {
    #expect(LearnerName.trimmed(" \u{A0}Ada  L.\n") == "Ada  L.")
    #expect(LearnerName.trimmed("\t \n") == "")
  }
}
