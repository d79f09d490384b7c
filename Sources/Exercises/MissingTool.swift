import ExternalPrograms
import Foundation
package import LearningModel

/// A program that a check needs and that cannot be used.
package struct MissingTool: Hashable, Sendable {
  /// The reason why a program cannot be used.
  package enum Fault: Hashable, Sendable {
    case notInstalled
    /// A part of the program that the recipe needs is missing.
    case incomplete
    /// The program is installed by `prepare`, which did not run yet.
    case notPrepared
    /// The program has this version of Rust.
    case tooOld(String)
  }

  package let tool: Recipe.Tool
  package let fault: Fault
  /// The version of Rust that the exercise needs. `nil` for another tool, or if each version is enough.
  package let rust: String?

  package init(_ tool: Recipe.Tool, _ fault: Fault, rust: String? = nil) {
    (self.tool, self.fault, self.rust) = (tool, fault, rust)
  }

  /// Returns what is missing as the end of a sentence, and how to install all of it.
  ///
  /// - Parameter path: The path of the exercise.
  package static func text(_ missing: [MissingTool], at path: PlacePath) -> String {
    guard !missing.allSatisfy({ $0.fault == .notPrepared }) else {
      return
        "its packages are not installed. Install them with: \(shell: "waymark", "exercise", "prepare", path.description)"
    }
    func names(_ fault: Fault, _ one: String, _ several: String) -> String? {
      let names = missing.filter { $0.fault == fault }.map { "\(quoted: $0.tool.program)" }
      guard let last = names.last else { return nil }
      return (names.count > 1 ? "\(several) \(names.dropLast().joined(separator: ", ")) and " : one + " ") + last
    }
    let rust = missing.lazy.compactMap(\.rust).first
    let old = missing.lazy.compactMap { if case .tooOld(let version) = $0.fault { version } else { nil } }.first
    let absent = names(.notInstalled, "the program", "the programs").map {
      "\($0) \($0.hasPrefix("the programs") ? "are" : "is") not installed"
    }
    let incomplete = names(.incomplete, "", "").map {
      "\($0.trimmingCharacters(in: .whitespaces)) lacks a part that the recipe needs"
    }
    let needed = rust.map { "the exercise needs Rust \($0) or later" + (old.map { ", and this is Rust \($0)" } ?? "") }
    let facts = [absent, incomplete, needed].compactMap { $0 }.joined(separator: "; ")
    let others = missing.filter { $0.rust == nil }
    let pronoun = others.count == 1 ? "it" : "them"
    let packages = others.compactMap(\.tool.package)
    let advice =
      (rust == nil ? [] : ["Install Rust with rustup: https://rustup.rs"])
      + (others.isEmpty
        ? []
        : packages.count < others.count
          ? ["Install \(pronoun) and try again."]
          : ["On Debian, install \(pronoun) with: apt install \(packages.joined(separator: " "))"])
    return ([facts] + advice).joined(separator: ". ")
  }

  /// Returns the oldest version of Rust that can read a manifest of Cargo, or `nil` if it names none.
  ///
  /// Source: The Cargo Book, "The Manifest Format": `rust-version`, `edition`, and `version`, which is optional since 1.75.
  static func rust(neededBy manifest: String) -> String? {
    let edition = manifest.firstMatch(of: /(?m)^edition\s*=\s*"(\d+)"/).map { String($0.output.1) } ?? ""
    let versions = [
      manifest.firstMatch(of: /(?m)^rust-version\s*=\s*"([\d.]+)"/).map { String($0.output.1) },
      ["2021": "1.56", "2024": "1.85"][edition],
      manifest.contains(/(?m)^version\s*[.=]/) || !manifest.contains("[package]") ? nil : "1.75",
    ]
    return versions.compactMap { $0 }.max { $0.isVersion(before: $1) }
  }
}

extension ExerciseRunner {
  /// The programs of the recipe and of the commands that cannot be used. The folders must exist.
  var missingTools: [MissingTool] {
    let variables = variables
    var limits = CheckSandbox.limits(
      folder.path, home: folder.home, processorSeconds: processorSeconds, seconds: 30, strongest: strongest,
      weakest: .unprotected, purpose: .check,
      variables: variables)
    limits.output = 1 << 16
    func result(_ program: ExternalProgram?, _ arguments: [String]) -> ProgramResult? {
      try? program?.run(arguments, environment: variables, folder: folder.path, limits: limits)
    }
    let named = exercise.commands(for: purpose).filter { !$0.needsAdministrator }.compactMap { run -> Recipe.Tool? in
      guard let name = run.program, ExternalProgram(named: name) == nil else { return nil }
      // The word can be a command of the shell.
      if case .shell = run.command,
        result(ExternalProgram(path: "/bin/sh"), ["-c", "command -v \"$1\"", "sh", name])?.code == 0
      {
        return nil
      }
      return Recipe.all.flatMap(\.tools).first { $0.program == name }
        ?? Recipe.Tool(program: name, package: nil, probe: nil)
    }
    var known: Set<String> = []
    let tools = (recipe?.tools ?? []) + named
    let manifest =
      tools.contains { $0.program == "cargo" } ? try? FolderHandle(folder.path)?.bytes(of: "Cargo.toml") : nil
    let rust = manifest.flatMap { MissingTool.rust(neededBy: String(decoding: $0, as: UTF8.self)) }
    return tools.filter { known.insert($0.program).inserted }.compactMap { tool in
      let needed = tool.program.hasPrefix("cargo") ? rust : nil
      if tool.isPrepared {
        let isMissing = purpose == .check && access(folder.path + "/" + tool.program, X_OK) != 0
        return isMissing ? MissingTool(tool, .notPrepared) : nil
      }
      guard let program = ExternalProgram(named: tool.program) else {
        return MissingTool(tool, .notInstalled, rust: needed)
      }
      if let probe = tool.probe, result(program, probe)?.code != 0 { return MissingTool(tool, .incomplete) }
      guard let needed, tool.program == "cargo",
        let output = result(ExternalProgram(named: "rustc"), ["--version"])?.output,
        let found = String(decoding: output, as: UTF8.self).firstMatch(of: /rustc ([\d.]+)/)?.output.1,
        String(found).isVersion(before: needed)
      else { return nil }
      return MissingTool(tool, .tooOld(String(found)), rust: needed)
    }
  }
}

extension Exercise.Run {
  /// The name of the program that the command starts first, or `nil` if it is a path or the shell has to find it.
  fileprivate var program: String? {
    switch command {
    case .argv(let arguments): arguments.first.flatMap { $0.contains("/") ? nil : $0 }
    case .shell(let line): line.prefixMatch(of: /\s*([A-Za-z0-9_.+-]+)(?:\s|$)/).map { String($0.output.1) }
    }
  }
}

extension String {
  fileprivate func isVersion(before other: String) -> Bool { compare(other, options: .numeric) == .orderedAscending }
}
