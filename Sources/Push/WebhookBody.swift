import Contract
import Outbox

/// The body of a webhook, in the form of Standard Webhooks.
struct WebhookBody: Encodable {
    package let content: DeliveryMessage.Content

    private enum Key: String, CodingKey { case type, timestamp, data }

    private struct Test: Encodable {
        let endpointId: Identifier
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch content {
        case .notification(let notification):
            try container.encode(notification.type, forKey: .type)
            try container.encode(notification.createdAt, forKey: .timestamp)
            try container.encode(notification.data, forKey: .data)
        case .test(let endpoint, let writtenAt):
            try container.encode(DeliveryMessage.testType, forKey: .type)
            try container.encode(writtenAt, forKey: .timestamp)
            try container.encode(Test(endpointId: endpoint), forKey: .data)
        case .farewell(let endpoint, let writtenAt):
            try container.encode(DeliveryMessage.farewellType, forKey: .type)
            try container.encode(writtenAt, forKey: .timestamp)
            try container.encode(Test(endpointId: endpoint), forKey: .data)
        }
    }
}
