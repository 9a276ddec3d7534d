import Client
import Contract

enum WhoAmICommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let user = try await invocation.signedIn().me()
        let console = invocation.console
        console.json(UserAnswer(user: user))
        let rows = [
            ["Name", SafeText.escape(user.name)], ["Time zone", SafeText.escape(user.timeZone)],
            ["Id", user.id.description], ["Since", LocalClock.dateAndTime(user.createdAt)],
            ["Server", invocation.server.url],
        ]
        for line in Table.lines(rows) { console.line(line) }
    }
}
