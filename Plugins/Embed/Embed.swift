import Foundation
import PackagePlugin

/// Embeds files of a target in the program: those of its folder `Page`, with the files that the operators'
/// page shares with the people's, or those of its folder `Documents`. `script/dev/embed` writes them as Swift
/// source, in each build in which one of them has changed.
@main
struct Embed: BuildToolPlugin {
    private static let shared = ["Console": ["api.js", "base.js", "dom.js"]]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let script = context.package.directoryURL.appending(path: "script/dev/embed")
        let documents = target.directoryURL.appending(path: "Documents")
        let isPage = !FileManager.default.fileExists(atPath: documents.path)
        let folder = isPage ? target.directoryURL.appending(path: "Page") : documents
        let other = context.package.directoryURL.appending(path: "Sources/Web/Page")
        let shared = (Self.shared[target.name] ?? []).map { other.appending(path: $0) }
        let own = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasPrefix(".") }.map { folder.appending(path: $0) }
        let files = (own + shared).sorted { $0.lastPathComponent < $1.lastPathComponent }
        let source = context.pluginWorkDirectoryURL.appending(
            path: isPage ? "PageFile+All.swift" : "Documents.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(folder.lastPathComponent)", executable: script,
                arguments: (isPage ? [] : ["--documents"]) + [source.path] + files.map(\.path),
                inputFiles: [script] + files, outputFiles: [source])
        ]
    }
}
