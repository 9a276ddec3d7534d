import Contract
import Database
import HTTP1
package import HTTPServer
import Matching
import Postgres
import Scheduling
import Settings

/// The calls for invites, and the addresses that are handed on.
package struct InviteEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.post, Routes.registrations + "/{id}/invite", rest.keyed(makeInvite))
        router.on(.delete, Routes.registrations + "/{id}/invite", rest.signedIn(removeInvite))
        router.on(.get, Routes.invites + "/{code}", rest.open { try Answer.json(try await invite(at: $0)) })
        router.on(.get, Routes.invitePages + "/{code}", rest.open(showInvite))
    }

    private func makeInvite(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let id = try keyed.request.id()
        let now = application.now()
        let derived = keyed.secret(.invite)
        let code = InviteCode(derived: derived)
        let url = Routes.invitePage(publicURL: application.tickets.publicURL, code: code.text)
        return try await keyed.transaction(
            in: application.database(keyed.request.loop), showing: derived
        ) { connection in
            let key = try await Invites.add(
                code, to: id, of: user.id, roomSize: application.rules.roomSize.people, at: now,
                check: { key in
                    if application.isTooLate(key, at: now) {
                        throw APIError(.tooLate, "This slot takes no more people, so it has no invites.")
                    }
                }, on: connection)
            return try Answer.json(
                NewInvite(url: url, code: code.text, expiresAt: application.lastInstant(of: key)),
                status: 201)
        }
    }

    private func removeInvite(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id()
        let isOwn = try await application.database(request.loop).transaction(attempts: 3) { connection in
            try await Invites.remove(of: id, of: user.id, on: connection)
        }
        if !isOwn { throw APIError.notFound }
        return HTTPResponse(status: 204)
    }

    /// Answers with a text for the person who opens the address of an invite.
    private func showInvite(_ request: HTTPRequest) async throws -> HTTPResponse {
        let invite = try await invite(at: request)
        let base = application.tickets.publicURL
        let code = request.parameters.first ?? ""
        let path = Routes.registrations
        let language = request.language()
        let slot = invite.slot
        let greeting: Text =
            "\(invite.name) invites you to work at the same time, from \(slot.startsAt) to \(slot.endsAt)."
        let byProgram: Text = "With the command line client, where you are signed up:"
        let byCall: Text = "Without it, with your token in TOKEN:"
        let until: Text = "It is for one person, and can be used until \(invite.expiresAt)."
        let gone: Text = "The invite of \(invite.name), for \(slot.startsAt), can no longer be used."
        let what = Text("What you will do").said(in: language)
        let text =
            invite.usable
            ? """
            \(greeting.said(in: language))

            \(byProgram.said(in: language))

              letsswitch register "\(what)" --invite \(code)

            \(byCall.said(in: language))

              curl -H "Authorization: Bearer $TOKEN" \(base)\(path) \\
                --json '{"task":"\(what)","invite":"\(code)"}'

            \(until.said(in: language))

            """
            : gone.said(in: language) + "\n"
        var headers: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
            "X-Robots-Tag": "noindex",
        ]
        headers.append(textIn: language)
        return HTTPResponse(status: 200, headers: headers, body: Array(text.utf8))
    }

    private func invite(at request: HTTPRequest) async throws -> Invite {
        let database = application.database(request.loop)
        guard let code = InviteCode(request.parameters.first ?? ""),
            let found = try await Invites.find(code, in: database)
        else { throw Self.noInvite }
        let isLate = application.isTooLate(found.key, at: application.now())
        return Invite(
            name: found.name, slot: found.slot, expiresAt: application.lastInstant(of: found.key),
            usable: !found.isUsed && !found.isCancelled && !isLate)
    }

    static let noInvite = APIError(
        .notFound, "There is no such invite. It may have been taken back, or replaced by another one.")

}

extension RegistrationEndpoints {
    /// An invite that a user can use, as things stand.
    struct UsableInvite {
        let code: InviteCode
        let found: Invites.Found

        /// Returns the slot for the guest, whatever slots may be had by now.
        func slot(at now: Timestamp) -> RequestedSlot {
            var random = SystemRandomNumberGenerator()
            return RequestedSlot(
                id: .v7(at: now, using: &random), startsAt: found.key, endsAt: found.slot.endsAt)
        }
    }

    /// The answer to a user who cannot use an invite. A used invite and a block between the two give the same
    /// answer, since blocks are not disclosed.
    static let inviteUnusable = APIError(
        .inviteUnusable, "This invite can no longer be used. Ask for another, or register by yourself.",
        errors: [FieldError(pointer: "/invite", detail: "It can no longer be used.")])

    /// Returns the invite that a request names; nil if it names none. Once the room is open a guest has to
    /// fit into it.
    func usableInvite(
        _ slots: NewRegistration.Slots, for user: SignedInUser, in database: PostgresPool,
        at now: Timestamp
    ) async throws -> UsableInvite? {
        guard case .invite(let text) = slots else { return nil }
        guard let code = InviteCode(text), let found = try await Invites.find(code, in: database) else {
            throw InviteEndpoints.noInvite
        }
        if found.user == user.id {
            throw APIError(
                .inviteUnusable, "This is your own invite: give it to another person.",
                errors: [FieldError(pointer: "/invite", detail: "It is your own.")])
        }
        let hosts = try await Invites.hosts(of: found, for: user.id, in: database)
        let rules = application.rules
        let most = rules.roomSize == .pair && !rules.trios ? 1 : rules.roomSize.people
        let isFull = hosts.count > most || hosts.party >= rules.roomSize.people
        if found.isUsed || found.isCancelled || hosts.isBlocked || isFull {
            throw Self.inviteUnusable
        }
        return UsableInvite(code: code, found: found)
    }
}

extension Application {
    /// Returns the last instant at which the slot with that key takes registrations.
    func lastInstant(of key: Timestamp) -> Timestamp {
        switch configuration.registrationCloses {
        case .late:
            min(SlotKey(key).startsAt.adding(.seconds(configuration.lateSeconds)), rules.endsAt(key))
        case .lead: rules.opensAt(key)
        }
    }
}
