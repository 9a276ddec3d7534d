import WebSocket

/// Reads the bytes of a connection after its handshake.
///
/// Oracle: the messages and the error are the same however the bytes are cut; no message is over the limit,
/// and no text is other than UTF-8; and the messages, written again by the other side's encoder, are read as
/// the same.
enum WebSocketFuzz {
    private enum Message: Equatable {
        case text([UInt8])
        case binary([UInt8])
        case ping([UInt8])
        case pong([UInt8])
        case close(CloseCode?, String)
    }

    private struct Conversation: Equatable {
        var messages: [Message] = []
        var error: WebSocketError?
        var isFinished = false
        var isInsideMessage = false
    }

    /// A small limit, so that short inputs reach it.
    private static let limit = 300

    static func test(_ input: [UInt8], role: Role) {
        let whole = read([input], role)
        expect(whole == read(Cuts.pieces(of: input), role), "the messages depend on the cuts")
        expect(whole.error == nil || whole.isFinished, "reading goes on after an error")
        for message in whole.messages { check(message) }
        let again = read([write(whole.messages, to: role)], role)
        expect(again.messages == whole.messages && again.error == nil, "the messages changed in writing")
    }

    private static func check(_ message: Message) {
        switch message {
        case .text(let bytes):
            expect(bytes.count <= limit, "a text is over the limit")
            expect(String(validating: bytes, as: UTF8.self) != nil, "a text is not UTF-8")
        case .binary(let bytes): expect(bytes.count <= limit, "a message is over the limit")
        case .ping(let bytes), .pong(let bytes): expect(bytes.count <= 125, "a control frame is too long")
        case .close(let code, let reason):
            expect(code?.mayBeSent != false, "a close code may not be sent")
            expect(reason.utf8.count <= 123, "a reason is too long")
        }
    }

    private static func read(_ pieces: [[UInt8]], _ role: Role) -> Conversation {
        var conversation = Conversation()
        var decoder = MessageDecoder(role: role, maximumMessageBytes: limit)
        for var piece in pieces {
            var offset = 0
            do throws(WebSocketError) {
                while true {
                    var elements = piece.mutableSpan
                    var span = elements.mutableBytes
                    guard let event = try decoder.next(&span, from: &offset) else { break }
                    conversation.messages.append(message(event, span.bytes))
                }
            } catch {
                conversation.error = error
            }
            expect(offset == piece.count, "bytes were left over")
        }
        conversation.isFinished = decoder.isFinished
        conversation.isInsideMessage = decoder.isInsideMessage
        return conversation
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

    private static func write(_ messages: [Message], to role: Role) -> [UInt8] {
        var bytes: [UInt8] = []
        func frame(_ opcode: Opcode, _ payload: [UInt8]) {
            switch role {
            case .server: FrameEncoder.maskedFrame(opcode, payload, key: 0x1234_5678, into: &bytes)
            case .client: FrameEncoder.frame(opcode, payload, into: &bytes)
            }
        }
        for message in messages {
            switch message {
            case .text(let payload): frame(.text, payload)
            case .binary(let payload): frame(.binary, payload)
            case .ping(let payload): frame(.ping, payload)
            case .pong(let payload): frame(.pong, payload)
            case .close(let code, let reason):
                switch role {
                case .server: FrameEncoder.maskedClose(code, reason: reason, key: 0xFFFF_0001, into: &bytes)
                case .client: FrameEncoder.close(code, reason: reason, into: &bytes)
                }
            }
        }
        return bytes
    }
}
