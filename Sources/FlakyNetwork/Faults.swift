/// The faults of a flaky link, each with a probability from 0 to 1.
///
/// TCP neither loses nor repeats nor reorders; it breaks, and it falls silent. The first four faults occur in
/// real networks; a client has to survive them with every message in effect once and in order. The last four
/// are those of a broken middlebox that understands WebSocket and spoils it:
///
/// | fault | promises that hold |
/// |---|---|
/// | `refusal`, `reset`, `halfOpen`, `delay` | everything |
/// | `duplication` | everything: the server knows a messageId again, the client a sequence number |
/// | `loss` | towards the server a message is sent again once the link is replaced, perhaps behind later ones; an ale from the server is lost for good, since gaps in its numbers are usual |
/// | `reordering` | each in effect once towards the server, in another order; an ale from the server that was overtaken counts as old, and is lost |
/// | `corruption` | nothing: damage that leaves a valid message is taken for one, and any other ends the session (1002, 1007) |
public struct Faults: Hashable, Sendable {
    public static let none = Faults()

    /// The probability that a connection is reset before a byte has passed.
    public var refusal = 0.0
    /// The probability, for each message, that both ends see a reset instead of it.
    public var reset = 0.0
    /// The probability that a message is swallowed, and with it all that follows in both directions; neither
    /// end sees an end of the connection.
    public var halfOpen = 0.0
    /// The delay before each message passes. The order stays.
    public var delay: ClosedRange<Duration> = .zero ... .zero
    /// The probability that a message passes twice.
    public var duplication = 0.0
    /// The probability that a message does not pass.
    public var loss = 0.0
    /// The probability that a message passes behind the next one, or after a fifth of a second if none comes.
    public var reordering = 0.0
    /// The probability that one of a message's bits is turned.
    public var corruption = 0.0

    public init() {}
}
