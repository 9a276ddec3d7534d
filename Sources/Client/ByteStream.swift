import Reactor
import TLS

/// What a transport needs of a connection, plain or TLS. Loop only.
protocol ByteStream: AnyObject {
    func write(_ bytes: [UInt8])
    /// Stops or resumes reading.
    func setPaused(_ paused: Bool)
    /// Says that no more will be written, once what was written has left.
    func finishWriting()
    func close()
}

extension Reactor.Stream: ByteStream {}

extension TLSStream: ByteStream {}
