/// The counters of a host since its start, and its present rooms and devices.
package struct RoomStatistics: Sendable {
    package var rooms = 0
    package var devices = 0
    package var ales: UInt64 = 0
    package var deliveries: UInt64 = 0
    /// The messages that were dropped, by reason.
    package var malformed: UInt64 = 0
    package var unknownType: UInt64 = 0
    package var wrongRoom: UInt64 = 0
    package var rateLimited: UInt64 = 0
    /// The ales that had been received before.
    package var repeated: UInt64 = 0
    /// The devices that came back with the position that they had, by whether what they missed was there.
    package var recovered: UInt64 = 0
    package var unrecovered: UInt64 = 0
    /// The members who were away and came back, with whatever position.
    package var returned: UInt64 = 0
    /// The rooms that were handed to other servers.
    package var handedOver: UInt64 = 0

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
        left.recovered += right.recovered
        left.unrecovered += right.unrecovered
        left.returned += right.returned
        left.handedOver += right.handedOver
    }
}
