/// A way in which a statement fails, at one site.
struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// The ways of `StatementFault`.
    enum Way: String, CaseIterable, Sendable {
        case killedBefore = "killed-before"
        case killedAfter = "killed-after"
        case lostBefore = "lost-before"
        case lostAfter = "lost-after"
        case unanswered
        case serializationFailure = "40001"
        case deadlock = "40P01"
        case canceled = "57014"
        case adminShutdown = "57P01"

        static let kills: [Way] = [.killedBefore, .killedAfter]
        static let failures = Way.allCases.filter { !kills.contains($0) }
    }

    let way: Way
    let site: String

    var description: String { "\(way.rawValue) \(site)" }
}
