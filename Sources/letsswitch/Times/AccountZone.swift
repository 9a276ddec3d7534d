import Client
import Contract
import Glibc

/// The time zone of the account, on whose clocks all times are shown and read.
enum AccountZone {
    /// The longest wait for the account. Without its zone, times are on the clocks of this machine.
    static let patience = Duration.seconds(2)
    private static let usualFolder = "/usr/share/zoneinfo"

    /// Has times shown in the zone of the account from now on. Returns its name if this machine has no rules
    /// for it, so that times stay on the clocks of this machine.
    static func use(of api: APIClient) async -> String? {
        guard let zone = (try? await api.me())?.timeZone, zone != MachineZone.name else { return nil }
        guard let file = file(of: zone), access(file, R_OK) == 0 else { return zone }
        // The C library reads the variable here alone: `localtime_r` does not read it again.
        setenv("TZ", ":\(file)", 1)
        tzset()
        return nil
    }

    /// Returns the path of the rules of a zone; nil if the text is no name of one.
    static func file(of zone: String) -> String? {
        let parts = zone.split(separator: "/", omittingEmptySubsequences: false)
        let isName = !parts.contains("") && MachineZone.hasNameBytes(zone)
        return isName ? "\(Environment["TZDIR"] ?? usualFolder)/\(zone)" : nil
    }
}
