import Testing

@testable import Contract

@Suite("The id of a room in a message")
struct IdentifierTextTests {
    private let room = Identifier(value: 0x0123_4567_89ab_4cde_8f01_2345_6789_abcd)

    private func read(_ text: String) -> ClientMessage {
        ClientMessage.read(Array(text.utf8).span.bytes, room: IdentifierText(room))
    }

    @Test("an ale is taken in lower case, in upper case and in a mixture")
    func spellings() {
        let lower = room.description
        let mixed = String(lower.prefix(20)) + lower.dropFirst(20).uppercased()
        for id in [lower, lower.uppercased(), mixed] {
            #expect(read("{\"type\":\"ale\",\"id\":\"\(id)\"}") == .ale(messageId: nil, namesRoom: true))
        }
    }

    @Test("an ale whose id differs in any one character is for another room")
    func otherRooms() {
        let text = Array(room.description.utf8)
        for index in text.indices {
            var other = text
            other[index] = other[index] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
            let id = String(decoding: other, as: UTF8.self)
            #expect(read("{\"type\":\"ale\",\"id\":\"\(id)\"}") == .wrongRoom(messageId: nil), "\(id)")
        }
    }

    @Test("the plain frame and the parsed one are read alike, whatever byte is another")
    func alike() {
        let plain = Array("{\"type\":\"ale\",\"id\":\"\(room)\"}".utf8)
        for index in plain.indices {
            for byte: UInt8 in [0, 0x10, 0x20, 0x22, 0x41, 0x61, 0x7d, 0xff] {
                var changed = plain
                changed[index] = byte
                let fast = ClientMessage.read(changed.span.bytes, room: IdentifierText(room))
                #expect(
                    fast == ClientMessage.read(changed.span.bytes, room: room), "byte \(byte) at \(index)")
            }
        }
    }
}
