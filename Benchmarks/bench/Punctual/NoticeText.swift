import Contract

/// Reads the few JSON members of a notification that the measurement needs. It uses no decoder: ten thousand
/// notifications are due at once, and reading them takes time from the server on the same machine.
enum NoticeText {
    private static let startsAt = Array("\"startsAt\":\"".utf8)

    /// Returns the start of the slot that the notification is about.
    static func slot(of text: String) -> Timestamp? {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            guard let name = AleText.index(of: startsAt, in: bytes) else { return nil }
            let value = bytes[(name + startsAt.count)...].prefix { $0 != UInt8(ascii: "\"") }
            return Timestamp(String(decoding: value, as: UTF8.self))
        }
    }
}
