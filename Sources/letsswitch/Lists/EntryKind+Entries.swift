import Client
import Contract
import Reactor

extension EntryKind {
    /// The maximum number of pages that are read to find an entry.
    private static let pages = 5
    /// The time for which a session can still be named after its slot has begun.
    private static let past = Duration.seconds(-2 * 86_400)

    /// Returns the entries of the account that may be named now.
    func entries(_ api: APIClient) async throws -> [ListEntry] {
        switch self {
        case .registration: try await Self.registrations(api)
        case .routine:
            try await api.routines(limit: Limits.page.upperBound, cursor: nil).routines
                .map { ListEntry($0) }
        case .room: try await api.rooms(limit: Limits.defaultPage).rooms.map { ListEntry($0) }
        case .person: try await Self.people(api)
        case .endpoint: try await api.endpoints().map { ListEntry($0) }
        case .calendar: try await api.calendars().map { ListEntry($0) }
        case .token: try await api.tokens().map { ListEntry($0) }
        }
    }

    private static func registrations(_ api: APIClient) async throws -> [ListEntry] {
        let from = WallClock.now.adding(past)
        let all = try await RegistrationList.all(limit: pages) {
            try await api.registrations(from: from, limit: Limits.page.upperBound, cursor: $0)
        }
        return all.filter { $0.state != .cancelled }.map { ListEntry($0) }
    }

    /// Returns the people that the latest rooms, the favourites and the blocks name, each once.
    private static func people(_ api: APIClient) async throws -> [ListEntry] {
        let rooms = try await api.rooms(limit: Limits.defaultPage).rooms
        let met = rooms.flatMap { room in
            room.members.filter { !$0.you }.map { member in
                ListEntry(
                    member.id,
                    local(
                        "\(SafeText.escape(member.name)), met \(LocalClock.dateAndTime(room.slot.startsAt))"
                    ))
            }
        }
        let favourites = try await api.favourites(limit: Limits.page.upperBound, cursor: nil).favourites
        let blocks = try await api.blocks(limit: Limits.page.upperBound, cursor: nil).blocks
        let marked =
            favourites.map {
                ListEntry($0.registrationId, local("\(SafeText.escape($0.name)), a favourite"))
            } + blocks.map { ListEntry($0.registrationId, local("\(SafeText.escape($0.name)), blocked")) }
        var known: Set<Identifier> = []
        return (met + marked).filter { known.insert($0.id).inserted }
    }
}
