import Testing

/// The numbers of the checklist behaviours that a test covers.
struct ChecklistTrait: TestTrait, SuiteTrait {
  let numbers: [String]

  var comments: [Comment] { [Comment(rawValue: numbers.joined(separator: ", "))] }
}

extension Trait where Self == ChecklistTrait {
  /// Marks a test with the numbers of the behaviours that it covers: `S0.1`, `X.6`, or `T8` for a trace.
  static func checklist(_ numbers: String...) -> ChecklistTrait { ChecklistTrait(numbers: numbers) }
}
