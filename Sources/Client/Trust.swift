import Contract
import TLS

/// The rules by which a client trusts a server. They apply to https and wss only.
public struct Trust: Sendable {
    /// The trust in the authorities of the operating system.
    public static let system = Trust(TLSConfiguration())

    private let source: TrustSource

    /// Makes a trust. `authorities` is a PEM file of certificates, which are trusted instead of those of the
    /// system. `pins` are public keys: `sha256//` and the Base64 of the SHA-256 of a SubjectPublicKeyInfo.
    /// The certificate of the server has to be trusted and have one of these keys. Add the next key before
    /// the server changes it.
    ///
    /// Reads the file at once. Throws `untrusted` if it cannot be used, or if a pin is malformed.
    public init(authorities file: String? = nil, pins: [String] = []) throws(ClientError) {
        var configuration = TLSConfiguration(authorities: file.map { .file($0) } ?? .system)
        for text in pins {
            guard let pin = TLSPin(text) else {
                throw .untrusted(
                    "\"\(text)\" is no pin. A pin is sha256// and the Base64 of 32 bytes: 44 characters.")
            }
            configuration.pins.insert(pin)
        }
        self.init(configuration)
        if file != nil { _ = try source.load() }
    }

    private init(_ configuration: TLSConfiguration) { source = TrustSource(configuration) }

    /// Returns the context from which sessions are made.
    func context() async throws(ClientError) -> TLSContext { try await source.context() }
}
