import Contract
package import Database
import Reactor

/// The servers of a cluster as an operator sees them: their rows in the database, and what they say of each
/// other.
package struct ClusterReport: Equatable, Sendable {
    package struct Server: Equatable, Sendable {
        package var listed: ServerDirectory.Listed
        /// The answer to the probe of this command; nil for a server that was not asked.
        package var probe: PeerTalk.Probe?
        /// The time by which the clock of its machine is ahead of the database's, as far as it says so.
        package var clockAhead: Duration?
        /// The answers to the question whether it reaches the others, by the positions of those.
        package var reports: [Int: TakeOver.Report] = [:]

        package init(_ listed: ServerDirectory.Listed) { self.listed = listed }

        var name: String { listed.entry.shownName }

        /// The name with the address, for a sentence.
        var place: String { listed.entry.address.map { "\(name) at \($0)" } ?? name }

        /// Whether the server is of this version and its process lives, as far as the database knows.
        var isExpected: Bool { listed.entry.leaseLeft != nil && listed.isRunning }

        var hasReached: Bool { probe == .reached }
    }

    package var servers: [Server]
    /// The number of rooms without an owner, or whose owner has no row any more.
    package var otherRooms: Int64

    package init(servers: [Server], otherRooms: Int64) {
        self.servers = servers
        self.otherRooms = otherRooms
    }

    /// The difference of two clocks from which people are told of it.
    private static let noticed = Duration.seconds(1)

    /// Whether there are servers, each of them reaches each, and each has a name of its own.
    package var isWell: Bool {
        servers.contains(where: \.isExpected) && faults.isEmpty && sharedNames.isEmpty
    }

    /// The report for people: a table, and sentences below it.
    package var lines: [String] {
        if servers.isEmpty { return ["No server has a row in this database."] + roomSentence }
        return TextTable(header: Self.header, rows: servers.map(Self.row)).lines + [""] + summary + faults
            + sharedNames + clocks + previous + idle + roomSentence
    }

    // The table.

    private static let header = [
        "server", "incarnation", "address", "state", "version", "lease", "clock", "rooms",
    ]

    private static func row(_ server: Server) -> [String] {
        let entry = server.listed.entry
        return [
            server.name, entry.incarnation.map { String($0.description.prefix(8)) } ?? "-",
            entry.address ?? "-", state(of: server), entry.version ?? "-", lease(entry.leaseLeft),
            server.clockAhead.map { signed($0) } ?? "-", "\(server.listed.rooms)",
        ]
    }

    private static func state(of server: Server) -> String {
        if server.listed.entry.leaseLeft == nil { return "previous version" }
        return server.listed.isRunning ? server.listed.entry.state.rawValue : "gone"
    }

    private static func lease(_ left: Duration?) -> String {
        guard let left else { return "-" }
        return left > .zero
            ? "\(seconds(left, digits: 1)) left" : "past for \(seconds(.zero - left, digits: 0))"
    }

    private static func signed(_ duration: Duration) -> String {
        duration <= .microseconds(-500)
            ? "-\(seconds(.zero - duration, digits: 3))" : "+\(seconds(duration, digits: 3))"
    }

    /// Returns a positive time in seconds, with that number of decimal places.
    private static func seconds(_ duration: Duration, digits: Int) -> String {
        let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
        let count = Int64((duration.inSeconds * Double(unit)).rounded())
        if digits == 0 { return "\(count) s" }
        let fraction = String(count % Int64(unit))
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(count / Int64(unit)).\(zeros)\(fraction) s"
    }

    // The sentences.

    private var summary: [String] {
        let count = servers.count(where: \.isExpected)
        switch (count, faults.isEmpty) {
        case (0, _): return ["No server is running."]
        case (1, true): return ["One server is running, and answers."]
        case (_, true): return ["\(count) servers are running, and each reaches each."]
        case (1, false): return ["One server is running."]
        case (_, false): return ["\(count) servers are running."]
        }
    }

    private var faults: [String] {
        var faults: [String] = []
        for server in servers where server.isExpected {
            if let reason = server.probe?.reason {
                faults.append("This command does not reach \(server.place): \(reason).")
            } else if server.probe == nil {
                faults.append("\(server.name) has no address.")
            }
        }
        if faults.count > 1, !servers.contains(where: \.hasReached) {
            faults.append("Run this command where servers run: it has to reach their addresses.")
        }
        for server in servers {
            let unreached = server.reports.filter { $0.value == .notReached }.keys.sorted()
            if !unreached.isEmpty {
                let places = unreached.map { servers[$0].place }.joined(separator: ", ")
                faults.append("\(server.name) does not reach \(places).")
            }
            if server.reports.values.contains(.silent) {
                faults.append("\(server.name) does not report which servers it reaches.")
            }
        }
        return faults
    }

    private var sharedNames: [String] {
        let labels = servers.filter(\.isExpected).compactMap(\.listed.entry.label)
        let counts = labels.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        return counts.filter { $0.value > 1 }.sorted { $0.key < $1.key }.map {
            "\($0.value) servers have the SERVER_NAME \($0.key): a balancer cannot tell them apart."
        }
    }

    private var clocks: [String] {
        servers.compactMap { server in
            guard let ahead = server.clockAhead, ahead > Self.noticed || ahead < .zero - Self.noticed else {
                return nil
            }
            return "The clock of \(server.name) differs from the database's, by which all servers go."
        }
    }

    private var previous: [String] {
        servers.filter { $0.listed.entry.leaseLeft == nil }.map {
            "\($0.name) is of the previous version: the balancer has to go on hashing id."
        }
    }

    private var idle: [String] {
        let isIdle = servers.contains { $0.isExpected && !$0.listed.entry.isAlive }
        return isIdle ? ["While no slot is near, a lease of 5 s is renewed once a minute."] : []
    }

    private var roomSentence: [String] {
        switch otherRooms {
        case 0: []
        case 1: ["One room has no server: the first socket brings it to one."]
        default: ["\(otherRooms) rooms have no server: the first socket brings each to one."]
        }
    }
}

/// A table of plain text, each column as wide as its longest cell.
package struct TextTable {
    let header: [String]
    let rows: [[String]]

    /// Each row has as many cells as the header.
    package init(header: [String], rows: [[String]]) {
        self.header = header
        self.rows = rows
    }

    package var lines: [String] {
        let widths = header.indices.map { column in
            ([header] + rows).map { $0[column].count }.max() ?? 0
        }
        return ([header] + rows).map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
