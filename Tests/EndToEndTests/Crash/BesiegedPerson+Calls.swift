import Client
import Contract

/// All that a person may ask for besides what the part is about, so that every statement comes by.
extension BesiegedPerson {
    /// Whatever can be read or changed before the room opens.
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

    /// What a person does with those who were in the room.
    func remember() async throws {
        guard let id = ledger.room else { return }
        try await unlessRefused(404) {
            _ = try await insist { try await $0.explanation(ofRoom: id) }
            let room = try await insist { try await $0.room(id) }
            for member in room.members where !member.you {
                try await unlessRefused(404) { try await mark(member.id) }
            }
        }
        _ = try await insist { try await $0.stats() }
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

    /// From now on a program hears all that is told to this person.
    func listen() async throws {
        _ = try await makeEndpoint(at: "kept")
        // The time of a notification is a server's: it may be ahead by half of the longest round trip, of two
        // seconds, by which servers know the database's clock.
        note { $0.endpointSince = Timestamp.now.adding(.seconds(1)) }
    }

    /// Everything that can be done with an endpoint, to its end.
    private func tryEndpoint() async throws {
        guard let id = try await makeEndpoint(at: "removed") else { return }
        _ = try await insist { try await $0.endpoint(id) }
        try await insist { api in
            do {
                _ = try await api.testEndpoint(id)
            } catch ClientError.problem(let problem) where problem.status == 429 {
                // All test the same host, which is sent a few a minute.
            }
        }
        _ = try await insist { try await $0.rotateSecret(ofEndpoint: id) }
        _ = try await insist { try await $0.endpoint(id) }
        // The second time there is none.
        try await unlessRefused(404) { try await insist { try await $0.removeEndpoint(id) } }
    }

    private func makeEndpoint(at path: String) async throws -> Identifier? {
        let url = receiver.url("\(path)/\(person.map { "\($0.user.id)" } ?? "")")
        try await unlessRefused(409) {
            // The second time it is there already.
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
