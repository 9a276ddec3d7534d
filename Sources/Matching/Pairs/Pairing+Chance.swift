extension Pairing {
    /// Pairs all people in the list: favourites first, then people with the same tag, then the rest.
    ///
    /// A person who may meet none of the rest stays free.
    mutating func pairByChance(_ order: [Int32], _ tags: TagLists) {
        pairFavourites(order)
        var rest: [Int32] = []
        for tag in tags.tags {
            var list = tags[tag].filter { isFree($0) }
            pairUp(&list, within: 12) { $0 <= $1 }
            rest += list
        }
        rest += tags.untagged.filter { isFree($0) }
        pairUp(&rest, within: 12) { $0 <= $1 }
        pairUp(&rest, within: 64) { price, _ in price < PreferenceGraph.never }
    }

    private mutating func pairFavourites(_ order: [Int32]) {
        for person in order where isFree(person) && graph.bestFavourites[Int(person)] > 0 {
            var best: (price: Int32, other: Int32)?
            for entry in graph.edges[person]
            where entry.attributes.favourites > 0 && !entry.attributes.isBlocked && isFree(entry.other) {
                let price = graph.price(person, entry.other)
                if price < best?.price ?? graph.priceOfStrangers(person, entry.other) {
                    best = (price, entry.other)
                }
            }
            if let best { pair(person, best.other, for: best.price) }
        }
    }

    /// Takes people from the end, and pairs each with the cheapest of the next `reach` people that satisfy
    /// `ifGood`; leaves the others.
    private mutating func pairUp(
        _ pool: inout [Int32], within reach: Int, ifGood: (_ price: Int32, _ ideal: Int32) -> Bool
    ) {
        var left: [Int32] = []
        while let person = pool.popLast() {
            var best: (price: Int32, index: Int)?
            for index in pool.indices.suffix(reach).reversed() {
                let price = graph.price(person, pool[index])
                let ideal = ideal(person, pool[index])
                if ifGood(price, ideal), price < best?.price ?? .max { best = (price, index) }
                if price <= ideal { break }
            }
            if let best {
                pair(person, pool.remove(at: best.index), for: best.price)
            } else {
                left.append(person)
            }
        }
        pool = left.reversed()
    }
}
