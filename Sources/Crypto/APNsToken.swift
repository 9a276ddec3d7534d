/// The provider token of Apple's push service: a JSON Web Token that says which team asks, under which key.
package struct APNsToken: Sendable {
    package let text: String

    /// `issuedAt`: seconds since 1970. The service takes a token for an hour, and no new one within 20
    /// minutes.
    package init(
        keyId: String, teamId: String, issuedAt: Int64, key: P256PrivateKey
    ) throws(CryptoError) {
        text = try JSONWebToken.signed(
            header: #"{"alg":"ES256","kid":\#(JSONWebToken.quoted(keyId))}"#,
            claims: #"{"iss":\#(JSONWebToken.quoted(teamId)),"iat":\#(issuedAt)}"#, with: key)
    }
}
