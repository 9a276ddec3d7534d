import Contract

/// The promises about the ales of one room, checked on the ledgers of its members.
struct CutCheck {
    let members: [(name: String, ledger: CutLedger)]
    /// Whether some server reached neither the database nor a peer between the two instants: then it may go
    /// on with rooms that others have taken over.
    let wasIsolated: (ContinuousClock.Instant, ContinuousClock.Instant) -> Bool

    /// The time for which an isolated server may go on after it was healed, and for which its answer may be
    /// on its way.
    private static let slack = Duration.seconds(4)

    private struct Number: Hashable {
        let epoch: String
        let seq: Int64
    }

    private struct Sent {
        let member: Int
        let ale: CutLedger.Acknowledgement
    }

    /// Returns the violations. If the room is settled, all members have heard everything.
    func violations(isSettled: Bool) -> [String] {
        var found = members.flatMap { member in member.ledger.surprises.map { "\(member.name): \($0)" } }
        var sent: [Number: Sent] = [:]
        found += numbers(&sent)
        found += strangers(sent)
        for index in members.indices { found += gaps(of: index, sent, isSettled) }
        return found + lateAnswers()
    }

    /// Whether all members are connected, in one epoch, and have heard an ale of each other that was cheered
    /// after that instant.
    func isTogether(since instant: ContinuousClock.Instant) -> Bool {
        guard let epoch = members.first?.ledger.stays.last?.epoch else { return false }
        return members.indices.allSatisfy { index in
            let ledger = members[index].ledger
            guard ledger.isConnected, ledger.stays.last?.epoch == epoch,
                let fresh = ledger.acknowledged.first(where: { $0.cheeredAt > instant && $0.epoch == epoch })
            else { return false }
            return members.indices.allSatisfy { other in
                guard other != index, let stay = members[other].ledger.stays.last else { return true }
                return stay.since >= fresh.seq || stay.heard.contains { $0.seq == fresh.seq }
            }
        }
    }

    /// A number belongs to one ale, and an ale has one number in an epoch.
    private func numbers(_ sent: inout [Number: Sent]) -> [String] {
        var found: [String] = []
        for (index, member) in members.enumerated() {
            for ale in member.ledger.acknowledged {
                let number = Number(epoch: ale.epoch, seq: ale.seq)
                if let before = sent.updateValue(Sent(member: index, ale: ale), forKey: number) {
                    found.append(
                        "\(ale.epoch)/\(ale.seq) was acknowledged for \(members[before.member].name) and for "
                            + "\(member.name)")
                }
            }
        }
        return found
    }

    /// Each ale that is heard was sent by the member that it names, and not by the hearer. If it was not
    /// acknowledged, it was on its way as its sender reconnected.
    private func strangers(_ sent: [Number: Sent]) -> [String] {
        var found: [String] = []
        var senders: [Number: Identifier] = [:]
        for (name, ledger) in members {
            for stay in ledger.stays {
                var last = stay.since
                for (seq, from) in stay.heard {
                    let number = Number(epoch: stay.epoch, seq: seq)
                    if seq <= last { found.append("\(name): \(stay.epoch)/\(seq) was heard after \(last)") }
                    last = seq
                    if from == ledger.you { found.append("\(name): heard its own \(stay.epoch)/\(seq)") }
                    if let other = senders.updateValue(from, forKey: number), other != from {
                        found.append("\(name): \(stay.epoch)/\(seq) is of \(from), and of \(other)")
                    }
                }
            }
        }
        var unknown: [Identifier: [String: Int]] = [:]
        for (number, from) in senders {
            if let sender = sent[number] {
                if members[sender.member].ledger.you != from {
                    found.append("\(number.epoch)/\(number.seq) is of \(from), and acknowledged to another")
                }
            } else {
                unknown[from, default: [:]][number.epoch, default: 0] += 1
            }
        }
        for (name, ledger) in members {
            for (epoch, count) in ledger.you.flatMap({ unknown[$0] }) ?? [:] {
                // The acknowledgement may still be on its way.
                let waiting = ledger.stays.last?.epoch == epoch ? ledger.waiting : 0
                let allowed = ledger.doubtful[epoch, default: 0] + waiting
                if count > allowed {
                    found.append(
                        "\(name): \(count) ales took effect in \(epoch) and were never acknowledged there, "
                            + "and \(allowed) were on their way: some took effect twice")
                }
            }
        }
        return found
    }

    /// A member who stays in an epoch hears every ale that was acknowledged in it.
    private func gaps(of index: Int, _ sent: [Number: Sent], _ isSettled: Bool) -> [String] {
        let (name, ledger) = members[index]
        var found: [String] = []
        for (place, stay) in ledger.stays.enumerated() {
            let isCurrent = isSettled && place == ledger.stays.count - 1
            let heard = Set(stay.heard.map(\.seq))
            for (number, sender) in sent where number.epoch == stay.epoch && sender.member != index {
                guard number.seq > stay.since, isCurrent || number.seq <= stay.upTo,
                    !heard.contains(number.seq)
                else { continue }
                found.append(
                    "\(name): never heard \(number.epoch)/\(number.seq) of \(members[sender.member].name)")
            }
        }
        return found
    }

    /// Once a run of the room has acknowledged an ale, no earlier run acknowledges one that was sent later,
    /// except on a server that is cut off from all others.
    private func lateAnswers() -> [String] {
        var begun: [String: ContinuousClock.Instant] = [:]
        var answered: [String: ContinuousClock.Instant] = [:]
        for (_, ledger) in members {
            for stay in ledger.stays {
                begun[stay.epoch] = min(begun[stay.epoch] ?? stay.begun, stay.begun)
            }
            for ale in ledger.acknowledged {
                answered[ale.epoch] = min(answered[ale.epoch] ?? ale.at, ale.at)
            }
        }
        var found: [String] = []
        for (name, ledger) in members {
            for ale in ledger.acknowledged {
                guard let own = begun[ale.epoch],
                    let (epoch, _) = answered.first(where: { epoch, at in
                        at < ale.cheeredAt && begun[epoch].map { $0 > own } ?? false
                    }), !wasIsolated(ale.at - Self.slack, ale.at)
                else { continue }
                found.append(
                    "\(name): \(ale.epoch) acknowledged \(ale.seq), and \(epoch) had begun after it")
            }
        }
        return found
    }
}
