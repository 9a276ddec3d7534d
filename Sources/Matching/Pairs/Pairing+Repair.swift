import Codecs

extension Pairing {
    /// Improves pairs that cost more than they might, by exchanging partners with others, until the cost is
    /// down to `goal`, three rounds in a row have improved nothing, or the attempts are used up.
    mutating func repair(to goal: Int64, _ tags: TagLists, attempts: Int, using random: inout SplitMix64) {
        var attempts = attempts
        var idleRounds = 0
        while cost > goal, attempts > 0, idleRounds < 3 {
            let lacking = mates.indices.map { Int32($0) }.filter { isLacking($0) }
            if lacking.count < 2 { return }
            let before = cost
            for person in lacking where isLacking(person) {
                for _ in 0..<16 where isLacking(person) {
                    attempts -= 1
                    let other = candidate(for: person, lacking, tags, using: &random)
                    _ = exchange(person, other)
                }
                if cost <= goal || attempts <= 0 { return }
            }
            idleRounds = cost < before ? 0 : idleRounds + 1
        }
    }

    /// Finds company for free people: pairs two of them, or parts a pair so that each of the two gets one of
    /// its members.
    mutating func rescueFree(_ people: [Int32], attempts: Int, using random: inout SplitMix64) {
        var attempts = attempts
        for person in people where isFree(person) {
            for other in people where other != person && isFree(other) && isFree(person) {
                rescue(person, other, &attempts, using: &random)
                if attempts <= 0 { return }
            }
        }
    }

    private mutating func rescue(
        _ person: Int32, _ other: Int32, _ attempts: inout Int, using random: inout SplitMix64
    ) {
        let price = graph.price(person, other)
        if price < PreferenceGraph.never { return pair(person, other, for: price) }
        let start = Int.random(in: mates.indices, using: &random)
        for offset in mates.indices {
            attempts -= 1
            if attempts <= 0 { return }
            let host = Int32((start + offset) % mates.count)
            let mate = mates[Int(host)]
            if mate < 0 { continue }
            let prices = (graph.price(person, host), graph.price(other, mate))
            if max(prices.0, prices.1) >= PreferenceGraph.never { continue }
            part(host)
            pair(person, host, for: prices.0)
            return pair(other, mate, for: prices.1)
        }
    }

    /// Returns a person who might be a better partner: a favourite, one with the same tag, one whose pair
    /// costs more than it might too, or anybody.
    private func candidate(
        for person: Int32, _ lacking: [Int32], _ tags: TagLists, using random: inout SplitMix64
    ) -> Int32 {
        let tag = graph.tags[Int(person)]
        switch random.next() & 3 {
        case 0 where tag >= 0:
            return tags[tag].randomElement(using: &random) ?? person
        case 1 where graph.bestFavourites[Int(person)] > 0:
            return graph.edges[person].randomElement(using: &random)?.other ?? person
        case 2:
            return Int32.random(in: 0..<Int32(mates.count), using: &random)
        default:
            return lacking[Int.random(in: lacking.indices, using: &random)]
        }
    }
}
