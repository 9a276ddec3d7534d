import Client
import Contract
import Testing
import WebSocket

/// Tests of RFC 6455 §5 to §8, in a room.
@Suite("Frames in a room", .timeLimit(.minutes(5)))
struct SocketFrameTests {
    /// Names, the bytes that are sent in one piece, and the code of the close frame.
    private static let protocolErrors: [(String, [UInt8])] = [
        ("not masked", [0x81, 0x01, 0x20]), ("a ping that is not masked", [0x89, 0x00]),
        ("a close that is not masked", [0x88, 0x02, 0x03, 0xE8]),
        ("RSV1", frame(0xC1, "a")), ("RSV2", frame(0xA1, "a")), ("RSV3", frame(0x92, "a")),
        ("RSV1 on a ping", frame(0xC9)), ("RSV1 on a continuation", frame(0x01, "a") + frame(0xC0, "b")),
        ("a continuation of nothing", frame(0x80, "a")), ("one that goes on", frame(0x00, "a")),
        ("text inside text", frame(0x01, "a") + frame(0x81, "b")),
        ("binary inside text", frame(0x01, "a") + frame(0x82, "b")),
        ("text inside binary, behind a ping", frame(0x02, "a") + frame(0x89) + frame(0x01, "b")),
        ("a continuation behind the end", frame(0x01, "a") + frame(0x80, "b") + frame(0x80, "c")),
        ("a ping in fragments", frame(0x09)), ("a pong in fragments", frame(0x0A)),
        ("a close in fragments", frame(0x08)), ("a ping of 126 bytes", long(0x89, 126)),
        ("a pong of 126 bytes", long(0x8A, 126)), ("a close of 126 bytes", long(0x88, 126)),
        ("a ping with a length of 8 bytes", [0x89, 0xFF, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0]),
        ("125 in 2 bytes", [0x81, 0xFE, 0, 125, 0, 0, 0, 0]),
        ("65535 in 8 bytes", [0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0]),
        ("the highest bit", [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("all bits", [0x82] + [UInt8](repeating: 0xFF, count: 13)),
        ("a close code of one byte", frame(0x88, "\u{3}")),
    ]

    private static let reservedOpcodes: [(String, [UInt8])] =
        ([3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF] as [UInt8])
        .map { ("opcode \($0)", frame(0x80 | $0)) }

    private static let closeCodes: [(String, [UInt8])] =
        ([0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535] as [UInt16])
        .map { ("close \($0)", close($0)) }

    private static let badTexts: [(String, [UInt8])] = [
        ("in a whole frame", frame(0x81, [0x61, 0xFF])), ("a surrogate", frame(0x81, [0xED, 0xA0, 0x80])),
        ("an overlong form", frame(0x81, [0xC0, 0xAF])),
        ("past the end", frame(0x81, [0xF4, 0x90, 0x80, 0x80])),
        ("cut off", frame(0x81, [0xE2, 0x82])),
        ("cut off by an empty last fragment", frame(0x01, [0xE2, 0x82]) + frame(0x80)),
        (
            "in the middle of a frame, before its end",
            Array(frame(0x81, [0xFF] + [UInt8](repeating: 1, count: 90))[..<9])
        ),
        ("in a fragment, before the last", frame(0x01, [0x61, 0xFF])),
        ("between two fragments", frame(0x01, [0xE2, 0x82]) + frame(0x89) + frame(0x00, [0x41])),
        ("in the reason of a close", close(1000, [0xFF])), ("cut off there", close(1000, [0xC3])),
    ]

    private static let tooLong: [(String, [UInt8])] = [
        ("in one frame", long(0x82, 4097)), ("announced", Array(long(0x82, 4097)[..<8])),
        ("with the largest length", [0x82, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 11)),
        ("over fragments", long(0x02, 2048) + long(0x00, 2048) + frame(0x80, "a")),
        ("announced by a fragment", long(0x02, 4096) + Array(frame(0x00, "a")[..<6])),
    ]

    @Test("what breaks the protocol ends with 1002")
    func breaksProtocol() async throws {
        try await expect(1002, Self.protocolErrors + Self.reservedOpcodes + Self.closeCodes)
    }

    @Test("text that is not UTF-8 ends with 1007, as soon as that is certain")
    func notText() async throws { try await expect(1007, Self.badTexts) }

    @Test("a message over 4 KiB ends with 1009, as soon as it is announced")
    func overLimit() async throws { try await expect(1009, Self.tooLong) }

    @Test("a close is answered with its own code")
    func echoes() async throws {
        try await inRoom { open in
            for code in [1000, 1001, 1002, 1003, 1007, 1011, 1014, 3000, 3999, 4000, 4999] as [UInt16] {
                let socket = try await open()
                await socket.send(raw: Self.close(code, Array("bye".utf8)) + Self.frame(0x89, "never read"))
                #expect(try await socket.close() == .closed(code, ""))
            }
            let silent = try await open()
            await silent.send(raw: Self.frame(0x88))
            #expect(try await silent.close() == .closed(nil, ""))
        }
    }

    @Test("whatever is right is taken: fragments, pings between them, 4 KiB, characters that are cut")
    func taken() async throws {
        try await inRoom { open in
            let socket = try await open()
            #expect(try await socket.next() == .binary("{\"type\":\"handshake\"}"))
            for bytes in [
                Self.long(0x82, 4096), Self.long(0x02, 2048) + Self.frame(0x89) + Self.long(0x80, 2048),
                Self.frame(0x01, [0xF0, 0x9F]) + Self.frame(0x00, [0x8D]) + Self.frame(0x80, [0xBA]),
                Self.frame(0x01) + [[UInt8]](repeating: Self.frame(0x00), count: 500).joined()
                    + Self.frame(0x80),
                Self.frame(0x8A, "nobody asked"), Self.frame(0x81), Self.frame(0x82),
            ] {
                await socket.send(raw: bytes + Self.long(0x89, 125))
                var pongs = bytes.count == 4096 + 22 ? 2 : 1
                while pongs > 0 {
                    #expect(try await socket.next() == .pong)
                    pongs -= 1
                }
            }
        }
    }

    private func expect(_ code: UInt16, _ table: [(String, [UInt8])]) async throws {
        try await inRoom { open in
            for (name, bytes) in table {
                let socket = try await open()
                await socket.send(raw: bytes)
                guard case .closed(let found, _) = try await socket.close() else {
                    Issue.record("\(name): no close frame")
                    continue
                }
                #expect(found == code, "\(name)")
            }
        }
    }

    private func inRoom(_ body: (() async throws -> RoomSocket) async throws -> Void) async throws {
        try await Stage.withPerson { stage, _, ada in
            let room = try await ada.enter(stage.grid.openSlot).roomId
            try await body { try await RoomSocket.open(room, as: ada, version: 1) }
        }
    }

    /// Returns a masked frame with that first byte.
    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let key: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        let count = payload.count
        let length =
            count < 126 ? [0x80 | UInt8(count)] : [0xFE, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
        return [first] + length + key + payload.enumerated().map { $1 ^ key[$0 & 3] }
    }

    private static func frame(_ first: UInt8, _ text: String = "") -> [UInt8] {
        frame(first, Array(text.utf8))
    }

    private static func long(_ first: UInt8, _ count: Int) -> [UInt8] {
        frame(first, [UInt8](repeating: 0x20, count: count))
    }

    private static func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
        frame(0x88, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + reason)
    }
}
