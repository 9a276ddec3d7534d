import Client
import Contract

/// Shows past sessions: how each ended by its notification, and what was to be done by its registration.
enum HistoryCommand {
    static let usualCount = 20
    static let counts = 1...1000

    @Sendable static func run(_ invocation: Invocation) async throws {
        let count =
            try invocation.arguments.number("last", in: counts) {
                .usage(
                    "--last takes how many, \(counts.lowerBound) to \(counts.upperBound), and not \"\($0)\".")
            } ?? usualCount
        let api = try await invocation.signedIn()
        let sessions = try await sessions(count, api)
        let history = History(sessions: sessions)
        let console = invocation.console
        console.json(history)
        if sessions.isEmpty {
            return console.note("No session is over yet. letsswitch register \"What you will do\" --at next")
        }
        let rows = sessions.map { session in
            EntryList.Row(
                entry: ListEntry(session.registrationId, room: session.roomId, label(session)),
                cells: [
                    when(session), state(session), with(session), ales(session),
                    session.registrationId.description, SafeText.escape(session.task ?? ""),
                ])
        }
        EntryList.show(.registration, rows, invocation, api)
        console.note(sums(history.sums))
        console.advise("Why you met: letsswitch explain N. How it went: letsswitch outcome done N")
    }

    /// Returns the newest sessions that are over, oldest first.
    private static func sessions(_ count: Int, _ api: APIClient) async throws -> [PastSession] {
        var sessions: [PastSession] = []
        var before: Int64?
        while sessions.count < count {
            let page = try await api.notifications(
                before: before, order: .descending, limit: Limits.page.upperBound)
            sessions += page.compactMap { PastSession($0.data) }
            before = page.last?.id
            if page.count < Limits.page.upperBound { break }
        }
        sessions = Array(sessions.prefix(count)).sorted { $0.startsAt < $1.startsAt }
        guard let first = sessions.first, let last = sessions.last else { return [] }
        // The end of the range is excluded.
        let all = try await RegistrationList.all {
            try await api.registrations(
                from: first.startsAt, to: last.startsAt.adding(.seconds(1)), limit: Limits.page.upperBound,
                cursor: $0)
        }
        let registrations = Dictionary(all.map { ($0.id, $0) }) { $1 }
        return sessions.map { $0.completed(by: registrations[$0.registrationId]) }
    }

    private static func when(_ session: PastSession) -> String {
        session.endsAt.map { LocalClock.span(SlotSpan(startsAt: session.startsAt, endsAt: $0)) }
            ?? LocalClock.dateAndTime(session.startsAt)
    }

    /// Returns the state, and the outcome if there is one.
    private static func state(_ session: PastSession) -> String {
        let outcome = session.outcome.map { ", \(SpokenWords.outcome($0, session.note))" } ?? ""
        return session.state.word + outcome
    }

    private static func with(_ session: PastSession) -> String {
        guard let partners = session.partners else { return "" }
        return partners.isEmpty
            ? local("alone") : partners.map { SafeText.escape($0.name) }.joined(separator: ", ")
    }

    private static func ales(_ session: PastSession) -> String {
        guard let sent = session.alesSent, let received = session.alesReceived else { return "" }
        return local("\(sent) sent, \(received) received")
    }

    private static func label(_ session: PastSession) -> String {
        when(session) + (session.task.map { ": \(SafeText.escape($0))" } ?? "")
    }

    private static func sums(_ sums: History.Sums) -> Text {
        let ended = sums.attended + sums.missed
        let time = Countdown.length(.seconds(sums.secondsAttended))
        return "\(sums.attended) of \(ended) attended, \(time) in all; ales: \(sums.alesSent) sent, "
            + "\(sums.alesReceived) received."
    }
}
