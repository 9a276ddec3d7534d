import Testing

@testable import Matching

struct PartitionTests {
    @Test(
        "rooms are people by size, to the nearest whole, half rounded down",
        arguments: [
            (0, 2, []), (1, 2, [1]), (2, 2, [2]), (3, 2, [3]), (4, 2, [2, 2]), (5, 2, [3, 2]),
            (7, 2, [3, 2, 2]),
            (2, 3, [2]), (4, 3, [4]), (5, 3, [3, 2]), (6, 4, [6]), (7, 4, [4, 3]), (95, 64, [95]),
            (96, 64, [96]),
            (97, 64, [49, 48]),
        ] as [(Int, Int, [Int])])
    func sizes(people: Int, size: Int, expected: [Int]) throws {
        #expect(Partition.roomSizes(people: people, roomSize: try #require(RoomSize(size))) == expected)
    }

    @Test(
        "each person has a place, sizes differ by one at most, and none is alone", arguments: RoomSize.range)
    func properties(size: Int) throws {
        let roomSize = try #require(RoomSize(size))
        for people in 2...400 {
            let sizes = Partition.roomSizes(people: people, roomSize: roomSize)
            let smallest = try #require(sizes.min())
            let largest = try #require(sizes.max())
            #expect(sizes.reduce(0, +) == people)
            #expect(largest - smallest <= 1)
            #expect(smallest >= 2)
            #expect(largest <= size + size / 2)
        }
    }

    @Test("a room is for two to sixty-four", arguments: [1, 0, -2, 65, Int.max])
    func bounds(size: Int) {
        #expect(RoomSize(size) == nil)
    }
}
