package import Codecs

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

    package var figures: [Figure] {
        [
            Figure("rooms", "Rooms that are open.", rooms),
            Figure("room_devices", "Sockets in rooms.", devices),
            Figure("ales_total", "Ales that were relayed.", ales),
            Figure("ale_deliveries_total", "Devices that an ale was sent to.", deliveries),
            Figure("ales_repeated_total", "Ales whose messageId had been seen.", repeated),
            Figure(
                "resumes_total", "Devices that came back with epoch and since, by what they got.",
                by: "recovered", [("true", recovered), ("false", unrecovered)]),
            Figure("returns_total", "Members who were away from their room and came back.", returned),
            Figure("rooms_handed_over_total", "Rooms that this server has handed to others.", handedOver),
            Figure(
                "messages_dropped_total", "Messages of sockets that were dropped.", by: "reason",
                [
                    ("malformed", malformed), ("unknownType", unknownType), ("wrongRoom", wrongRoom),
                    ("rateLimited", rateLimited),
                ]),
        ]
    }
}
