/// Counters of a host, since it began, and what is there now.
package struct RoomStatistics: Sendable {
    package var rooms = 0
    package var devices = 0
    package var ales: UInt64 = 0
    package var deliveries: UInt64 = 0
    /// Messages that were dropped, by why.
    package var malformed: UInt64 = 0
    package var unknownType: UInt64 = 0
    package var wrongRoom: UInt64 = 0
    package var rateLimited: UInt64 = 0
    /// Ales that had been taken before.
    package var repeated: UInt64 = 0

    package init() {}

    package static func += (left: inout RoomStatistics, right: RoomStatistics) {
        left.rooms += right.rooms
        left.devices += right.devices
        left.ales += right.ales
        left.deliveries += right.deliveries
        left.malformed += right.malformed
        left.unknownType += right.unknownType
        left.wrongRoom += right.wrongRoom
        left.rateLimited += right.rateLimited
        left.repeated += right.repeated
    }
}
