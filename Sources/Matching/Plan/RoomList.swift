/// Rooms as lists of people by index, kept one after the other in a single array.
package struct RoomList: RandomAccessCollection, Hashable, Sendable {
    private var members: [Int32] = []
    private var ends: [Int32] = []

    package init() {}

    package var startIndex: Int { 0 }
    package var endIndex: Int { ends.count }

    package subscript(room: Int) -> ArraySlice<Int32> {
        members[(room == 0 ? 0 : Int(ends[room - 1]))..<Int(ends[room])]
    }

    package mutating func append(_ room: some Sequence<Int32>) {
        members.append(contentsOf: room)
        ends.append(Int32(members.count))
    }

    mutating func append(_ first: Int32, _ second: Int32) {
        members.append(first)
        members.append(second)
        ends.append(Int32(members.count))
    }

    package mutating func reserve(people: Int, rooms: Int) {
        members.reserveCapacity(people)
        ends.reserveCapacity(rooms)
    }
}
