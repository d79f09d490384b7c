/// The choices of a question that are written out in the attribute `choices` of a component:
/// `choices={[{text: "Time", explain: "Yes.", correct: true}]}`.
///
/// Source: Hugging Face doc-builder, component `Question`.
struct QuizChoices {
  private struct Choice {
    let text: String
    let explanation: String
    let isRight: Bool
  }

  private let choices: [Choice]

  /// Reads the choices of a tag, or returns `nil` if a program computes them.
  init?(_ tag: String, limits: SourceLimits) {
    guard let json = ScriptLiteral.json(after: ["choices={"], in: tag)?.text,
      let tree = try? YAMLTree(json, file: "", limits: limits)
    else { return nil }
    choices = tree.items.compactMap { item -> Choice? in
      guard let text = item["text"]?.text?.onOneLine, !text.isEmpty else { return nil }
      return Choice(
        text: text, explanation: item["explain"]?.text?.onOneLine ?? "", isRight: item["correct"]?.text == "true")
    }
    if choices.isEmpty { return nil }
  }

  /// The choices as a list in Markdown, and the answers as a collapsed list.
  var lines: [String] {
    let answers = choices.flatMap { choice in
      ["- [\(choice.isRight ? "x" : " ")] \(choice.text)", ""]
        + (choice.explanation.isEmpty ? [] : ["  \(choice.explanation)", ""])
    }
    return [""] + choices.map { "- " + $0.text } + ["", "<details>", "<summary>Answers</summary>", ""] + answers
      + ["</details>", ""]
  }
}
