import Testing
import WebSocket

/// Tests of the closing handshake: RFC 6455 §7.
struct CloseHandshakeTests {
    @Test("the peer's close is echoed once, then the transport closes")
    func peerFirst() {
        var handshake = CloseHandshake()
        #expect(handshake.closeReceived(.normal) == .send(.normal))
        #expect(!handshake.isOpen)
        #expect(handshake.closeReceived(.normal) == .nothing)
        #expect(handshake.closeWanted(.goingAway) == .nothing)
        #expect(handshake.closeWritten() == .closeTransport)
        #expect(handshake.phase == .done)
    }

    @Test("our close waits for the peer's")
    func oursFirst() {
        var handshake = CloseHandshake()
        #expect(handshake.closeWanted(.goingAway) == .send(.goingAway))
        #expect(handshake.closeWritten() == .nothing)
        #expect(handshake.closeWanted(.normal) == .nothing)
        #expect(handshake.closeReceived(nil) == .closeTransport)
        #expect(handshake.abandon() == .nothing)
    }

    @Test("a peer that does not answer is left")
    func abandoned() {
        var handshake = CloseHandshake()
        _ = handshake.closeWanted(.normal)
        #expect(handshake.abandon() == .closeTransport)
        #expect(handshake.closeReceived(.normal) == .nothing)
    }
}
