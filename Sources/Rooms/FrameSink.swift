package import Contract

/// An open socket, as a room sees it, which belongs to the room's loop.
package protocol FrameSink: AnyObject {
    /// Whether frames can still be sent to the device.
    var isOpen: Bool { get }
    /// Whether the device has not answered a ping in time.
    var hasMissedPing: Bool { get }
    /// Takes a whole frame, ready for the wire. It must not call back into the host before it returns.
    func deliver(_ frame: RawSpan)
    /// Whether bytes of earlier turns of the loop still wait for the device's reader.
    var isBehind: Bool { get }
    /// Has the device call `RoomPeer.drained`, once, when nothing waits for its reader any more.
    func tellWhenDrained()
    /// Closes the socket. The host hears nothing more of the device.
    func close(_ code: RoomClose, reason: String)
    /// Processes the messages that the device kept back while its peer held them.
    func resume()
}

extension FrameSink {
    /// Does nothing: a device that keeps nothing back has nothing to resume.
    package func resume() {}
    package var hasMissedPing: Bool { false }
    /// Reads whatever it is sent at once, unless it says otherwise.
    package var isBehind: Bool { false }
    package func tellWhenDrained() {}
}
