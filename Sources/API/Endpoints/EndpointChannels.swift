package import Contract
package import Settings

/// The channels by which this server can deliver notifications.
package struct EndpointChannels: Sendable {
    /// Whether webhooks may go to private network addresses.
    package let allowsPrivate: Bool
    /// Whether webhooks get nothing but a challenge until they have echoed it.
    package let verifiesWebhooks: Bool
    /// The push services that need not be verified, as `PUSH_SERVICES` lists them.
    package let pushServices: PushServices
    package let hasAPNs: Bool
    /// The key that browsers subscribe with.
    package let pushKey: String

    package init(_ configuration: ServerConfiguration, pushKey: String) {
        allowsPrivate = configuration.allowPrivateWebhooks == .on
        verifiesWebhooks = configuration.verifyWebhooks == .on
        pushServices = PushServices(configuration.pushServices)
        hasAPNs = configuration.apns != nil
        self.pushKey = pushKey
    }

    package func check(_ kind: EndpointKind) throws(RequestError) {
        if kind == .apns, !hasAPNs {
            throw .invalid(at: "/kind", "This server sends nothing to Apple's push service.")
        }
    }
}
