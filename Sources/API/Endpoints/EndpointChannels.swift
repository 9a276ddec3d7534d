package import Contract
package import Settings

/// The channels by which this server can deliver notifications.
package struct EndpointChannels: Sendable {
    /// Whether webhooks may go to private network addresses.
    package let allowsPrivate: Bool
    /// Whether webhooks get nothing but a challenge until they have echoed it.
    package let verifiesWebhooks: Bool
    /// The push services that need not be verified, as `PUSH_SERVICES` lists them.
    package let pushServices: [String]
    package let hasAPNs: Bool
    /// The key that browsers subscribe with.
    package let pushKey: String

    package init(_ configuration: ServerConfiguration, pushKey: String) {
        allowsPrivate = configuration.allowPrivateWebhooks == .on
        verifiesWebhooks = configuration.verifyWebhooks == .on
        pushServices = configuration.pushServices
        hasAPNs = configuration.apns != nil
        self.pushKey = pushKey
    }

    /// Whether the URL is one of a listed push service, at the usual port.
    func isListed(_ url: WebURL) -> Bool {
        PushServices(pushServices).contain(url)
    }

    package func check(_ kind: EndpointKind) throws(RequestError) {
        if kind == .apns, !hasAPNs {
            throw .invalid(at: "/kind", "This server sends nothing to Apple's push service.")
        }
    }
}
