import Contract
import HTTP1
import Reactor
import WebSocket

/// One attempt to open a room's socket, up to the 101.
struct RoomDoor: Sendable {
    let loop: EventLoop
    let timeout: Duration
    let trust: Trust
    let options: SocketOptions
    /// The token for an address that has none.
    let tokens: TokenKeeper
    /// The language of a refusal; nil for English.
    let language: Language?

    /// Opens the socket with the token and, where that is refused, again with the source's next one.
    /// Returns nil if `refused`, for which the server has ended the last connection, is still the only token.
    func enter(
        _ address: RoomAddress, insteadOf refused: String?, resuming: (epoch: String, since: Int64)?,
        nonce: [UInt8]
    ) async throws(EntryFailure) -> (Transport, remainder: [UInt8], token: String?)? {
        var token = try await token(insteadOf: refused)
        if refused != nil && token == nil { return nil }
        do throws(EntryFailure) {
            let (transport, remainder) = try await open(
                address, token: token, resuming: resuming, nonce: nonce)
            return (transport, remainder, token)
        } catch {
            guard error.error.isUnauthenticated, refused == nil, let used = token,
                let other = try await self.token(insteadOf: used)
            else { throw error }
            token = other
        }
        let (transport, remainder) = try await open(address, token: token, resuming: resuming, nonce: nonce)
        return (transport, remainder, token)
    }

    private func token(insteadOf refused: String?) async throws(EntryFailure) -> String? {
        do throws(ClientError) {
            guard let refused else { return try await tokens.token() }
            return try await tokens.replacement(for: refused)
        } catch {
            throw EntryFailure(token: error)
        }
    }

    /// Returns the connection, whose deadline is running, and the bytes that have arrived after the 101.
    private func open(
        _ address: RoomAddress, token: String?, resuming: (epoch: String, since: Int64)?, nonce: [UInt8]
    ) async throws(EntryFailure) -> (Transport, [UInt8]) {
        let handshake = ClientHandshake(random: nonce, protocols: [Routes.socketVersion2])
        var reader: ResponseReader
        let answer: HTTPAnswer
        let place: (server: Server, target: String, token: String?)
        do throws(ClientError) {
            place = try address.resolve(resuming: resuming, options)
        } catch {
            throw EntryFailure(address: error)
        }
        do throws(ClientError) {
            var headers = HTTPHeaders()
            for header in handshake.headers { headers.append(header.name, header.value) }
            if let language { headers.append("Accept-Language", language.rawValue) }
            headers = headers.authorized(by: place.token ?? token)
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
