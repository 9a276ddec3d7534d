import Client
import Codecs
import Contract
import Postgres
import PostgresTesting
import Reactor
import TestKit

/// Three servers, of which each reaches the others and the database by links that are cut, slowed down and
/// reset, while they are killed, stopped and paused. People cheer in their rooms all the while.
struct CutSiege: Sendable {
    struct Findings: Sendable {
        /// The violations; empty when all is well.
        var violations: [String] = []
        /// The number of strikes of each kind.
        var strikes: [String: Int] = [:]
        var acknowledged = 0
        /// The number of handshakes that resumed, and of those that started again.
        var resumed = 0
        var begunAnew = 0
        /// The number of starts of a server.
        var starts = 0
        /// The longest time from the end of all faults until all members of each room were together.
        var longestReunion = Duration.zero
        /// The last log lines of the servers.
        var log = ""

        mutating func add(_ other: Findings) {
            violations += other.violations
            strikes.merge(other.strikes, uniquingKeysWith: +)
            acknowledged += other.acknowledged
            resumed += other.resumed
            begunAnew += other.begunAnew
            starts += other.starts
            longestReunion = max(longestReunion, other.longestReunion)
        }

        var struck: Int { strikes.values.reduce(0, +) }
    }

    private static let servers = 3
    private static let rooms = 4
    private static let people = 3
    /// The time in which everything that was sent is heard, once all members are together.
    private static let settling = Duration.seconds(10)
    /// The slots are as long as a day, and tomorrow's is open already: no room of it ends, and no member
    /// counts as absent yet.
    private static let grid = Grid(slotSeconds: 86_400, leadSeconds: 86_400, lateSeconds: 86_400)
    private static let settings = grid.settings.merging([
        "ROOM_SIZE": "\(people)", "ALES_PER_SECOND": "0", "PING_SECONDS": "20",
    ]) { $1 }

    let seed: UInt64
    /// The number of times that servers are struck, healed and checked.
    let rounds: Int
    let strikesOfRound: Int
    /// The time in which all members of a room are together again.
    var reunion = Duration.seconds(10)
    /// The mistake that is made on purpose.
    var mistake: PlantedCutMistake?

    /// The time after which a siege is given up whose rooms do not come together.
    private var patience: Duration { mistake == nil ? .seconds(40) : reunion + .seconds(1) }

    /// Runs the siege, from the first registration to the last ale.
    func run() async throws -> Findings {
        let cluster = try await TestCluster.make(listeningAt: try FreePort.take())
        defer { cluster.remove() }
        try await withPostgresConnection(
            try PostgresConfiguration(url: cluster.tcpURL()), on: TestLoops.next()
        ) { connection in
            // Acknowledged writes are in the log, as in production.
            try await connection.simple("ALTER DATABASE postgres SET synchronous_commit = on")
        }
        let balancer = try await TCPProxy()
        let settings = Self.settings.merging(["PUBLIC_URL": "http://127.0.0.1:\(balancer.port)"]) { $1 }
            .merging(mistake?.settings ?? [:]) { $1 }
        let program = mistake?.isOfServer ?? false ? BuiltProgram.faultyServer : .server
        return try await ClusterFleet.with(Self.servers, on: cluster, settings, of: program) { fleet in
            await balancer.redirect(to: fleet.ports)
            let rooms = try await meet(fleet, balancer)
            let lives = rooms.joined().map { member in Task { await member.live() } }
            var findings = Findings()
            do {
                for round in 0..<rounds where findings.violations.isEmpty {
                    try await play(round, rooms, fleet, &findings)
                }
            } catch {
                findings.violations.append("the siege itself failed: \(error)")
            }
            for life in lives { life.cancel() }
            for life in lives { await life.value }
            for ledger in rooms.joined().map(\.ledger) {
                findings.acknowledged += ledger.acknowledged.count
                findings.resumed += ledger.resumed
                findings.begunAnew += ledger.begunAnew
            }
            findings.starts = fleet.starts
            findings.log = fleet.log
            return findings
        }
    }

    /// Registers all people, and returns the members of each room. Some enter by a ticket, the others by
    /// their token, which takes the database.
    private func meet(_ fleet: ClusterFleet, _ balancer: TCPProxy) async throws -> [[CutMember]] {
        let server = try fleet.anyServer()
        let day = Self.grid.slotSeconds
        let slot = Timestamp(seconds: (Timestamp.now.seconds / day + 1) * day)
        var people: [Person] = []
        for number in 0..<(Self.rooms * Self.people) {
            people.append(try await Person(named: "Person \(number)", on: server))
            _ = try await people[number].enter(slot)
        }
        // Who comes late moves others to new rooms.
        var rooms: [Identifier: [CutMember]] = [:]
        for (number, person) in people.enumerated() {
            guard let room = try await person.api.rooms().rooms.first else { throw TestError("no room") }
            let address: RoomAddress =
                number % 2 == 0
                ? .ticket(url: room.socketUrl)
                : .room(
                    room.id, server: try Server("http://127.0.0.1:\(balancer.port)"), token: person.token)
            rooms[room.id, default: []].append(
                try CutMember("\(number)", in: room.id, at: address, seed: seed &+ UInt64(number)))
        }
        guard rooms.values.allSatisfy({ $0.count > 1 }) else { throw TestError("a member is alone") }
        return rooms.sorted { $0.key < $1.key }.map(\.value)
    }

