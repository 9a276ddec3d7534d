import Contract
import TLS

/// The rules by which a client trusts a server. They apply to https and wss only.
public struct Trust: Sendable {
    /// The trust in the authorities of the operating system.
    public static let system = Trust(TLSConfiguration())

    private let source: TrustSource

    /// Makes a trust. `authorities` is a file of certificates in PEM form, which are trusted instead of the
    /// system's. `pins` are public keys, `sha256//` and the Base64 of the SHA-256 of a SubjectPublicKeyInfo:
    /// the server's certificate has to be trusted and have one of them. Give the next key too, before the
    /// server changes it.
    ///
    /// Throws `untrusted` if the file cannot be used, or a pin is malformed. Reads the file now.
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
