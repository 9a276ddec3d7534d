import Reactor
import TLS

/// The source of a TLS context, which is made when it is first needed, since the system's authorities take a
/// while to read, and is then shared by all copies of the trust.
final class TrustSource: Sendable {
    private let configuration: TLSConfiguration
    private let made = Lock<TLSContext?>(nil)

    init(_ configuration: TLSConfiguration) { self.configuration = configuration }

    func context() async throws(ClientError) -> TLSContext {
        if let context = made.withLock({ $0 }) { return context }
        return try await BlockingThread.run { () throws(ClientError) in try self.load() }
    }

    /// Reads from the disk, which blocks. Of two concurrent calls both read, and the first context is kept.
    func load() throws(ClientError) -> TLSContext {
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
