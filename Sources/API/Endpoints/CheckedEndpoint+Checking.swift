import Codecs
package import Contract
package import Crypto
import Database
import OutboundHTTP
import Reactor
import Settings

extension CheckedEndpoint {
    /// Checks a new endpoint; throws the error of the first invalid member of the body. A webhook has the
    /// secret.
    package init(
        _ new: NewEndpoint, id: Identifier, secret: WebhookSecret = .make(), at now: Timestamp,
        channels: EndpointChannels
    ) throws(RequestError) {
        try channels.check(new.target.kind)
        let types = new.types.map { $0.map(\.rawValue) }
        switch new.target {
        case .webhook(let text):
            let url = try Self.url(text, channels)
            let endpoint = Endpoint(
                id: id, kind: .webhook, url: text, types: types,
                state: channels.verifiesWebhooks ? .unverified : .active, createdAt: now,
                secret: secret.text)
            self.init(endpoint, address: text, host: url.authority, secret: secret)
        case .apns(let deviceToken, let environment):
            let endpoint = Endpoint(
                id: id, kind: .apns, deviceToken: deviceToken, environment: environment, types: types,
                createdAt: now)
            self.init(endpoint, address: deviceToken, host: Self.host(of: environment))
        case .webpush(let text, let p256dh, let auth):
            let url = try Self.url(text, channels)
            let publicKey = Base64URL.decode(Self.unpadded(p256dh)) ?? []
            let authBytes = Base64URL.decode(Self.unpadded(auth)) ?? []
            do throws(CryptoError) {
                _ = try P256PublicKey(bytes: publicKey)
            } catch {
                throw .invalid(at: "/p256dh", "p256dh is no point of the curve P-256, in base64url.")
            }
            guard authBytes.count == PushEncryption.authLength else {
                throw .invalid(at: "/auth", "auth has to be \(PushEncryption.authLength) bytes in base64url.")
            }
            let isTrusted = !channels.verifiesWebhooks || channels.pushServices.contain(url)
            let endpoint = Endpoint(
                id: id, kind: .webpush, url: text, types: types, state: isTrusted ? .active : .unverified,
                createdAt: now)
            // A user's webhook at the same host must not slow down a push service.
            self.init(
                endpoint, address: text, host: Self.webPush + url.authority, publicKey: publicKey,
                auth: authBytes)
        }
    }

    /// Reads the URL of an endpoint, and refuses private addresses. A host name is checked when something is
    /// sent, since its address may change.
    private static func url(_ text: String, _ channels: EndpointChannels) throws(RequestError) -> WebURL {
        let url: WebURL
        do throws(ValidationError) { url = try WebURL(text) } catch { throw .invalid(at: "/url", error.text) }
        let numeric = SocketAddress(numeric: url.host, port: url.port)
        let isReserved = numeric.map { !AddressPolicy.isPublic($0.addressBytes) } ?? (url.host == "localhost")
        if isReserved && !channels.allowsPrivate {
            throw .invalid(at: "/url", "\(url.host) is no address of the public Internet.")
        }
        return url
    }

    private static func unpadded(_ text: String) -> String {
        String(text.reversed().drop { $0 == "=" }.reversed())
    }
}
