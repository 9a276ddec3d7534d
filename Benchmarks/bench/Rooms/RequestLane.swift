import HTTP1
import Reactor

/// One connection of a pump. Loop only.
final class RequestLane: StreamDelegate {
    /// The pump; each lane and the pump retain each other until it is done, and nothing else retains the
    /// pump.
    private let pump: RequestPump
    private let stream: Stream
    private var parser: ResponseParser?
    private var number = 0
    private var status = 0
    private var body: [UInt8] = []

    init(_ stream: Stream, of pump: RequestPump) {
        self.pump = pump
        self.stream = stream
        stream.delegate = self
        sendNext()
    }

    func close() { stream.close() }

    func received(_ bytes: inout MutableRawSpan) {
        parser?.receive(bytes.bytes)
        do throws(HTTPError) {
            while let event = try parser?.next() {
                switch event {
                case .head(let head): status = head.status
                case .body(let bytes): body += bytes
                case .end:
                    pump.answer(number, status: status, body)
                    sendNext()
                }
            }
        } catch {
            pump.fail("The answer is not HTTP: \(error).")
        }
    }

    func ended() { pump.fail("The server closed a connection.") }

    func failed(_ error: SystemError) { pump.fail("A connection broke: \(error).") }

    func drained() {}

    private func sendNext() {
        guard stream.isOpen, let next = pump.take() else { return }
        number = next.number
        body = []
        if parser == nil { parser = ResponseParser(responseTo: next.method) }
        parser?.expectResponse(to: next.method)
        stream.write(next.bytes)
    }
}
