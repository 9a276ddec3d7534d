public import Contract

/// A type of message, and what its handlers are given of it.
public struct MessageRoute<Payload: Sendable>: Sendable {
    let payload: @Sendable (ServerMessage) -> Payload?

    /// `payload` is nil for messages that are none of this type.
    public init(_ payload: @escaping @Sendable (ServerMessage) -> Payload?) { self.payload = payload }
}

extension MessageRoute where Payload == ServerMessage.Ale {
    /// Somebody cheered.
    public static var ale: Self {
        Self { message in
            guard case .aleResponse(let ale?) = message else { return nil }
            return ale
        }
    }
}

extension MessageRoute where Payload == ServerMessage.Handshake {
    /// The room was entered.
    public static var handshake: Self {
        Self { message in
            guard case .handshake(let handshake?) = message else { return nil }
            return handshake
        }
    }
}

extension MessageRoute where Payload == [Member] {
    /// The match changed.
    public static var members: Self {
        Self { message in
            guard case .members(let members) = message else { return nil }
            return members
        }
    }
}

extension MessageRoute where Payload == Presence {
    /// Somebody came or went.
    public static var presence: Self {
        Self { message in
            guard case .presence(let member, let present) = message else { return nil }
            return Presence(member: member, present: present)
        }
    }
}

extension MessageRoute where Payload == String {
    /// A message of a type that is not known, by its type.
    public static var unknown: Self {
        Self { message in
            guard case .unknown(let type) = message else { return nil }
            return type
        }
    }
}
