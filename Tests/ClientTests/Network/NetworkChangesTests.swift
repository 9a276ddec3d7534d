import Testing

@testable import Client

@Suite("What the kernel tells of the network")
struct NetworkChangesTests {
    private static func half(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

    private static func word(_ value: UInt32) -> [UInt8] {
        half(UInt16(truncatingIfNeeded: value)) + half(UInt16(value >> 16))
    }

    private static func message(_ type: UInt16, _ body: [UInt8]) -> [UInt8] {
        word(UInt32(16 + body.count)) + half(type) + half(0) + word(0) + word(0) + body
    }

    private static func link(_ type: UInt16 = 16, index: UInt32 = 2, flags: UInt32) -> [UInt8] {
        message(type, [0, 0] + half(1) + word(index) + word(flags) + word(0))
    }

    private static func address(_ type: UInt16 = 20, scope: UInt8 = 0, last: UInt8 = 1) -> [UInt8] {
        let other = half(6) + half(3) + Array("e0".utf8) + [0, 0]  // A label, and its padding.
        return message(type, [2, 24, 0, scope] + word(2) + other + half(8) + half(1) + [10, 0, 0, last])
    }

    private static func route(_ type: UInt16 = 24, prefix: UInt8 = 0, table: UInt8 = 254) -> [UInt8] {
        message(type, [2, prefix, 0, 0, table, 3, 0, 1] + word(0))
    }

    @Test("is news where a way to the server may have come or gone, and not twice")
    func changes() {
        var changes = NetworkChanges()
        let steps: [([UInt8], Bool)] = [
            (Self.link(flags: 0x1), false),  // Up, without a carrier.
            (Self.link(flags: 0x41), true), (Self.link(flags: 0x41), false),
            (Self.link(index: 1, flags: 0x49), false),  // Loopback.
            (Self.address(), true), (Self.address(), false),
            (Self.address(scope: 253), false), (Self.address(scope: 254), false),
            (Self.route(), true), (Self.route(prefix: 24), false), (Self.route(table: 255), false),
            (Self.address(last: 2), true), (Self.address(21), true), (Self.address(), true),
            (Self.route(25), true), (Self.link(flags: 0x1), true), (Self.link(17, flags: 0x1), false),
            (Self.message(3, []), false),
            (Self.link(index: 1, flags: 0x49) + Self.link(flags: 0x41), true),
        ]
        for (index, (bytes, isChange)) in steps.enumerated() {
            let answer = changes.receive(bytes)
            #expect(answer == isChange, "step \(index)")
        }
    }

    @Test("is passed over where it cannot be read, wherever it ends")
    func garbage() {
        var changes = NetworkChanges()
        let whole = Self.link(flags: 0x41) + Self.address() + Self.route()
        for count in 0..<16 {
            let isChange = changes.receive(Array(whole.prefix(count)))
            #expect(!isChange)
        }
        for count in 16..<whole.count { _ = changes.receive(Array(whole.prefix(count))) }
        // The lengths of messages and of attributes are wrong.
        for place in whole.indices {
            for value in [0, 1, 3, 0x7F, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[place] = value
                _ = changes.receive(bytes)
            }
        }
    }
}
