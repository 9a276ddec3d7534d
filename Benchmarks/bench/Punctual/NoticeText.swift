import Contract

/// Reads the few JSON members of a notification that the measurement needs. It uses no decoder: ten thousand
/// notifications are due at once, and reading them takes time from the server on the same machine.
enum NoticeText {
    /// Returns the start of the slot that the notification is about.
    static func slot(of text: String) -> Timestamp? {
        self.text("startsAt", of: text).flatMap { Timestamp($0) }
    }

    /// Returns the first member of that name that is a string without escapes.
    static func text(_ name: String, of text: String) -> String? {
        let start = Array("\"\(name)\":\"".utf8)
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            guard let name = AleText.index(of: start, in: bytes) else { return nil }
            let value = bytes[(name + start.count)...].prefix { $0 != UInt8(ascii: "\"") }
            return String(decoding: value, as: UTF8.self)
        }
    }
}
