import Contract

extension SlotList {
    /// Returns the local time of a slot, such as `09:00`; with its offset if the clocks of the day show that
    /// time twice.
    func clock(of slot: SlotView) -> String {
        let time = String(slot.localTime.split(separator: "T").last ?? "")
        let isRepeated = slots.count { $0.localTime == slot.localTime } > 1
        return [time, isRepeated ? slot.utcOffset : nil].compactMap(\.self).joined(separator: " ")
    }
}
