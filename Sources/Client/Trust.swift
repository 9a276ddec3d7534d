import Contract
import Reactor
import TLS

/// The rules by which a client trusts a server. They apply to https and wss only.
public struct Trust: Sendable {
    /// The trust in the authorities of the operating system.
    public static let system = Trust(TLSConfiguration())

    private let configuration: TLSConfiguration
    /// The context, which is made when it is first needed, since the system's authorities take a while to
    /// read. All copies of the trust share it.
    private let made = Lock<TLSContext?>(nil)

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
        if file != nil { _ = try load() }
    }

    private init(_ configuration: TLSConfiguration) { self.configuration = configuration }

    /// Returns the context from which sessions are made.
    func context() async throws(ClientError) -> TLSContext {
        if let context = made.withLock({ $0 }) { return context }
        return try await BlockingThread.run { () throws(ClientError) in try load() }
    }

    /// Reads from the disk, which blocks. Of two concurrent calls both read, and the first context is kept.
    private func load() throws(ClientError) -> TLSContext {
        let context: TLSContext
        do throws(TLSError) {
            context = try TLSContext(configuration)
        } catch {
            throw ClientError(error)
        }
        return made.withLock { made in
            let kept = made ?? context
            made = kept
            return kept
        }
    }
}
