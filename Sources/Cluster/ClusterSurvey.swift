import Contract
package import Database

/// The questions by which an operator learns whether each server reaches each.
package struct ClusterSurvey: Sendable {
    private let talk: PeerTalk

    package init(_ talk: PeerTalk) { self.talk = talk }

    /// Probes the servers, and asks each that answers whether it reaches the others. Servers that have ended,
    /// and those of the previous version, are not asked.
    package func run(_ listed: [ServerDirectory.Listed], otherRooms: Int64) async -> ClusterReport {
        var report = ClusterReport(servers: listed.map { ClusterReport.Server($0) }, otherRooms: otherRooms)
        let asked = report.servers.indices.compactMap { index -> Asked? in
            let entry = listed[index].entry
            guard report.servers[index].isExpected, let incarnation = entry.incarnation,
                let address = entry.address
            else { return nil }
            return Asked(index: index, incarnation: incarnation, address: address)
        }
        await probe(asked, into: &report)
        // Only a server that answers can report which servers it reaches.
        await askEach(of: asked.filter { report.servers[$0.index].hasReached }, about: asked, into: &report)
        return report
    }

    private struct Asked {
        var index: Int
        var incarnation: Identifier
        var address: String
    }

    private func probe(_ asked: [Asked], into report: inout ClusterReport) async {
        await withTaskGroup(of: (Int, probe: PeerTalk.Probe, clockAhead: Duration?).self) { group in
            for server in asked {
                group.addTask {
                    let found = await talk.look(for: server.incarnation, at: server.address)
                    return (server.index, found.probe, found.clockAhead)
                }
            }
            for await (index, probe, clockAhead) in group {
                report.servers[index].probe = probe
                report.servers[index].clockAhead = probe == .reached ? clockAhead : nil
            }
        }
    }

    private func askEach(
        of servers: [Asked], about others: [Asked], into report: inout ClusterReport
    ) async {
        await withTaskGroup(of: (Int, about: Int, report: TakeOver.Report).self) { group in
            for server in servers {
                for other in others where other.index != server.index {
                    group.addTask {
                        let answer = await talk.reach(
                            other.incarnation, at: other.address, from: server.incarnation, at: server.address
                        )
                        return (server.index, other.index, answer)
                    }
                }
            }
            for await (index, other, answer) in group { report.servers[index].reports[other] = answer }
        }
    }
}
