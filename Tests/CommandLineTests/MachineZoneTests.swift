import Testing

@testable import letsswitch

@Suite("The machine's time zone")
struct MachineZoneTests {
    @Test(
        "is what TZ says, else what /etc/localtime points to",
        arguments: [
            (nil, "/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
            (nil, "../usr/share/zoneinfo/posix/America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
            (nil, nil, nil), (nil, "/srv/clock", nil), ("", "/usr/share/zoneinfo/Europe/Berlin", "UTC"),
            ("Asia/Tokyo", "/usr/share/zoneinfo/Europe/Berlin", "Asia/Tokyo"),
            (":Asia/Tokyo", nil, "Asia/Tokyo"), ("/usr/share/zoneinfo/Etc/GMT+5", nil, "Etc/GMT+5"),
            (":/etc/localtime", "/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
            ("/etc/localtime", "../usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
            (":/etc/localtime", nil, nil), (":/etc/localtime", "/etc/localtime", nil),
            ("CET-1CEST,M3.5.0,M10.5.0/3", nil, nil), ("<+03>-3", nil, nil),
        ] as [(String?, String?, String?)])
    func name(variable: String?, localTime: String?, name: String?) {
        let found = MachineZone.name(variable: variable) { $0 == "/etc/localtime" ? localTime : nil }
        #expect(found == name)
    }
}
