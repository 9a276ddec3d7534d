import COpenSSL

@testable import TLS

/// A session, and its received bytes. A class, so that a test can look at it in the middle of an exchange.
final class Side {
    private var session: TLSSession
    private(set) var heard: [UInt8] = []

    init(_ session: consuming TLSSession) { self.session = session }

    /// Makes a client of localhost that has begun its handshake.
    convenience init(clientTrusting configuration: TLSConfiguration) throws {
        self.init(try TLSSession(connectingTo: "localhost", TLSContext(configuration)))
    }

    var phase: TLSSession.Phase { session.phase }
    var hasEnded: Bool { session.hasEnded }
    var peer: TLSPeer? { session.peer }

    var failure: TLSError? {
        if case .failed(let error) = session.phase { error } else { nil }
    }

    func write(_ bytes: [UInt8]) { session.write(bytes.span.bytes) }
    func write(_ text: String) { write(Array(text.utf8)) }
    func finishWriting() { session.finishWriting() }
    func takeOutput() -> [UInt8] { session.takeOutput() }
    func receive(_ bytes: ArraySlice<UInt8>) { heard += session.receive(bytes.span.bytes) }
    func receive(_ bytes: [UInt8]) { receive(bytes[...]) }
    func receiveEnd() { session.receiveEnd() }

    /// Requests a key update: RFC 8446 §4.6.3.
    func updateKeys(_ kind: CInt) -> Bool { SSL_key_update(session.handle.raw, kind) == 1 }
}
