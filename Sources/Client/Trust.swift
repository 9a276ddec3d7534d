import TLS

/// Whom a client believes that a server is the one that was meant. It is asked for https and wss only.
public struct Trust: Sendable {
    /// The authorities of the operating system.
    public static let system = Trust(TLSConfiguration())

    private let source: TrustSource

    /// `authorities` is a file of certificates in PEM form, which are trusted instead of the system's. `pins`
    /// are public keys, `sha256//` and the Base64 of the SHA-256 of a SubjectPublicKeyInfo: the server's
    /// certificate has to have one of them, besides being trusted. Give the next key too, before the server
    /// changes it.
    ///
    /// Throws `untrusted` where the file cannot be used, or a pin is none. Reads the file now.
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

    /// What sessions are made from.
    func context() async throws(ClientError) -> TLSContext { try await source.context() }
}
