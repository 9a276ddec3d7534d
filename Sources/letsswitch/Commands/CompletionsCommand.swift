import Contract

enum CompletionsCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let name = invocation.arguments[0] ?? ""
        guard let shell = Shell(rawValue: name) else {
            let shells = Shell.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure.usage("\"\(SafeText.escape(name))\" is none of \(shells).")
        }
        invocation.console.write(shell.completions)
    }
}
