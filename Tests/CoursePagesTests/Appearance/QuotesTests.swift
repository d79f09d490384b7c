import Testing

@testable import CoursePages

struct QuotesTests {
  @Test func `a quotation is not enclosed in quotation marks again, and inner quotations get inner marks`() {
    let quotes = Symbols.unicode.quotes
    #expect(quotes.around("Opening offers") == "“Opening offers”")
    #expect(quotes.around("“Ask!”") == "“Ask!”")
    #expect(quotes.around("“Yes” or “no”") == "“‘Yes’ or ‘no’”")
    #expect(quotes.around("Say “no”") == "“Say ‘no’”")
    #expect(quotes.around("") == "“”" && quotes.around("“") == "“‘”")
    #expect(Symbols.ascii.quotes.around("Say “no”") == #""Say 'no'""#)
  }
}
