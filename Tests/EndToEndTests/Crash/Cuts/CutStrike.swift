import Codecs

/// One kill or cut of a siege: when it begins, and how long it lasts.
struct CutStrike: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        /// A server gets SIGKILL, and is started again on its disk, or on an empty one.
        case kill(Int, losingDisk: Bool, refusing: Bool)
        /// All servers get SIGKILL at once.
        case killAll
        /// A server is told to stop in order.
        case terminate(Int)
        /// A server stands still.
        case pause(Int)
        /// One way from a server to another one has a fault.
        case peer(from: Int, to: Int, ClusterNetwork.Fault)
        /// All ways between a server and the others have a fault.
        case peers(Int, ClusterNetwork.Fault)
        case database(Int, ClusterNetwork.Fault)
        case databaseOfAll(ClusterNetwork.Fault)
        /// A server loses the database and another server, and reaches the third.
        case half(Int, ClusterNetwork.Fault)
        /// A server loses the database and all others.
        case isolate(Int, ClusterNetwork.Fault)
        /// The connections of a server to another one, or to the database, are reset once.
        case reset(from: Int, to: Int?)
        /// A crowd comes to a server.
        case crowd(Int, CutCrowd)
    }

    /// The sorts from which strikes are drawn.
    enum Sort: Sendable {
        case kill, killLosingDisk, killAll, terminate, pause
        case peer, peers, database, databaseOfAll, half, isolate, reset, crowd

        /// The usual strikes, each as often as it is drawn.
        static let usual: [Sort] =
            Array(repeating: .kill, count: 5) + Array(repeating: .peer, count: 3)
            + Array(repeating: .database, count: 3)
            + [.killLosingDisk, .killAll, .terminate, .pause, .pause, .peers, .peers, .databaseOfAll]
            + [.half, .isolate, .isolate, .reset, .reset]
            + Array(repeating: .crowd, count: 6)

        /// The longest time that such a strike lasts, in milliseconds: some take longer than a lease.
        fileprivate var longest: Int {
            switch self {
            case .kill, .killLosingDisk, .killAll, .terminate, .peer, .peers, .reset: 3000
            case .databaseOfAll: 6000
            case .database: 8000
            case .pause, .half, .isolate, .crowd: 9000
            }
        }
    }

    let number: Int
    let kind: Kind
    let begin: Duration
    let length: Duration

    var description: String { "\(number): \(kind) after \(begin) for \(length)" }

    /// Draws a strike that begins at that time.
    init(
        _ number: Int, at begin: Duration, of servers: Int, among sorts: [Sort],
        using generator: inout SplitMix64
    ) {
        self.number = number
        self.begin = begin
        let one = Int.random(in: 0..<servers, using: &generator)
        let other = (one + Int.random(in: 1..<servers, using: &generator)) % servers
        let fault = Self.fault(using: &generator)
        let refusing = Bool.random(using: &generator)
        let sort = sorts.randomElement(using: &generator) ?? .kill
        kind =
            switch sort {
            case .kill: .kill(one, losingDisk: false, refusing: refusing)
            case .killLosingDisk: .kill(one, losingDisk: true, refusing: refusing)
            case .killAll: .killAll
            case .terminate: .terminate(one)
            case .pause: .pause(one)
            case .peer: .peer(from: one, to: other, fault)
            case .peers: .peers(one, fault)
            case .database: .database(one, fault)
            case .databaseOfAll: .databaseOfAll(fault)
            case .half: .half(one, fault)
            case .isolate: .isolate(one, fault)
            case .reset: .reset(from: one, to: refusing ? other : nil)
            case .crowd: .crowd(one, CutCrowd.allCases.randomElement(using: &generator) ?? .resets)
            }
        length = .milliseconds(Int.random(in: 100...sort.longest, using: &generator))
    }

    private static func fault(using generator: inout SplitMix64) -> ClusterNetwork.Fault {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1: .cut
        case 2: .passing(.toTarget)
        case 3: .passing(.toClient)
        case 4: .passing([])
        default: .delayed(.milliseconds(Int.random(in: 20...900, using: &generator)))
        }
    }

    /// The name of the kind, for a count of each.
    var name: String {
        switch kind {
        case .kill(_, losingDisk: true, _): "kills that lose the disk"
        case .kill(_, losingDisk: false, _): "kills"
        case .killAll: "kills of all"
        case .terminate: "stops in order"
        case .pause: "pauses"
        case .peer, .peers: "cuts from peers"
        case .database, .databaseOfAll: "cuts from the database"
        case .half, .isolate: "cuts from both"
        case .reset: "resets"
        case .crowd(_, let crowd): crowd.name
        }
    }

    /// The ways that have the fault while the strike lasts.
    func ways(of servers: Int) -> [(way: ClusterNetwork.Way, fault: ClusterNetwork.Fault)] {
        func between(_ one: Int, _ other: Int) -> [ClusterNetwork.Way] {
            [.peer(from: one, to: other), .peer(from: other, to: one)]
        }
        func around(_ one: Int) -> [ClusterNetwork.Way] {
            (0..<servers).filter { $0 != one }.flatMap { between(one, $0) }
        }
        let (ways, fault): ([ClusterNetwork.Way], ClusterNetwork.Fault)
        switch kind {
        case .kill, .killAll, .terminate, .pause, .reset, .crowd: return []
        case .peer(let from, let to, let some): (ways, fault) = ([.peer(from: from, to: to)], some)
        case .peers(let one, let some): (ways, fault) = (around(one), some)
        case .database(let one, let some): (ways, fault) = ([.database(from: one)], some)
        case .databaseOfAll(let some):
            (ways, fault) = ((0..<servers).map { .database(from: $0) }, some)
        case .half(let one, let some):
            (ways, fault) = ([.database(from: one)] + between(one, (one + 1) % servers), some)
        case .isolate(let one, let some): (ways, fault) = ([.database(from: one)] + around(one), some)
        }
        return ways.map { ($0, fault) }
    }

    /// Begins the strike. Returns false if there was nothing to strike: the server did not run.
    func strike(_ fleet: ClusterFleet) async -> Bool {
        defer { fleet.lookAround() }
        switch kind {
        case .kill(let one, let losingDisk, let refusing):
            return await fleet.kill(one, for: length, losingDisk: losingDisk, refusing: refusing)
        case .killAll:
            var hasKilled = false
            for one in 0..<fleet.count
            where await fleet.kill(one, for: .zero, losingDisk: false, refusing: true) { hasKilled = true }
            return hasKilled
        case .terminate(let one): return fleet.terminate(one)
        case .pause(let one): return fleet.pause(one)
        case .reset(let from, let to):
            await fleet.network.reset(to.map { .peer(from: from, to: $0) } ?? .database(from: from))
        case .crowd(let one, let crowd): return fleet.send(crowd, to: one, as: number)
        case .peer, .peers, .database, .databaseOfAll, .half, .isolate:
            for (way, fault) in ways(of: fleet.count) {
                await fleet.network.begin(fault, on: way, by: number)
            }
        }
        return true
    }

    /// Ends the strike. A server that was killed starts by itself.
    func heal(_ fleet: ClusterFleet) async {
        if case .pause(let one) = kind { fleet.wake(one) }
        await fleet.disperse(number)
        await fleet.network.end(number)
        fleet.lookAround()
    }
}
