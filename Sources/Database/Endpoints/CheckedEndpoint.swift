package import Contract
package import Crypto

/// A new endpoint that makes sense: its address may be reached, its keys are keys.
package struct CheckedEndpoint: Sendable {
    /// As it is answered.
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

    /// Before the names of push services.
    package static let webPush = "webpush "

    /// The push services of browsers, to which everybody's deliveries go.
    package static let pushServices =
        ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"].map {
            webPush + $0
        } + [".notify.windows.com"]

    /// What all that goes to that service shares a bound and a circuit under.
    package static func host(of environment: PushEnvironment) -> String { "apns \(environment.rawValue)" }
}
