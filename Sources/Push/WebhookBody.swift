import Contract

/// The body of a webhook, in the form of Standard Webhooks.
struct WebhookBody<Data: Encodable>: Encodable {
    let type: String
    let timestamp: Timestamp
    let data: Data
}
