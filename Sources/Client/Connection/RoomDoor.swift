import Contract
import HTTP1
import Reactor
import WebSocket

/// One attempt to open a room's socket, up to the 101.
struct RoomDoor: Sendable {
    let loop: EventLoop
    let timeout: Duration
    let trust: Trust

    /// Returns the connection, whose deadline is running, and the bytes that have arrived after the 101.
    func open(
        _ address: RoomAddress, resuming: (epoch: String, since: Int64)?, nonce: [UInt8]
    ) async throws(EntryFailure) -> (Transport, [UInt8]) {
        let handshake = ClientHandshake(random: nonce, protocols: [Routes.socketVersion2])
        var reader: ResponseReader
        let answer: HTTPAnswer
        let place: (server: Server, target: String, token: String?)
        do throws(ClientError) {
            place = try address.resolve(resuming: resuming)
        } catch {
            throw EntryFailure(address: error)
        }
        do throws(ClientError) {
            var headers = HTTPHeaders()
            for header in handshake.headers { headers.append(header.name, header.value) }
            if let token = place.token { headers.append("Authorization", "Bearer \(token)") }
            let http = HTTPClient(server: place.server, loop: loop, timeout: timeout, trust: trust)
            reader = try await http.open(.get, place.target, headers: headers)
            let head = try await reader.head()
            answer = HTTPAnswer(head: head, body: head.status == 101 ? [] : try await reader.body())
        } catch {
            throw EntryFailure(error)
        }
        guard answer.head.status == 101 else { throw EntryFailure(answer) }
        do throws(ClientHandshake.Failure) {
            let version = try handshake.verify(
                status: 101, values: answer.head.headers.all)
            guard version == Routes.socketVersion2 else {
                throw .badAnswer("it does not speak version 2 of the room's socket")
            }
        } catch {
            throw EntryFailure(.unexpected("The server's WebSocket answer cannot be used: \(error)."))
        }
        return (reader.transport, reader.takeRemainder())
    }
}
