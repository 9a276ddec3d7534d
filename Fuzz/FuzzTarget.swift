import WebSocket

/// The targets of fuzzing. The oracle of each stands at its function; common to all of them is: the input is
/// accepted, or rejected with a documented error; never a trap, and never more memory than the limits allow.
enum FuzzTarget: String, CaseIterable {
    case httpRequest = "http-request"
    case httpResponse = "http-response"
    case chunkedBody = "chunked-body"
    case webSocketServer = "websocket-server"
    case webSocketClient = "websocket-client"
    case clientMessage = "client-message"
    case serverMessage = "server-message"
    case room
    case query
    case json
    case time
    case ticket
    case requestBody = "request-body"
    case recurrenceRule = "recurrence-rule"

    func test(_ input: [UInt8]) {
        switch self {
        case .httpRequest: HTTPRequestFuzz.test(input)
        case .httpResponse: HTTPResponseFuzz.test(input)
        case .chunkedBody: ChunkedBodyFuzz.test(input)
        case .webSocketServer: WebSocketFuzz.test(input, role: .server)
        case .webSocketClient: WebSocketFuzz.test(input, role: .client)
        case .clientMessage: MessageFuzz.testClient(input)
        case .serverMessage: MessageFuzz.testServer(input)
        case .room: RoomFuzz.test(input)
        case .query: QueryFuzz.test(input)
        case .json: JSONFuzz.test(input)
        case .time: TimeFuzz.test(input)
        case .ticket: TicketFuzz.test(input)
        case .requestBody: RequestBodyFuzz.test(input)
        case .recurrenceRule: RecurrenceFuzz.test(input)
        }
    }
}
