import PostgresFaults

/// A way in which a statement fails, at one site.
struct Fault: Hashable, Sendable, CustomStringConvertible {
    let way: StatementFault
    let site: String

    var description: String { "\(way.rawValue) \(site)" }
}

extension StatementFault {
    static let kills: [StatementFault] = [.killedBefore, .killedAfter]
    static let failures = allCases.filter { !kills.contains($0) }
}
