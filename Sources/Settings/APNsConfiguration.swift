package import Crypto

/// How this server speaks to Apple's push service.
package struct APNsConfiguration: Equatable, Sendable {
    /// In PEM, as in a `.p8` file; checked when it was read.
    package var key: String
    package var keyID: String
    package var teamID: String
    /// The app's bundle identifier.
    package var topic: String
    /// Instead of Apple's addresses, for tests.
    package var url: String?

    package init(key: String, keyID: String, teamID: String, topic: String, url: String? = nil) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.topic = topic
        self.url = url
    }

    /// The key, read. Throws where its text is no private key of the curve P-256 in PEM.
    package func privateKey() throws(CryptoError) -> P256PrivateKey {
        try P256PrivateKey(pem: Array(key.utf8) + [UInt8(ascii: "\n")])
    }
}
