/// The key by which the database and the scheduler know a slot: its start, in whole seconds, and a
/// microsecond for each minute of its length, unless its length is `SLOT_SECONDS`. So slots of several
/// lengths that start together are different slots, and the key alone determines when its slot begins and
/// ends.
///
/// Keys are internal: answers, messages and calendars have the start. The scheduler uses the key as the start
/// if a part of a millisecond does not matter.
package struct SlotKey: Hashable, Sendable {
    /// The longest length that a key can express, in minutes.
    package static let mostMinutes = 240

    /// The key as it is stored: in `slots.starts_at`, and wherever a row refers to it.
    package let instant: Timestamp

    package init(_ instant: Timestamp) {
        self.instant = instant
    }

    /// Creates the key of a slot that starts at a whole second. Without `minutes` it is as long as
    /// `SLOT_SECONDS`.
    package init(startsAt: Timestamp, minutes: Int?) {
        instant = startsAt.adding(.microseconds(minutes ?? 0))
    }

    /// The length in minutes; nil for a slot that is as long as `SLOT_SECONDS`.
    package var minutes: Int? {
        let fraction = instant.microseconds - Timestamp(seconds: instant.seconds).microseconds
        return (1...Int64(Self.mostMinutes)).contains(fraction) ? Int(fraction) : nil
    }

    package var startsAt: Timestamp {
        minutes == nil ? instant : Timestamp(seconds: instant.seconds)
    }

    /// The end of a slot whose length is not `SLOT_SECONDS`; nil otherwise.
    package var endsAt: Timestamp? {
        minutes.map { startsAt.adding(.seconds($0 * 60)) }
    }
}

extension SlotKey: CustomStringConvertible {
    /// The start, and the length if it is not that of `SLOT_SECONDS`: for operators.
    package var description: String {
        minutes.map { "\(startsAt) for \($0) minutes" } ?? "\(startsAt)"
    }
}

extension SlotSpan {
    /// Creates the interval of the slot with that key.
    package init(key: Timestamp, endsAt: Timestamp) {
        self.init(startsAt: SlotKey(key).startsAt, endsAt: endsAt)
    }
}
