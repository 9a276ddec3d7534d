import Client
import Contract

extension Invocation {
    /// The maximum number of candidates that a failure names.
    private static let shownCandidates = 10

    /// Returns a client of the account, and the entry that the argument names.
    func signedIn(
        naming argument: String?, _ kind: EntryKind
    ) async throws -> (api: APIClient, entry: NamedEntry) {
        let reference = try reference(argument ?? "", kind)
        let api = try await signedIn()
        return (api, try await entry(reference, kind, api))
    }

    /// Returns a client of the account, and the id of the entry that the argument names; without an argument
    /// the one that `find` returns.
    func signedIn(
        naming argument: String?, _ kind: EntryKind, else find: (APIClient) async throws -> Identifier
    ) async throws -> (api: APIClient, id: Identifier) {
        if let argument {
            let (api, entry) = try await signedIn(naming: argument, kind)
            return (api, entry.id)
        }
        let api = try await signedIn()
        return (api, try await find(api))
    }

    /// Returns the entry that an argument of the command names.
    func entry(_ argument: String, _ kind: EntryKind, _ api: APIClient) async throws -> NamedEntry {
        try await entry(try reference(argument, kind), kind, api)
    }

    /// Prints a removal for programs, and returns the sentence on it for people.
    func reportRemoval(of entry: NamedEntry) -> Text {
        console.json(["id": "\(entry.id)", "removed": true])
        return entry.label.map { "Removed: \($0)." } ?? "Removed."
    }

    /// Returns the room that the first argument names; nil: there is no argument.
    func room(_ api: APIClient) async throws -> Identifier? {
        guard let argument = arguments[0] else { return nil }
        return try await entry(argument, .room, api).id
    }

    /// Reads an argument, which needs no server.
    private func reference(_ text: String, _ kind: EntryKind) throws(Failure) -> EntryReference {
        guard let reference = EntryReference(text) else {
            throw .usage(
                "\"\(SafeText.escape(text))\" is no id. \"letsswitch \(kind.command)\" shows them. A number "
                    + "of its list will do, or the first four digits of an id or more.")
        }
        return reference
    }

    private func entry(
        _ reference: EntryReference, _ kind: EntryKind, _ api: APIClient
    ) async throws -> NamedEntry {
        switch reference {
        case .id(let id): return NamedEntry(id: id, label: nil)
        case .number(let number): return try entry(number, kind, entries(api)?.last)
        case .prefix(let prefix):
            let entries = try await kind.entries(api)
            return try Self.entry(prefix, kind, among: entries)
        }
    }

    private func entry(
        _ number: Int, _ kind: EntryKind, _ list: EntryStore.Content?
    ) throws(Failure) -> NamedEntry {
        let command = "letsswitch \(kind.command)"
        guard let list else {
            throw .usage("\(number) is a number in a list, and none was printed. \"\(command)\" prints one.")
        }
        // The list of registrations also names the rooms of those that have one.
        let namesRooms = kind == .room && list.kind == .registration
        guard list.kind == kind || namesRooms else {
            throw .usage(
                "The list that was printed last is of \(list.kind.plural), so that \(number) names none of "
                    + "the \(kind.plural). \"\(command)\" prints them.")
        }
        guard list.entries.indices.contains(number - 1) else {
            throw Failure(
                .notFound, "There is no such number",
                "The list that was printed last ends with \(list.entries.count).")
        }
        let entry = list.entries[number - 1]
        if !namesRooms { return NamedEntry(id: entry.id, label: entry.label) }
        guard let room = entry.room else {
            throw Failure(.notFound, "There is no room", "There is no room for \(entry.label).")
        }
        return NamedEntry(id: room, label: entry.label)
    }

    private static func entry(
        _ prefix: String, _ kind: EntryKind, among entries: [ListEntry]
    ) throws(Failure) -> NamedEntry {
        let candidates = entries.filter { EntryReference.matches(prefix, $0.id) }
        if candidates.count == 1 { return NamedEntry(id: candidates[0].id, label: candidates[0].label) }
        if candidates.isEmpty {
            throw Failure(
                .notFound, "Nothing has that id",
                "None of your \(kind.plural) has an id that begins so. \"letsswitch \(kind.command)\" shows "
                    + "them.")
        }
        var failure = Failure.usage("\(candidates.count) of your \(kind.plural) have ids that begin so:")
        failure.particulars = candidates.prefix(shownCandidates).map { "\($0.id)  \($0.label)" }
        if candidates.count > shownCandidates { failure.particulars.append("…") }
        throw failure
    }

    /// The kept lists of the account; nil: they have no place.
    func entries(_ api: APIClient) -> EntryStore? {
        guard let tokens = try? tokens else { return nil }
        return EntryStore(directory: tokens.directory, server: server, token: api.token)
    }
}
