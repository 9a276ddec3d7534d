import Client
import Contract
import Postgres
import PostgresTesting
import Reactor
import TestKit

/// Two people of one slot who met long ago. One of them has blocked the other, who has the first among the
/// favourites: a match that overlooked the block would put them together.
final class Feud: Sendable {
    private struct State {
        var users: [BesiegedPerson.Part: Identifier] = [:]
        var isSettled = false
    }

    /// Registrations of long ago by which the two can be named; they were cancelled from the room.
    private struct PreferenceEdge: Sendable {
        let room = Identifier.random
        let offended = Identifier.random
        let offender = Identifier.random
    }

    let configuration: PostgresConfiguration
    private let edge = PreferenceEdge()
    private let state = Lock(State())

    init(in configuration: PostgresConfiguration) { self.configuration = configuration }

    var isSettled: Bool { state.withLock { $0.isSettled } }

    func settle() { state.withLock { $0.isSettled = true } }

    /// Notes the user of a part, and returns the other one's, if known.
    func other(than part: BesiegedPerson.Part, who user: Identifier) -> Identifier? {
        state.withLock { state in
            state.users[part] = user
            return state.users.first { $0.key != part }?.value
        }
    }

    /// Returns the registration that names the person who plays the part.
    func registration(of part: BesiegedPerson.Part) -> Identifier {
        part == .offended ? edge.offended : edge.offender
    }

    /// Stores that both were in one room a hundred days before the slot. It may be repeated.
    func introduce(before slot: Timestamp) async throws {
        guard let offended = state.withLock({ $0.users[.offended] }),
            let offender = state.withLock({ $0.users[.offender] })
        else { throw CancellationError() }
        let then = slot.adding(.seconds(-100 * 86_400))
        let script = """
            INSERT INTO slots (starts_at, ends_at, opened_at, served_at, closed_at)
            VALUES ('\(then)', '\(then.adding(.seconds(6)))', '\(then)', '\(then)',
                '\(then.adding(.seconds(6)))')
            ON CONFLICT DO NOTHING;
            INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at, cancelled_at)
            VALUES ('\(edge.offended)', '\(offended)', '\(then)', 'Meet', '\(then)', '\(then)', '\(then)'),
                ('\(edge.offender)', '\(offender)', '\(then)', 'Meet', '\(then)', '\(then)', '\(then)')
            ON CONFLICT DO NOTHING;
            INSERT INTO rooms (id, starts_at, opened_at, revision)
            VALUES ('\(edge.room)', '\(then)', '\(then)', 2) ON CONFLICT DO NOTHING;
            INSERT INTO members (room_id, registration_id, joined_revision, left_revision)
            VALUES ('\(edge.room)', '\(edge.offended)', 1, 2),
                ('\(edge.room)', '\(edge.offender)', 1, 2)
            ON CONFLICT DO NOTHING
            """
        try await withPostgresConnection(configuration, on: TestLoops.next()) { try await $0.simple(script) }
    }
}

extension BesiegedPerson {
    /// Returns when the block is acknowledged; from then on the two never meet.
    func take(_ part: Part, in feud: Feud) async throws {
        guard let person else { throw CancellationError() }
        while true {
            if let other = feud.other(than: part, who: person.user.id) {
                if part == .offended { try await offend(feud) }
                if feud.isSettled {
                    if part == .offender { try await admire(feud) }
                    return note { $0.enemy = other }
                }
            }
            if Timestamp.now > endsAt { throw CancellationError() }
            try await pause()
        }
    }

    private func offend(_ feud: Feud) async throws {
        // The database may be away.
        while (try? await feud.introduce(before: slot)) == nil {
            if Timestamp.now > endsAt { throw CancellationError() }
            try await pause()
        }
        _ = try await insist { try await $0.block(feud.registration(of: .offender)) }
        feud.settle()
    }

    /// Adds the favourite that would put the two together.
    private func admire(_ feud: Feud) async throws {
        _ = try await insist { try await $0.addFavourite(feud.registration(of: .offended)) }
    }
}

extension Identifier {
    fileprivate static var random: Identifier {
        var generator = SystemRandomNumberGenerator()
        return Identifier.v4(using: &generator)
    }
}
