import Reactor
import TLS

/// The interface of a connection, plain or TLS, that a transport needs. Loop only.
protocol ByteStream: AnyObject {
    func write(_ bytes: [UInt8])
    /// Stops or resumes reading.
    func setPaused(_ paused: Bool)
    /// Announces that no more will be written, once everything written has been sent.
    func finishWriting()
    func close()
}

extension Reactor.Stream: ByteStream {}

extension TLSStream: ByteStream {}
