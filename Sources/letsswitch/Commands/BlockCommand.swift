import Client
import Contract

enum BlockCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let report = invocation.arguments.value("report")
        let removes = invocation.arguments.has("remove")
        if removes && report != nil {
            throw Failure.usage("--report goes with a block, and --remove takes it back.")
        }
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .person)
        let id = entry.id
        let console = invocation.console
        if removes {
            try await api.unblock(id)
            console.json(TakenBack(registrationId: id))
            return console.note("No longer blocked\(entry.suffix).")
        }
        let block = try await api.block(id, report: report)
        console.json(block)
        console.note("You will not meet \(SafeText.escape(block.name)) again.")
    }
}