    // A round.

    /// Strikes, heals everything, waits until all members are together, and checks.
    private func play(
        _ round: Int, _ rooms: [[CutMember]], _ fleet: ClusterFleet, _ findings: inout Findings
    ) async throws {
        for member in rooms.joined() { member.setQuiet(false) }
        try await reunite(rooms, fleet, "before round \(round)", &findings)
        let mistakes = Task { [mistake] in await mistake?.work(on: fleet) }
        defer { mistakes.cancel() }
        for strike in try await strike(round, fleet) { findings.strikes[strike.name, default: 0] += 1 }
        mistakes.cancel()
        await mistakes.value
        try await fleet.waitUntilReady()
        try await reunite(rooms, fleet, "round \(round)", &findings)
        for member in rooms.joined() { member.setQuiet(true) }
        findings.violations += try await settle(rooms, fleet).map { "round \(round): \($0)" }
    }

    /// Strikes at instants that follow from the seed, and ends each strike in its time; returns the strikes
    /// that had something to strike.
    private func strike(_ round: Int, _ fleet: ClusterFleet) async throws -> [CutStrike] {
        var generator = SplitMix64(seed: seed &* 1000 &+ UInt64(round))
        var begin = Duration.zero
        let strikes = (0..<strikesOfRound).map { index in
            begin += .milliseconds(Int.random(in: 50...1200, using: &generator))
            return CutStrike(
                round * strikesOfRound + index, at: begin, of: Self.servers,
                among: mistake?.sorts ?? CutStrike.Sort.usual, using: &generator)
        }
        let events =
            strikes.map { (at: $0.begin, strike: $0, isBegin: true) }
            + strikes.map { (at: $0.begin + $0.length, strike: $0, isBegin: false) }
        let start = ContinuousClock.now
        var struck: [CutStrike] = []
        for event in events.sorted(by: { $0.at < $1.at }) {
            try await ContinuousClock().sleep(until: start + event.at)
            guard event.isBegin else {
                await event.strike.heal(fleet)
                continue
            }
            let hasStruck = await event.strike.strike(fleet)
            if hasStruck { struck.append(event.strike) }
            CrashLog.write("siege \(seed), strike \(event.strike)\(hasStruck ? "" : ": in vain")")
        }
        return struck
    }

    /// Waits until all members of each room are together, and notes how long it takes.
    private func reunite(
        _ rooms: [[CutMember]], _ fleet: ClusterFleet, _ when: String, _ findings: inout Findings
    ) async throws {
        let healed = ContinuousClock.now
        let before = fleet.turns
        var apart = rooms
        var last = apart
        while !apart.isEmpty {
            last = apart
            try await ContinuousClock().sleep(for: .milliseconds(50))
            apart.removeAll { check($0, fleet).isTogether(since: healed) }
            if ContinuousClock.now - healed > patience { break }
        }
        let time = ContinuousClock.now - healed
        let turns = ProcessorTurns(fleet.turns, since: before)
        let outcome = apart.isEmpty ? "together after" : "not together in"
        CrashLog.write("siege \(seed), \(when): \(outcome) \(time); servers and people \(turns)")
        findings.longestReunion = max(findings.longestReunion, time)
        if time > reunion {
            findings.violations.append(
                "\(when): \(apart.isEmpty ? "together only after \(time)" : "not together in \(time)"), "
                    + "servers and people \(turns)"
                    + last.flatMap(\.self).map { member in
                        let ledger = member.ledger
                        let states = ledger.states.map { "\($0.at - healed): \($0.state)" }
                        return "; \(member.name): room \(ledger.room), connected \(ledger.isConnected), "
                            + "epoch \(ledger.stays.last?.epoch ?? "none"), \(ledger.waiting) waiting, "
                            + "states \(states.joined(separator: ", "))"
                    }.joined())
        }
    }

    /// Waits until every ale is acknowledged and was heard; returns what is wrong in the end.
    private func settle(_ rooms: [[CutMember]], _ fleet: ClusterFleet) async throws -> [String] {
        let end = ContinuousClock.now + Self.settling
        while true {
            let isOver = ContinuousClock.now > end
            let waiting = rooms.joined().filter { $0.ledger.waiting > 0 }
            if waiting.isEmpty || isOver {
                let found = rooms.flatMap { check($0, fleet).violations(isSettled: true) }
                if found.isEmpty && waiting.isEmpty { return [] }
                if isOver {
                    return found + waiting.map { "\($0.name): \($0.ledger.waiting) ales wait for an answer" }
                }
            }
            try await ContinuousClock().sleep(for: .milliseconds(50))
        }
    }

    private func check(_ room: [CutMember], _ fleet: ClusterFleet) -> CutCheck {
        CutCheck(members: room.map { ($0.name, $0.ledger) }) { fleet.wasIsolated(from: $0, to: $1) }
    }
}
