import Crypto

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
}
