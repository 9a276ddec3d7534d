import Contract

/// One entry of a list, by which an argument may name it.
struct ListEntry: Codable, Hashable, Sendable {
    let id: Identifier
    /// The room of a registration.
    let room: Identifier?
    /// A few words on the entry for people, made safe for a terminal.
    let label: String

    private static let longestLabel = 100

    init(_ id: Identifier, room: Identifier? = nil, _ label: String) {
        self.id = id
        self.room = room
        self.label = TextWidth.cut(label, Self.longestLabel)
    }

    init(_ registration: Registration) {
        self.init(
            registration.id, room: registration.roomId,
            "\(LocalClock.span(registration.slot)): \(SafeText.escape(registration.task))")
    }

    init(_ routine: Routine) {
        self.init(routine.id, "\(SafeText.escape(routine.task)), \(RoutineWords.describe(routine))")
    }

    init(_ endpoint: Endpoint) { self.init(endpoint.id, EndpointText.address(endpoint, isShort: true)) }

    init(_ calendar: CalendarFeed) {
        self.init(calendar.id, local("made \(LocalClock.dateAndTime(calendar.createdAt))"))
    }

    init(_ token: AccountToken) {
        let name = token.isMain ? local("(main)") : SafeText.escape(token.name ?? "")
        self.init(token.id, local("\(name), made \(LocalClock.dateAndTime(token.createdAt))"))
    }

    init(_ room: Room) {
        let names = room.members.filter { !$0.you }.map { SafeText.escape($0.name) }
        let company = names.isEmpty ? "" : " " + local("with \(names.joined(separator: ", "))")
        self.init(room.id, room: room.id, LocalClock.span(room.slot) + company)
    }
}
