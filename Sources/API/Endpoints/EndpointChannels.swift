package import Contract
import Settings

/// The channels by which this server can deliver notifications.
package struct EndpointChannels: Sendable {
    /// Whether webhooks may go to private network addresses.
    package var allowsPrivate = false
    /// Whether webhooks get nothing but a challenge until they have echoed it.
    package var verifiesWebhooks = false
    /// The push services that need not be verified, as `PUSH_SERVICES` lists them.
    package var pushServices: [String] = []
    package var hasAPNs = false
    /// The key that browsers subscribe with; nil if this server sends nothing to browsers.
    package var pushKey: String?

    package init(
        allowsPrivate: Bool = false, verifiesWebhooks: Bool = false,
        pushServices: [String] = [], hasAPNs: Bool = false,
        pushKey: String? = nil
    ) {
        self.allowsPrivate = allowsPrivate
        self.verifiesWebhooks = verifiesWebhooks
        self.pushServices = pushServices
        self.hasAPNs = hasAPNs
        self.pushKey = pushKey
    }

    /// Whether the URL is one of a listed push service, at the usual port.
    func isListed(_ url: WebURL) -> Bool {
        PushServices(pushServices).contain(url)
    }

    package func check(_ kind: EndpointKind) throws(RequestError) {
        let reason: Text? =
            switch kind {
            case .webhook: nil
            case .apns: hasAPNs ? nil : "This server sends nothing to Apple's push service."
            case .webpush: pushKey == nil ? "This server sends nothing to browsers." : nil
            }
        if let reason { throw .invalid(at: "/kind", reason) }
    }
}
