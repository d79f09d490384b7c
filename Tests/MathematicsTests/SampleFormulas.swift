import Foundation
import Testing

/// The formulas of real courses, which are not part of this project. `WAYMARK_SAMPLES` is the folder with these
/// courses.
enum SampleFormulas {
  static let folder = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

  /// Returns every distinct formula, in the order of the file names.
  static func all() throws -> [String] {
    let root = URL(filePath: try #require(folder))
    var visited: Set<String> = []
    var formulas: [String] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted() {
      for formula in try texts(of: path, in: root).flatMap(formulas(in:)) where visited.insert(formula).inserted {
        formulas.append(formula)
      }
    }
    return formulas
  }

  /// Returns the texts of a file that may contain formulas. Courses about shells and templates are excluded, because
  /// they use dollar signs for other purposes.
  private static func texts(of path: String, in root: URL) throws -> [String] {
    let url = root.appending(path: path)
    if path.hasPrefix("jupyter/"), path.hasSuffix(".ipynb") {
      let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
      let cells = (json?["cells"] as? [[String: Any]] ?? []).filter { $0["cell_type"] as? String == "markdown" }
      return cells.map { ($0["source"] as? [String] ?? []).joined() }
    }
    if path.hasPrefix("markdown/jupyterbook"), path.hasSuffix(".md") {
      return [try String(contentsOf: url, encoding: .utf8)]
    }
    if path.hasSuffix("hugo-docs/content/en/content-management/mathematics.md") {
      return [try String(contentsOf: url, encoding: .utf8).replacing("$", with: "")]
    }
    if path.hasPrefix("olx/"), path.hasSuffix(".xml") || path.hasSuffix(".html") {
      let text = try String(contentsOf: url, encoding: .utf8)
      return [text.replacing("$", with: "").replacing("&lt;", with: "<").replacing("&amp;", with: "&")]
    }
    return []
  }

  private static func formulas(in text: String) -> [String] {
    let plain = text.replacing(#/(?ms)^(```|~~~).*?^\1/#, with: "").replacing(#/`[^`\n$]*`/#, with: "")
    var formulas: [String] = plain.matches(of: #/(?s)\$\$(.+?)\$\$/#).map { String($0.output.1) }
    formulas += plain.matches(of: #/(?s)\\\\?\[(.+?)\\\\?\]/#).map { String($0.output.1) }
    formulas += plain.matches(of: #/(?s)\\\\?\((.+?)\\\\?\)/#).map { String($0.output.1) }
    formulas += plain.matches(of: #/(?s)\[mathjax(?:inline)?\](.+?)\[\/mathjax/#).map { String($0.output.1) }
    let inline = plain.replacing(#/(?s)\$\$.+?\$\$/#, with: " ")
    formulas += inline.matches(of: #/\$([^\s$][^$\n]*)\$/#).map { String($0.output.1) }
      .filter { $0.last?.isWhitespace == false && $0.last != "\\" }
    return formulas.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty && !$0.contains("`") && !$0.contains("--") }
  }
}
