package import Contract

/// The questions of a server to its peers: over the network, or in a model of it.
package protocol PeerCalls: Sendable {
    /// The clock of the database.
    var now: @Sendable () -> Timestamp { get }

    /// As `PeerTalk.probe`.
    func probe(_ expected: Identifier, at address: String) async -> PeerTalk.Probe
    /// As `PeerTalk.reach`.
    func reach(
        _ incarnation: Identifier, at address: String, from peer: Identifier, at peerAddress: String
    ) async -> TakeOver.Report
    /// As `PeerTalk.terms`.
    func terms(
        of rooms: [Identifier], from peer: Identifier, at address: String
    ) async -> [Identifier: Int32]?
    /// As `PeerTalk.offer`.
    func offer(_ rooms: [UInt8], to peer: Identifier, at address: String) async -> Set<Identifier>?
    /// As `PeerTalk.tellOwned`.
    func tellOwned(
        _ rooms: [Identifier], to peer: Identifier, at address: String
    ) async -> Set<Identifier>?
}

extension PeerTalk: PeerCalls {}
