/// The sizes of the rooms when all people are matched at once.
package enum Partition {
    /// Returns the sizes of the rooms. Their number is people ÷ size to the nearest whole, half rounded down,
    /// at least one. Sizes differ by one at most, larger ones first. With two people or more, no room has a
    /// single member.
    package static func roomSizes(people: Int, roomSize: RoomSize) -> [Int] {
        guard people > 0 else { return [] }
        let (rooms, rest) = rooms(people: people, roomSize: roomSize.people)
        let smaller = people / rooms
        return (0..<rooms).map { $0 < rest ? smaller + 1 : smaller }
    }

    private static func rooms(people: Int, roomSize: Int) -> (count: Int, rest: Int) {
        // The half is compared with the remainder, since twice the people might not fit.
        let (whole, remainder) = people.quotientAndRemainder(dividingBy: roomSize)
        let count = max(1, remainder > roomSize - remainder ? whole + 1 : whole)
        return (count, people % count)
    }
}
