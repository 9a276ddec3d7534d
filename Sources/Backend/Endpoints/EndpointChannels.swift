import Contract

/// What this server can deliver by.
struct EndpointChannels: Sendable {
    /// Whether webhooks may go to addresses inside of the network.
    var allowsPrivate = false
    /// Whether webhooks get nothing but a challenge until they have echoed it.
    var verifiesWebhooks = false
    var hasAPNs = false
    /// What browsers subscribe with; nil: nothing goes to browsers.
    var pushKey: String?

    func check(_ kind: EndpointKind) throws(RequestError) {
        let reason: String? =
            switch kind {
            case .webhook: nil
            case .apns: hasAPNs ? nil : "This server sends nothing to Apple's push service."
            case .webpush: pushKey == nil ? "This server sends nothing to browsers." : nil
            }
        if let reason { throw .invalid([FieldError(pointer: "/kind", detail: reason)]) }
    }
}
