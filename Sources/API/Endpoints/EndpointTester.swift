package import Contract
import Crypto
import Database
import HTTP1
package import HTTPServer
package import Outbox
package import Postgres
package import Reactor

/// Delivers a test at once, and stores its outcome like that of any other delivery.
package struct EndpointTester: Sendable {
    /// The most tests of one endpoint within a minute.
    private static let limit: Int64 = 5

    /// The name under which tests are delivered. It is no delivery worker's, so that no worker takes them for
    /// its own.
    package let name: String
    package let sink: any Sink<DeliveryMessage>
    package let now: CurrentTime
    private let bounds = TestBounds()
    /// The tests under way, each of which waits for a receiver that its user chooses.
    static let together = SharedPlaces.Limits(
        together: 32, perAddress: 8, perAccount: 4, patience: .seconds(2))
    private let places: SharedPlaces
    /// The descriptors of attempts, of which none are reserved: tests take nothing from deliveries.
    private let descriptors: DescriptorBudget.Share?

    package init(
        name: String, sink: any Sink<DeliveryMessage>, now: @escaping CurrentTime,
        places: SharedPlaces? = nil, descriptors: DescriptorBudget? = nil
    ) {
        self.places = places ?? SharedPlaces(Self.together)
        self.descriptors = descriptors.map { .init(of: $0, for: .tests) }
        self.name = name
        self.sink = sink
        self.now = now
    }

    private struct Order: Sendable {
        let endpoint: Identifier
        let user: Identifier
        let keyed: KeyedRequest?
        let database: PostgresPool
        let place: SharedPlaces.Place
    }

    /// Tests an endpoint. The request's idempotency key is stored before something is sent, and the answer
    /// afterwards, in `language`. `client` asks for it; nil for an operator.
    package func test(
        _ id: Identifier, of user: Identifier, for keyed: KeyedRequest? = nil,
        from client: ClientAddress? = nil,
        speaking language: Language = .english, in database: PostgresPool
    ) async throws -> EndpointOutcome {
        // The outcome is stored even if the client has hung up.
        return try await shielded(on: database.loop) {
            guard let place = try? places.take(for: user, from: client ?? ClientAddress(nil)),
                descriptors?.take() ?? true
            else { throw Self.busy }
            defer { descriptors?.giveBack() }
            try bounds.begin(user, at: now())
            let order = Order(endpoint: id, user: user, keyed: keyed, database: database, place: place)
            let outcome = try await self.test(order)
            try await keyed?.end(with: try Answer.json(outcome.said(in: language), in: language))
            return outcome
        }
    }

    private static var busy: APIError {
        APIError(
            .tooManyRequests, "Many are testing just now. Try again soon.", headers: ["Retry-After": "5"])
    }

    /// Delivers a test. If it is slow and another one takes its place, it is given up.
    private func deliver(
        _ delivery: Delivery<DeliveryMessage>, for order: Order
    ) async -> Outcome {
        let outcome = await order.place.waiting { () async -> Outcome in
            let sending = Task(executorPreference: order.database.loop) { await sink.deliver(delivery) }
            order.place.whenLost { sending.cancel() }
            return await sending.value
        }
        if case .delivered = outcome { return outcome }
        guard order.place.isLost else { return outcome }
        return .failed(Outcome.Failure(Text(.displaced), isHostFault: false))
    }

    private func test(_ order: Order) async throws -> EndpointOutcome {
        let begun = now()
        let found = try await TestDelivery.endpoint(
            order.endpoint, of: order.user, at: begun, in: order.database)
        guard let endpoint = found else { throw APIError.notFound }
        if case .disabled(let reason) = endpoint.target {
            throw APIError(
                .conflict,
                "This endpoint is disabled (\(reason)). Replay it if it is a webhook; else add it again.")
        }
        // Push services are shared by all users, who do not choose them, so only webhooks have a limit per
        // host.
        if case .webhook = endpoint.target { try bounds.send(to: endpoint.host, at: begun) }
        let delivery = try await begin(order, at: begun)
        let message = DeliveryMessage(
            kind: endpoint.kind, target: endpoint.target,
            content: .test(endpoint: order.endpoint, writtenAt: begun), language: endpoint.language)
        let outcome = await deliver(
            Delivery(
                id: delivery, endpoint: order.endpoint, host: endpoint.host, attempts: 0, expiresAt: nil,
                registeredAt: endpoint.registeredAt, message: message), for: order)
        return try await settle(delivery, of: endpoint, outcome, from: begun, in: order.database)
    }

    /// Stores that the test is under way, and returns its delivery.
    private func begin(_ order: Order, at now: Timestamp) async throws -> Int64 {
        let begin = { (connection: PostgresConnection) async throws -> Int64 in
            let delivery = try await TestDelivery.begin(
                order.endpoint, of: order.user, at: now, claimedBy: name, limit: Self.limit,
                on: connection)
            if let delivery { return delivery }
            throw APIError(
                .tooManyRequests, "At most \(Self.limit) tests of an endpoint in a minute.",
                headers: ["Retry-After": "60"])
        }
        if let keyed = order.keyed { return try await keyed.beginning(in: order.database, begin) }
        return try await order.database.transaction(attempts: 3, begin)
    }

    private func settle(
        _ delivery: Int64, of endpoint: EndpointRow, _ outcome: Outcome, from begun: Timestamp,
        in database: PostgresPool
    ) async throws -> EndpointOutcome {
        let ended = now()
        let verdict: Verdict =
            switch outcome {
            case .delivered: .delivered
            case .failed: .exhausted
            case .refused: .refused
            case .gone: .gone
            }
        let duration = max(.zero, ended.since(begun))
        let settlement = Settlement(
            delivery: delivery, endpoint: endpoint.id, verdict: verdict, detail: outcome.detail, at: ended,
            duration: duration, countsAgainstEndpoint: outcome.countsAgainstEndpoint,
            registeredAt: endpoint.registeredAt)
        try await SettlementWriter.write([settlement], of: name, to: database)
        return EndpointOutcome(
            id: WebhookSignature.messageID(delivery), type: DeliveryMessage.testType, at: ended,
            outcome: SettlementWriter.outcome(of: verdict), detail: outcome.detail,
            milliseconds: Int64(duration.inSeconds * 1_000))
    }
}
