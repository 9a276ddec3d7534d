import Client
import Contract

enum WhoAmICommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let user = try await invocation.signedIn().me()
        let console = invocation.console
        console.json(UserAnswer(user: user))
        let rows = [
            [local("Name"), SafeText.escape(user.name)],
            [local("Time zone"), SafeText.escape(user.timeZone)],
            [local("Id"), user.id.description], [local("Since"), LocalClock.dateAndTime(user.createdAt)],
            [local("Server"), invocation.server.url],
        ]
        for line in Table.lines(rows) { console.line(line) }
    }
}
