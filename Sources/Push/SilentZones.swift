import Codecs
import Reactor

/// The zones of the name service that do not answer. Names in them that were never found are not looked up,
/// except one at a time after a pause: each question holds a thread for as long as the name service keeps
/// trying.
struct SilentZones {
    private struct Zone {
        /// The number of questions in a row without an answer.
        var silences = 0
        /// The instant until which the zone is shut, in nanoseconds.
        var shutUntil: UInt64 = 0
    }

    /// The number of silences in a row that shut a zone.
    static let threshold = 3
    private static let backoff = Backoff(first: .seconds(10), longest: .seconds(300))
    /// The maximum number of zones that are remembered.
    private static let capacity = 10_000

    private var zones: [String: Zone] = [:]

    /// Returns the zone of a name, as a guess: its last two labels, or three under a country's second level
    /// (`co.uk`).
    package static func zone(of host: String) -> String {
        let labels = host.lowercased().split(separator: ".")
        let lengths = labels.suffix(3).map(\.count)
        let isSecondLevel = lengths.count == 3 && lengths[2] == 2 && lengths[1] <= 3
        return labels.suffix(isSecondLevel ? 3 : 2).joined(separator: ".")
    }

    /// Whether a name that was never found may be looked up. If its zone was silent, the caller is the one
    /// that tries again.
    mutating func mayAsk(for host: String, at now: UInt64) -> Bool {
        let name = Self.zone(of: host)
        guard let zone = zones[name], zone.silences >= Self.threshold else { return true }
        guard zone.shutUntil <= now else { return false }
        zones[name]?.shutUntil = now + Self.backoff.first.clampedNanoseconds
        return true
    }

    /// Records whether a question got an answer.
    mutating func note(_ host: String, isSilent: Bool, at now: UInt64) {
        let name = Self.zone(of: host)
        guard isSilent else {
            zones[name] = nil
            return
        }
        if zones[name] == nil, zones.count >= Self.capacity {
            zones = zones.filter { now < $0.value.shutUntil }
            if zones.count >= Self.capacity { zones = [:] }
        }
        var zone = zones[name] ?? Zone()
        zone.silences += 1
        if zone.silences >= Self.threshold {
            let pause = Self.backoff.delay(afterFailures: zone.silences - Self.threshold + 1)
            zone.shutUntil = now + pause.clampedNanoseconds
        }
        zones[name] = zone
    }
}
