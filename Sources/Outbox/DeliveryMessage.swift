package import Contract
package import Crypto

/// A message to an endpoint, and the target by which it is delivered.
package struct DeliveryMessage: Sendable {
    package enum Target: Sendable {
        /// A webhook; `secrets` are those that are valid now, the newest first.
        case webhook(url: String, secrets: [WebhookSecret], isVerified: Bool)
        case apns(deviceToken: String, environment: PushEnvironment)
        case webpush(url: String, publicKey: [UInt8], auth: [UInt8], isVerified: Bool)
        /// The endpoint was disabled after the message was written.
        case disabled(reason: Text)
    }

    package enum Content: Sendable {
        case notification(Contract.UserNotification)
        case test(endpoint: Identifier, writtenAt: Timestamp)
        /// The last push of a browser whose session has expired.
        case farewell(endpoint: Identifier, writtenAt: Timestamp)
    }

    package let kind: EndpointKind
    package let target: Target
    package let content: Content
    /// The language of the texts that a device shows.
    package let language: Language

    package init(
        kind: EndpointKind, target: Target, content: Content, language: Language
    ) {
        self.kind = kind
        self.target = target
        self.content = content
        self.language = language
    }

    package static let testType = "test"
    /// The type of the challenge that asks a webhook's receiver whether it wants notifications.
    package static let challengeType = "endpoint.challenge"
}

extension DeliveryMessage.Content {
    package var notification: Contract.UserNotification? {
        if case .notification(let notification) = self { notification } else { nil }
    }

    /// The name of the type.
    package var type: String {
        switch self {
        case .notification(let notification): notification.type
        case .test: DeliveryMessage.testType
        // The last push of a browser whose session has expired.
        case .farewell: "signed-out"
        }
    }

    /// The instant that lateness is counted from.
    package var writtenAt: Timestamp {
        switch self {
        case .notification(let notification): notification.createdAt
        case .test(_, let writtenAt), .farewell(_, let writtenAt): writtenAt
        }
    }

    /// The subject of the message. Of two pushes about the same subject, a device shows the later one.
    package var subject: Identifier {
        switch self {
        case .test(let endpoint, _), .farewell(let endpoint, _): endpoint
        case .notification(let notification):
            switch notification.data {
            case .roomOpened(let details), .roomChanged(let details): details.registrationId
            case .sessionMissed(let session), .sessionLapsed(let session): session.registrationId
            case .sessionCompleted(let summary): summary.registrationId
            case .slotPartnered(let slot), .slotAlone(let slot): slot.registrationId
            case .announcement, .unknown: Identifier(value: UInt128(UInt64(bitPattern: notification.id)))
            }
        }
    }
}
