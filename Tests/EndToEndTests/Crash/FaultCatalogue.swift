import Reactor
import TestSupport

/// Which faults there are, as far as servers have come by, and which have struck: several sieges share the work.
final class FaultCatalogue: Sendable {
    private struct State {
        var labels: [String: String] = [:]
        /// Passed before a server was ready for the first time.
        var starting: Set<String> = []
        var claimed: Set<FaultFolder.Fault> = []
        var struck: Set<FaultFolder.Fault> = []
        var misses: [FaultFolder.Fault: Int] = [:]
    }

    /// So often a fault may wait in vain for its site.
    private static let patience = 3

    let ways: [FaultFolder.Way]
    private let state = Lock(State())

    init(_ ways: [FaultFolder.Way]) { self.ways = ways }

    /// A fault that nobody has claimed yet, at one of the sites; then it is the caller's.
    func claim(
        among sites: [(site: String, label: String)], using generator: inout Seeded
    ) -> FaultFolder.Fault? {
        let drawn = generator.next()
        return state.withLock { state in
            var open: [FaultFolder.Fault] = []
            for (site, label) in sites {
                state.labels[site] = label
                for way in ways {
                    let fault = FaultFolder.Fault(way: way, site: site)
                    if !state.claimed.contains(fault) { open.append(fault) }
                }
            }
            if open.isEmpty { return nil }
            let fault = open[Int(drawn % UInt64(open.count))]
            state.claimed.insert(fault)
            return fault
        }
    }

    /// These were passed before the servers were ready.
    func note(starting sites: [(site: String, label: String)]) {
        state.withLock { state in
            for (site, label) in sites {
                state.labels[site] = label
                state.starting.insert(site)
            }
        }
    }

    /// The sites that are passed when a server starts.
    var starting: [(site: String, label: String)] {
        state.withLock { state in state.starting.map { ($0, state.labels[$0] ?? "") } }
    }

    func isStarting(_ fault: FaultFolder.Fault) -> Bool {
        state.withLock { $0.starting.contains(fault.site) }
    }

    /// What became of a claim. One that was not waited for to the end does not count.
    func settle(_ fault: FaultFolder.Fault, hasStruck: Bool, wasWaitedFor: Bool) {
        state.withLock { state in
            if hasStruck {
                state.struck.insert(fault)
                return
            }
            if wasWaitedFor { state.misses[fault, default: 0] += 1 }
            if state.misses[fault, default: 0] < Self.patience { state.claimed.remove(fault) }
        }
    }

    var struck: Int { state.withLock { $0.struck.count } }

    var sites: Int { state.withLock { $0.labels.count } }

    /// How many of the faults at known sites have neither struck nor been given up.
    var left: Int {
        state.withLock { state in
            state.labels.keys.reduce(0) { sum, site in
                sum + ways.count { !state.claimed.contains(FaultFolder.Fault(way: $0, site: site)) }
            }
        }
    }

    /// Faults whose site was not passed again, for people.
    var missed: [String] {
        state.withLock { state in
            state.claimed.subtracting(state.struck).map { "\($0) \(state.labels[$0.site] ?? "")" }.sorted()
        }
    }
}
