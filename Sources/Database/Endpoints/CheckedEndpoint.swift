package import Contract
package import Crypto

/// A new endpoint that was checked: its address may be reached, and its keys are keys.
package struct CheckedEndpoint: Sendable {
    /// The endpoint as it is answered to the client.
    package let endpoint: Endpoint
    package let address: String
    package let host: String
    package var publicKey: [UInt8]?
    package var auth: [UInt8]?
    package var secret: WebhookSecret?

    package init(
        _ endpoint: Endpoint, address: String, host: String, publicKey: [UInt8]? = nil, auth: [UInt8]? = nil,
        secret: WebhookSecret? = nil
    ) {
        self.endpoint = endpoint
        self.address = address
        self.host = host
        self.publicKey = publicKey
        self.auth = auth
        self.secret = secret
    }

    /// The prefix of the names of push services.
    package static let webPush = "webpush "

    /// The push services of browsers, to which the deliveries of all users go.
    package static let pushServices =
        ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"].map {
            webPush + $0
        } + [".notify.windows.com"]

    /// Returns the host name under which all deliveries to that service share a bound and a circuit breaker.
    package static func host(of environment: PushEnvironment) -> String { "apns \(environment.rawValue)" }
}
