import Contract
import Database
import Logging
import Reactor

extension ClusterService {
    /// Probes this server itself, once it is known to the others, and those peers whose answers are not known
    /// yet at their addresses.
    func lookAround() async {
        if let address = own.address, notices.isDue(own.incarnation, now: time.monotonic()) {
            await probeItself(at: address)
        }
        let others = peers.all
        answered = answered.filter { known in others.contains { $0.incarnation == known.key } }
        let talk = talk
        await withTaskGroup(of: (Identifier, String, PeerTalk.Probe).self) { group in
            for peer in others where peer.entry.isAlive {
                guard let address = peer.entry.address, answered[peer.incarnation] != address,
                    notices.isDue(peer.incarnation, now: time.monotonic())
                else { continue }
                group.addTask { (peer.incarnation, address, await talk.probe(peer.incarnation, at: address)) }
            }
            for await (incarnation, address, probe) in group {
                switch probe {
                case .reached: answered[incarnation] = address
                case .rejected: notices.warn(.otherKey, of: incarnation, at: address)
                case .stranger, .unsigned, .refused, .noAnswer, .notAsked: break
                }
            }
        }
    }

    private func probeItself(at address: String) async {
        guard let reason = await talk.probe(own.incarnation, at: address).reason else {
            return notices.settled(own.incarnation)
        }
        notices.warn(.unreachable(reason), of: own.incarnation, at: address)
    }
}
