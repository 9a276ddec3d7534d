/// The grid of slots: a fixed length, counted from midnight UTC. Instants are whole seconds since 1970.
package struct SlotGrid: Hashable, Sendable {
    package let slotSeconds: Int64

    /// Creates a grid; nil unless the length divides a day.
    package init?(slotSeconds: Int64) {
        guard slotSeconds > 0, Self.secondsPerDay % slotSeconds == 0 else { return nil }
        self.slotSeconds = slotSeconds
    }

    package func startsOnGrid(_ instant: Int64) -> Bool {
        instant % slotSeconds == 0
    }

    /// Returns the start of the slot that contains the instant: the last start at or before it.
    package func start(containing instant: Int64) -> Int64 {
        instant - offset(instant)
    }

    /// Returns the first start at or after the instant.
    package func start(atOrAfter instant: Int64) -> Int64 {
        let offset = offset(instant)
        return offset == 0 ? instant : instant - offset + slotSeconds
    }

    package func end(ofSlotAt start: Int64) -> Int64 {
        start + slotSeconds
    }

    private static let secondsPerDay: Int64 = 86_400

    /// Returns how far the instant lies behind the start of its slot, also before 1970.
    private func offset(_ instant: Int64) -> Int64 {
        let remainder = instant % slotSeconds
        return remainder < 0 ? remainder + slotSeconds : remainder
    }
}
