import Client
import Contract

/// The calls of a person in addition to those of its part, so that every statement is executed.
extension BesiegedPerson {
    /// Reads and changes everything possible before the room opens.
    func look() async throws {
        guard let id = ledger.registration else { return }
        _ = try await insist { try await $0.slots() }
        _ = try await insist { try await $0.me() }
        _ = try await insist { try await $0.changeMe(UserPatch(name: "Goner")) }
        _ = try await insist { try await $0.registration(id) }
        try await unlessRefused(409) {
            // The room may be open.
            _ = try await insist { try await $0.changeRegistration(id, RegistrationPatch(task: "Look")) }
        }
        _ = try await insist { try await $0.registrations() }
        _ = try await insist { try await $0.notifications() }
        _ = try await insist { try await $0.rooms() }
        try await tryEndpoint()
    }

    /// Marks the members of the room, and takes the marks back.
    func remember() async throws {
        guard let id = ledger.room else { return }
        try await unlessRefused(404) {
            _ = try await insist { try await $0.explanation(ofRoom: id) }
            let room = try await insist { try await $0.room(id) }
            for member in room.members where !member.you {
                try await unlessRefused(404) { try await mark(member.id) }
            }
        }
        try await speak()
        _ = try await insist { try await $0.stats() }
    }

    /// Says how the session went, each time something else.
    private func speak() async throws {
        guard let id = ledger.registration else { return }
        let outcome: SessionOutcome = ledger.outcome == .done ? .partly : .done
        note { $0.outcome = nil }
        // The session may have lapsed.
        try await unlessRefused(409) {
            _ = try await insist { try await $0.setOutcome(outcome, note: "Siege", of: id) }
            note { $0.outcome = outcome }
        }
    }

    private func mark(_ other: Identifier) async throws {
        _ = try await insist { try await $0.addFavourite(other) }
        _ = try await insist { try await $0.favourites() }
        try await insist { try await $0.removeFavourite(other) }
        _ = try await insist { try await $0.block(other) }
        _ = try await insist { try await $0.block(other, report: "Talked all the time") }
        _ = try await insist { try await $0.blocks() }
        try await insist { try await $0.unblock(other) }
    }

    // Endpoints.

    /// Adds a webhook for all later notifications of this person.
    func listen() async throws {
        _ = try await makeEndpoint(at: "kept")
        // The time of a notification is a server's: it may be ahead by half of the longest round trip, of two
        // seconds, by which servers know the database's clock.
        note { $0.endpointSince = Timestamp.now.adding(.seconds(1)) }
    }

    /// Adds an endpoint, calls everything that it has, and removes it.
    private func tryEndpoint() async throws {
        guard let id = try await makeEndpoint(at: "removed") else { return }
        _ = try await insist { try await $0.endpoint(id) }
        try await insist { api in
            do {
                _ = try await api.testEndpoint(id)
            } catch ClientError.problem(let problem) where problem.status == 429 {
                // All tests go to the same host, to which a few a minute are sent.
            }
        }
        _ = try await insist { try await $0.rotateSecret(ofEndpoint: id) }
        _ = try await insist { try await $0.endpoint(id) }
        // The second time the endpoint does not exist.
        try await unlessRefused(404) { try await insist { try await $0.removeEndpoint(id) } }
    }

    private func makeEndpoint(at path: String) async throws -> Identifier? {
        let url = receiver.url("\(path)/\(person.map { "\($0.user.id)" } ?? "")")
        try await unlessRefused(409) {
            // The second time the endpoint exists already.
            _ = try await insist { try await $0.addEndpoint(NewEndpoint(.webhook(url: url))) }
        }
        return try await insist { try await $0.endpoints() }.first?.id
    }

    private func unlessRefused(_ status: Int, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch ClientError.problem(let problem) where problem.status == status {
            return
        }
    }
}
