/// The size of a room's log. A storage must be read with the layout with which it was written.
package struct RoomLogLayout: Equatable, Sendable {
    /// The number of ales of a room; a power of two.
    package var ales = 1024
    /// The number of message ids of one member.
    package var messageIds = 512

    package init() {}
}
