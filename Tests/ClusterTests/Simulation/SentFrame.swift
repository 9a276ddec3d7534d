import Glibc

/// A frame that a server sends.
enum SentFrame: Sendable {
    case handshake(epoch: String, seq: Int64, recovered: Bool)
    case acknowledgement(id: String, seq: Int64)
    case ale(seq: Int64)
    case other

    /// Reads a frame; only as much as the checks need, since worlds are many.
    init(_ bytes: UnsafeRawBufferPointer) {
        guard let kind = Self.text("\"type\":\"", in: bytes) else {
            self = .other
            return
        }
        switch kind {
        case "handshake":
            self = .handshake(
                epoch: Self.text("\"epoch\":\"", in: bytes) ?? "",
                seq: Self.number("\"seq\":", in: bytes) ?? 0,
                recovered: Self.find("\"recovered\":true", in: bytes) != nil)
        case "ack":
            self = .acknowledgement(
                id: Self.text("\"messageId\":\"", in: bytes) ?? "",
                seq: Self.number("\"seq\":", in: bytes) ?? 0)
        case "aleResponse": self = .ale(seq: Self.number("\"seq\":", in: bytes) ?? 0)
        default: self = .other
        }
    }

    /// Reads the frames of one delivery.
    static func frames(in bytes: [UInt8]) -> [SentFrame] {
        var frames: [SentFrame] = []
        bytes.withUnsafeBytes { all in
            var start = 0
            while let end = find("\n", in: UnsafeRawBufferPointer(rebasing: all[start...])) {
                frames.append(SentFrame(UnsafeRawBufferPointer(rebasing: all[start..<start + end])))
                start += end
            }
        }
        return frames
    }

    /// Returns the index after the first appearance of a text.
    private static func find(_ text: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        let (end, count) = (start + bytes.count, text.utf8CodeUnitCount)
        var place = start
        while place + count <= end, let found = memchr(place, CInt(text.utf8Start[0]), end - place) {
            place = UnsafeRawPointer(found)
            guard place + count <= end else { return nil }
            if memcmp(place, text.utf8Start, count) == 0 { return place - start + count }
            place += 1
        }
        return nil
    }

    private static func text(_ name: StaticString, in bytes: UnsafeRawBufferPointer) -> String? {
        find(name, in: bytes).map { start in
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += 1 }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
    }

    private static func number(_ name: StaticString, in bytes: UnsafeRawBufferPointer) -> Int64? {
        find(name, in: bytes).map { start in
            var number: Int64 = 0
            var end = start
            while end < bytes.count, bytes[end] &- UInt8(ascii: "0") < 10 {
                number = number * 10 + Int64(bytes[end] - UInt8(ascii: "0"))
                end += 1
            }
            return number
        }
    }
}
