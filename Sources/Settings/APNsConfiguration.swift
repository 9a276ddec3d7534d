package import Crypto

/// The configuration of this server's access to Apple's push service.
package struct APNsConfiguration: Equatable, Sendable {
    /// The key in PEM, as in a `.p8` file; it is checked when it is read.
    package var key: String
    package var keyID: String
    package var teamID: String
    /// The app's bundle identifier.
    package var topic: String
    /// The URL to use instead of Apple's addresses, for tests.
    package var url: String?

    /// Returns the parsed key. Throws if its text is not a private key of the curve P-256 in PEM.
    package func privateKey() throws(CryptoError) -> P256PrivateKey {
        try P256PrivateKey(pem: Array(key.utf8) + [UInt8(ascii: "\n")])
    }
}
