/// The bounds that both sides know.
public enum Limits {
    /// The most bytes of one message from a client on a room's socket.
    public static let clientMessageBytes = 4096
    public static let messageIdCharacters = 1...64
    /// How many slots one `POST /v1/registrations` may be for.
    public static let slotsAtOnce = 1...48
    /// The most endpoints that one user may have.
    public static let endpoints = 10
    /// How many outcomes an endpoint shows.
    public static let outcomes = 10
    /// Blocks of one user; and, apart from them, favourites.
    public static let peopleMarked = 1000
    public static let page = 1...200
    public static let defaultPage = 50
    /// How deep JSON may be nested.
    public static let depth = 32
    /// How many faults of one body are listed.
    public static let fieldErrors = 50
}
