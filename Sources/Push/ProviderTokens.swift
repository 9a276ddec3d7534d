import Contract
import Crypto
import Reactor
import Settings

/// The token that goes with every push to Apple. The service accepts a token for an hour, and no new one
/// within twenty minutes.
final class ProviderTokens: Sendable {
    private static let lifetime = Duration.seconds(50 * 60)
    private static let shortest = Duration.seconds(20 * 60)

    private struct State {
        var token: APNsToken?
        var issuedAt = Timestamp(seconds: 0)
    }

    private let key: P256PrivateKey
    private let keyID: String
    private let teamID: String
    private let state = Lock(State())

    init(_ configuration: APNsConfiguration) throws(CryptoError) {
        key = try configuration.privateKey()
        keyID = configuration.keyID
        teamID = configuration.teamID
    }

    package func token(at now: Timestamp) throws -> String {
        try state.withLock { state in
            let age = now.since(state.issuedAt)
            if let token = state.token, age < Self.lifetime, age >= .zero { return token.text }
            let token = try APNsToken(keyId: keyID, teamId: teamID, issuedAt: now.seconds, key: key)
            state.token = token
            state.issuedAt = now
            return token.text
        }
    }

    /// Discards a token that has expired by the service's word. Returns false if it is too early for another
    /// one.
    func expire(_ token: String, at now: Timestamp) -> Bool {
        state.withLock { state in
            // Another push may have renewed it meanwhile.
            guard state.token?.text == token else { return true }
            guard now.since(state.issuedAt) >= Self.shortest else { return false }
            state.token = nil
            return true
        }
    }
}
