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

    /// Returns the names under which deliveries to these push services share bounds and circuit breakers. One
    /// that begins with a dot stands for all hosts below it.
    package static func hosts(ofPushServices services: [String]) -> [String] {
        services.map { service in
            service.hasPrefix("*.") ? "\(service.dropFirst()):443" : "\(webPush)\(service):443"
        }
    }

    /// Returns the host name under which all deliveries to that service share a bound and a circuit breaker.
    package static func host(of environment: PushEnvironment) -> String { "apns \(environment.rawValue)" }
}
