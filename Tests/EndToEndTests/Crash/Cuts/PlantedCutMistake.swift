import PostgresFaults

/// A mistake that is made on purpose under cuts, to test that the siege notices it.
enum PlantedCutMistake: String, CaseIterable, Sendable {
    /// A room that is taken over keeps its term.
    case forgetsTerms
    /// A server that starts claims the rooms of its file, even if another one has taken them over.
    case restoresLostRooms
    /// Rooms of servers that are gone are not taken over.
    case neverTakesOver
    /// A server that starts finds the rooms file of some time ago.
    case findsOldDisk
    /// The network between the servers drops bytes of tunnels, and keeps the connections.
    case losesBytes

    /// The mistake of the servers' statements; nil for one of the network.
    private var statements: PlantedMistake? { PlantedMistake(rawValue: rawValue) }

    var isOfServer: Bool { statements != nil }

    var settings: [String: String] { statements?.settings ?? [:] }

    /// The strikes under which the mistake is made: among all it would take many sieges.
    var sorts: [CutStrike.Sort] {
        switch self {
        // A server that comes back on its disk serves its rooms again, which hides the mistake.
        case .forgetsTerms, .neverTakesOver: [.killLosingDisk]
        case .restoresLostRooms: [.kill]
        case .findsOldDisk: [.killAll, .kill]
        case .losesBytes: CutStrike.Sort.usual
        }
    }

    /// The texts, one of which a violation that the mistake causes contains.
    var signs: [String] {
        switch self {
        case .restoresLostRooms: ["had begun after it", "together"]
        case .forgetsTerms, .neverTakesOver: ["together"]
        case .findsOldDisk: ["was acknowledged for", "never heard", "recovered at", "had begun after it"]
        case .losesBytes: ["never heard", "wait for an answer", "took effect twice", "together"]
        }
    }

    /// Makes the mistake until the task is cancelled, where it is none of the servers' own.
    func work(on fleet: ClusterFleet) async {
        switch self {
        case .forgetsTerms, .restoresLostRooms, .neverTakesOver: break
        case .findsOldDisk: try? await fleet.keepDisks()
        case .losesBytes:
            // A connection that lost everything would end, and its people would come back for the rest.
            while !Task.isCancelled {
                await swallow(.toClient, fleet)
                try? await ContinuousClock().sleep(for: .milliseconds(100))
                await swallow([], fleet)
                try? await ContinuousClock().sleep(for: .milliseconds(500))
            }
        }
    }

    private func swallow(_ directions: TCPProxy.Directions, _ fleet: ClusterFleet) async {
        for from in 0..<fleet.count {
            for to in 0..<fleet.count where from != to {
                await fleet.network.swallow(directions, on: .peer(from: from, to: to))
            }
        }
    }
}
