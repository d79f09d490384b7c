import PackagePlugin

/// Embeds the pages and pictures of `Documentation/` in the module `BundledManual`. Runs again when one of them changes.
@main struct EmbedManual: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let script = target.directoryURL.appending(path: "embedded/pack")
    let output = context.pluginWorkDirectoryURL.appending(path: "Archive.swift")
    let pages = target.sourceModule?.sourceFiles.map(\.url).filter { $0.pathExtension != "swift" } ?? []
    return [
      .buildCommand(
        displayName: "Embedding the manual", executable: script, arguments: [target.directoryURL.path, output.path],
        inputFiles: [script] + pages, outputFiles: [output])
    ]
  }
}
