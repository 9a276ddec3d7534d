/// The links between the servers, and between each server and the database, each in both directions. The
/// database is the node after the last server.
struct SimulatedNetwork {
    /// The number of faults that cut a link now, by its ends.
    private var cuts: [[Int]]
    private var refusals: [[Int]]
    /// The number of faults that block all connections to a server, by server.
    private var deafness: [Int]
    /// The instant of the last cut of each link, in microseconds.
    private(set) var cutAt: [[Int64]]
    let database: Int

    init(servers: Int) {
        database = servers
        let none = Array(repeating: 0, count: servers + 1)
        cuts = Array(repeating: none, count: servers + 1)
        refusals = cuts
        deafness = none
        cutAt = Array(repeating: Array(repeating: .min, count: servers + 1), count: servers + 1)
    }

    mutating func cut(from: Int, to: Int, at now: Int64) {
        cuts[from][to] += 1
        if cuts[from][to] == 1 { cutAt[from][to] = now }
    }

    mutating func heal(from: Int, to: Int) { cuts[from][to] -= 1 }

    mutating func refuse(from: Int, to: Int) { refusals[from][to] += 1 }

    mutating func admit(from: Int, to: Int) { refusals[from][to] -= 1 }

    mutating func deafen(_ node: Int) { deafness[node] += 1 }

    mutating func undeafen(_ node: Int) { deafness[node] -= 1 }

    /// Whether no peer can connect to a server.
    func isDeaf(_ node: Int) -> Bool { deafness[node] > 0 }

    func isOpen(from: Int, to: Int) -> Bool { from == to || cuts[from][to] == 0 }

    func isOpen(between one: Int, and other: Int) -> Bool {
        isOpen(from: one, to: other) && isOpen(from: other, to: one)
    }

    func isRefused(from: Int, to: Int) -> Bool { refusals[from][to] > 0 }
}
