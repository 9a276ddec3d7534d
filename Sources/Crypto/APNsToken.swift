/// The provider token of Apple's push service: a JSON Web Token with the ids of the team and the key.
package struct APNsToken: Sendable {
    package let text: String

    /// Creates a token. `issuedAt` is in seconds since 1970. The service accepts a token for an hour, and no
    /// new one within 20 minutes.
    package init(
        keyId: String, teamId: String, issuedAt: Int64, key: P256PrivateKey
    ) throws(CryptoError) {
        text = try JSONWebToken.signed(
            header: #"{"alg":"ES256","kid":\#(JSONWebToken.quoted(keyId))}"#,
            claims: #"{"iss":\#(JSONWebToken.quoted(teamId)),"iat":\#(issuedAt)}"#, with: key)
    }
}
