import Foundation
import PackagePlugin

/// Makes the files of a target's folder `Page` part of the server, and of the operators' page those that it
/// shares with the people's. `script/dev/embed` writes them as Swift source, in each build in which one of
/// them has changed.
@main
struct EmbedPage: BuildToolPlugin {
    private static let shared = ["Console": ["api.js", "dom.js"]]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let script = context.package.directoryURL.appending(path: "script/dev/embed")
        let folder = target.directoryURL.appending(path: "Page")
        let other = context.package.directoryURL.appending(path: "Sources/Web/Page")
        let shared = (Self.shared[target.name] ?? []).map { other.appending(path: $0) }
        let own = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasPrefix(".") }.map { folder.appending(path: $0) }
        let files = (own + shared).sorted { $0.lastPathComponent < $1.lastPathComponent }
        let source = context.pluginWorkDirectoryURL.appending(path: "PageFile+All.swift")
        return [
            .buildCommand(
                displayName: "Embedding the page", executable: script,
                arguments: [source.path] + files.map(\.path), inputFiles: [script] + files,
                outputFiles: [source])
        ]
    }
}
