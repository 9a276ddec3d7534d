import API
import Cluster
import Contract
import Database
import Logging
import Postgres
import Reactor
import Scheduling
import Settings

/// `letsswitch-server cluster`, which prints who serves, and whether each server reaches each. Servers may be
/// running meanwhile; it writes nothing.
struct ClusterCommand: Sendable {
    let configuration: ServerConfiguration
    /// The URL of a balancer to try, or nil.
    let balancer: WebURL?

    /// Prints the report; returns false if something is wrong.
    func run() async throws -> Bool {
        try await CommandDatabase.run(configuration, "cluster") { pool, _ in try await report(on: pool) }
    }

    private func report(on pool: PostgresPool) async throws -> Bool {
        let (listed, otherRooms) = try await ServerDirectory(pool: pool).list()
        var report = ClusterReport(servers: [], otherRooms: otherRooms)
        // Without servers there may be no key yet, and no server to ask.
        if !listed.isEmpty {
            let clock = ReferenceClock()
            try await clock.begin(on: pool)
            let talk = PeerTalk(
                me: ChangeEvent.origin, key: try await PeerKey.read(configuration.clusterKey, from: pool),
                now: { clock.now() }, on: pool.loop)
            report = await ClusterSurvey(talk).run(listed, otherRooms: otherRooms)
        }
        for line in report.lines { try StandardStreams.line(Log.escaped(line)) }
        if let balancer {
            let servers = listed.filter { $0.isRunning && $0.entry.state == .serving }.map(\.entry)
            let check = BalancerCheck(
                balancer: balancer, authorities: configuration.authoritiesFile, servers: servers)
            try StandardStreams.line("")
            for line in try await check.run(on: pool.loop) { try StandardStreams.line(Log.escaped(line)) }
        }
        return report.isWell
    }
}
