/// How much of a room is kept. Who reads a storage has to have the layout with which it was written.
package struct RoomLogLayout: Equatable, Sendable {
    /// Ales of a room; a power of two.
    package var ales = 1024
    /// Message ids of one member.
    package var messageIds = 512

    package init() {}
}
