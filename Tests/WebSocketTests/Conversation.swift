import WebSocket

/// The output of a decoder, independent of how the bytes were cut and where they lay.
struct Conversation: Equatable {
    enum Message: Equatable {
        case text([UInt8])
        case binary([UInt8])
        case ping([UInt8])
        case pong([UInt8])
        case close(CloseCode?, String)
    }

    var messages: [Message] = []
    var error: WebSocketError?
    var isInsideMessage = false

    static func decode(
        _ pieces: [[UInt8]], role: Role = .server, limit: Int = 1 << 20
    ) -> Conversation {
        var conversation = Conversation()
        var decoder = MessageDecoder(role: role, maximumMessageBytes: limit)
        for piece in pieces { conversation.take(piece, &decoder) }
        conversation.isInsideMessage = decoder.isInsideMessage
        return conversation
    }

    private mutating func take(_ piece: [UInt8], _ decoder: inout MessageDecoder) {
        var piece = piece
        var offset = 0
        do throws(WebSocketError) {
            while true {
                var elements = piece.mutableSpan
                var span = elements.mutableBytes
                guard let event = try decoder.next(&span, from: &offset) else { break }
                messages.append(Self.message(event, span.bytes))
            }
        } catch {
            self.error = error
        }
    }

    private static func message(_ event: WebSocketEvent, _ buffer: RawSpan) -> Message {
        switch event {
        case .text(let payload): .text(payload.bytes(in: buffer))
        case .binary(let payload): .binary(payload.bytes(in: buffer))
        case .ping(let payload): .ping(payload.bytes(in: buffer))
        case .pong(let payload): .pong(payload.bytes(in: buffer))
        case .close(let code, let reason): .close(code, reason)
        }
    }
}

/// Returns a client's frame with a fixed key.
func masked(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = []
    FrameEncoder.maskedFrame(opcode, payload, key: 0x1234_5678, isFinal: isFinal, into: &bytes)
    return bytes
}

func masked(_ opcode: Opcode, _ text: String, isFinal: Bool = true) -> [UInt8] {
    masked(opcode, Array(text.utf8), isFinal: isFinal)
}

/// Returns a client's frame that an encoder would not write.
func rawFrame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
}
