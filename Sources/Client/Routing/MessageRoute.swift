public import Contract

/// A type of message, and the payload that its handlers are given.
public struct MessageRoute<Payload: Sendable>: Sendable {
    let payload: @Sendable (ServerMessage) -> Payload?

    /// Makes a route; `payload` returns nil for messages of other types.
    public init(_ payload: @escaping @Sendable (ServerMessage) -> Payload?) { self.payload = payload }
}

extension MessageRoute where Payload == ServerMessage.Ale {
    /// The messages about ales of others.
    public static var ale: Self {
        Self { if case .aleResponse(let ale?) = $0 { ale } else { nil } }
    }
}

extension MessageRoute where Payload == ServerMessage.Handshake {
    /// The messages about entries of this connection into the room.
    public static var handshake: Self {
        Self { if case .handshake(let handshake?) = $0 { handshake } else { nil } }
    }
}

extension MessageRoute where Payload == [Member] {
    /// The messages about changes of the match.
    public static var members: Self {
        Self { if case .members(let members) = $0 { members } else { nil } }
    }
}

extension MessageRoute where Payload == Presence {
    /// The messages about members that come or go.
    public static var presence: Self {
        Self { message in
            guard case .presence(let member, let present) = message else { return nil }
            return Presence(member: member, present: present)
        }
    }
}

extension MessageRoute where Payload == String {
    /// The messages of an unknown type; the payload is the type.
    public static var unknown: Self {
        Self { if case .unknown(let type) = $0 { type } else { nil } }
    }
}
