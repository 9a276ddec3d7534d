import Contract
import Testing

@testable import Cluster
@testable import Database

@Suite("The report of a cluster")
struct ClusterReportTests {
    private static func listed(
        _ number: UInt128, label: String?, lease: Duration? = .milliseconds(4_600), isRunning: Bool = true,
        state: ServerState = .serving, rooms: Int64 = 0
    ) -> ServerDirectory.Listed {
        ServerDirectory.Listed(
            entry: ServerEntry(
                name: "\(Identifier(value: number << 96))", address: "http://10.0.0.\(number):8080",
                label: label, state: state, leaseLeft: lease, version: "0.2.0"),
            isRunning: isRunning, rooms: rooms)
    }

    private static func server(
        _ listed: ServerDirectory.Listed, _ probe: PeerTalk.Probe? = .reached, clockAhead: Duration? = .zero,
        reports: [Int: TakeOver.Report] = [:]
    ) -> ClusterReport.Server {
        var server = ClusterReport.Server(listed)
        server.probe = probe
        server.clockAhead = clockAhead
        server.reports = reports
        return server
    }

    private static func report(_ servers: ClusterReport.Server...) -> ClusterReport {
        ClusterReport(servers: servers, otherRooms: 0)
    }

    @Test("of servers that reach each other is a table and one sentence")
    func well() {
        let report = Self.report(
            Self.server(
                Self.listed(1, label: "one", rooms: 12), clockAhead: .milliseconds(2),
                reports: [1: .reached]),
            Self.server(
                Self.listed(2, label: nil, lease: .seconds(5), state: .draining),
                clockAhead: .milliseconds(-1_040), reports: [0: .reached]))
        #expect(report.isWell)
        #expect(
            report.lines == [
                "server    incarnation  address               state     version  lease       clock     rooms",
                "one       00000001     http://10.0.0.1:8080  serving   0.2.0    4.6 s left  +0.002 s  12",
                "00000002  00000002     http://10.0.0.2:8080  draining  0.2.0    5.0 s left  -1.040 s  0",
                "", "2 servers are running, and each reaches each.",
                "The clock of 00000002 differs from the database's, by which all servers go.",
            ])
    }

    @Test("says which server is not reached, by which, and why")
    func faults() {
        let report = Self.report(
            Self.server(Self.listed(1, label: "one"), reports: [1: .notReached, 2: .notReached]),
            Self.server(Self.listed(2, label: "two"), .refused),
            Self.server(Self.listed(3, label: "three"), reports: [0: .reached, 1: .silent]))
        #expect(!report.isWell)
        #expect(
            report.lines.dropFirst(5) == [
                "3 servers are running.",
                "This command does not reach two at http://10.0.0.2:8080: nothing listens there.",
                "one does not reach two at http://10.0.0.2:8080, three at http://10.0.0.3:8080.",
                "three does not report which servers it reaches.",
            ])
    }

    @Test("advises to run where servers run, if it reaches none of several")
    func elsewhere() {
        let report = Self.report(
            Self.server(Self.listed(1, label: "one"), .noAnswer("no answer in time")),
            Self.server(Self.listed(2, label: "two"), .noAnswer("no answer in time")))
        #expect(report.lines.last == "Run this command where servers run: it has to reach their addresses.")
        #expect(!report.isWell)
    }

    @Test("names servers that share a name, are idle, are gone or are of the previous version")
    func notes() {
        var previous = Self.listed(9, label: nil, lease: nil, isRunning: false)
        previous.entry.name = "host 10.0.0.9:8080"
        var report = Self.report(
            Self.server(Self.listed(1, label: "one", lease: .seconds(-31)), reports: [1: .reached]),
            Self.server(Self.listed(2, label: "one"), reports: [0: .reached]),
            Self.server(Self.listed(3, label: "one", lease: .seconds(-90), isRunning: false), nil),
            Self.server(previous, nil))
        report.otherRooms = 7
        #expect(!report.isWell)
        let lines = report.lines
        #expect(lines[1].contains("past for 31 s") && lines[3].contains("  gone  "))
        #expect(lines[4].hasPrefix("host 10.0.0.9:8080") && lines[4].contains("previous version"))
        #expect(
            lines.dropFirst(6) == [
                "2 servers are running, and each reaches each.",
                "2 servers have the SERVER_NAME one: a balancer cannot tell them apart.",
                "host 10.0.0.9:8080 is of the previous version: the balancer has to go on hashing id.",
                "While no slot is near, a lease of 5 s is renewed once a minute.",
                "7 rooms have no server: the first socket brings each to one.",
            ])
    }

    @Test("of no server says so")
    func noServers() {
        let report = ClusterReport(servers: [], otherRooms: 1)
        #expect(!report.isWell)
        #expect(
            report.lines == [
                "No server has a row in this database.",
                "One room has no server: the first socket brings it to one.",
            ])
    }

    @Test("asks each server that answers about each other, and no server that is gone")
    func survey() async throws {
        let (one, other) = (
            try await PeerServer(Identifier(value: 1)), try await PeerServer(Identifier(value: 2))
        )
        let me = try await PeerServer(Identifier(value: 9))
        func listed(_ id: UInt128, _ address: String, isRunning: Bool = true) -> ServerDirectory.Listed {
            ServerDirectory.Listed(
                entry: ServerEntry(
                    name: "\(Identifier(value: id))", address: address, leaseLeft: .seconds(3)),
                isRunning: isRunning, rooms: 0)
        }
        let report = await ClusterSurvey(me.talk).run(
            [
                listed(1, one.address), listed(2, other.address), listed(3, "http://127.0.0.1:1"),
                listed(4, one.address, isRunning: false), listed(5, one.address),
            ], otherRooms: 4)
        #expect(report.otherRooms == 4)
        #expect(
            report.servers.map(\.probe) == [
                .reached, .reached, .refused, nil, .stranger(Identifier(value: 1)),
            ])
        #expect(report.servers[0].reports == [1: .reached, 2: .notReached, 4: .notReached])
        #expect(report.servers[1].reports == [0: .reached, 2: .notReached, 4: .notReached])
        #expect(report.servers[2].reports.isEmpty && report.servers[4].reports.isEmpty)
        #expect(report.servers[0].clockAhead != nil && report.servers[4].clockAhead == nil)
    }
}
