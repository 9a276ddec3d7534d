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
        Self { message in
            guard case .aleResponse(let ale?) = message else { return nil }
            return ale
        }
    }
}

extension MessageRoute where Payload == ServerMessage.Handshake {
    /// The messages about entries of this connection into the room.
    public static var handshake: Self {
        Self { message in
            guard case .handshake(let handshake?) = message else { return nil }
            return handshake
        }
    }
}

extension MessageRoute where Payload == [Member] {
    /// The messages about changes of the match.
    public static var members: Self {
        Self { message in
            guard case .members(let members) = message else { return nil }
            return members
        }
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
        Self { message in
            guard case .unknown(let type) = message else { return nil }
            return type
        }
    }
}
