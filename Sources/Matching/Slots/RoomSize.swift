/// The number of people that a room is made for.
package struct RoomSize: Hashable, Sendable {
    package static let range = 2...64
    package let people: Int

    /// Creates a size; nil outside of `range`: in a room for one there is no meeting.
    package init?(_ people: Int) {
        guard Self.range.contains(people) else { return nil }
        self.people = people
    }

    package static let pair = RoomSize(checked: 2)

    private init(checked people: Int) {
        self.people = people
    }
}
