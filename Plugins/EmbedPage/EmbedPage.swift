import Foundation
import PackagePlugin

/// Makes the files of a target's folder `Page` part of the server. `script/dev/embed` writes them as Swift
/// source, in each build in which one of them has changed.
@main
struct EmbedPage: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let script = context.package.directoryURL.appending(path: "script/dev/embed")
        let folder = target.directoryURL.appending(path: "Page")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { !$0.hasPrefix(".") }.map { folder.appending(path: $0) }
        let source = context.pluginWorkDirectoryURL.appending(path: "PageFile+All.swift")
        return [
            .buildCommand(
                displayName: "Embedding the page", executable: script,
                arguments: [source.path] + files.map(\.path), inputFiles: [script] + files,
                outputFiles: [source])
        ]
    }
}
