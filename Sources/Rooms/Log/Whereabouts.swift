import Contract

/// Where a sender is, and with which status: a word of a room's block.
///
///     bits    63 … 56    55 … 0
///             status     0 unknown · all ones: here · else 1 + the last ale before the sender went
///
/// The status is 0 for none, 1 for getting ready and 2 for ready. Here without a status is all ones, as in
/// the previous version, which takes every other word with a status for "here".
enum Whereabouts: Equatable {
    case unknown
    case here(MemberStatus?)
    /// Away; `since` is the room's latest ale when the last device went.
    case away(since: Int64, MemberStatus?)

    private static let statusShift: UInt64 = 56
    private static let place: UInt64 = 1 << statusShift - 1

    /// Reads a word; any word can be read.
    init(word: UInt64) {
        let status = Self.status(UInt8(truncatingIfNeeded: word >> Self.statusShift))
        switch word & Self.place {
        case 0: self = .unknown
        case Self.place: self = .here(status)
        case let place: self = .away(since: Int64(place) - 1, status)
        }
    }

    var word: UInt64 {
        switch self {
        case .unknown: 0
        case .here(nil): .max
        case .here(let status?): Self.code(status) << Self.statusShift | Self.place
        case .away(let since, let status):
            (status.map(Self.code) ?? 0) << Self.statusShift | UInt64(since + 1)
        }
    }

    var status: MemberStatus? {
        switch self {
        case .unknown: nil
        case .here(let status), .away(_, let status): status
        }
    }

    /// Returns the latest ale that the sender has heard, of the room's `last`. A member who was present when
    /// the process ended has heard all ales, and so has an unknown member, so that no ale is counted twice.
    func awaySince(last: Int64) -> Int64 {
        switch self {
        case .unknown, .here: last
        case .away(let since, _): min(since, last)
        }
    }

    private static func code(_ status: MemberStatus) -> UInt64 {
        switch status {
        case .gettingReady: 1
        case .ready: 2
        }
    }

    private static func status(_ code: UInt8) -> MemberStatus? {
        MemberStatus.allCases.first { Self.code($0) == UInt64(code) }
    }
}
