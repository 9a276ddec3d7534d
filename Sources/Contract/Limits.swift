/// The limits that both client and server know.
public enum Limits {
    /// The most bytes of one message from a client on a room's socket.
    public static let clientMessageBytes = 4096
    /// The number of Unicode scalars of a messageId.
    public static let messageIdCharacters = 1...64
    /// The seconds between two pings of the server that a client can select.
    public static let pingSeconds = 5...60
    /// The number of slots in one `POST /v1/registrations`.
    public static let slotsAtOnce = 1...48
    /// The most endpoints of one user.
    public static let endpoints = 10
    /// The most calendars of one user.
    public static let calendars = 10
    /// The most valid tokens of one user.
    public static let tokens = 20
    /// The most browser sessions of one user at once.
    public static let sessions = 20
    /// The most routines of one user.
    public static let routines = 20
    /// The most skipped days of one routine, when it is made and at any time.
    public static let exdates = 366
    /// The most occurrences in `Routine.next`.
    public static let nextOccurrences = 10
    /// The most outcomes in `Endpoint.outcomes`.
    public static let outcomes = 10
    /// The seconds after the end of a session until which its outcome can be set.
    public static let outcomeSeconds = 86_400
    /// The most blocks of one user, and the most favourites.
    public static let peopleMarked = 1000
    /// The number of entries on one page of a list: the parameter `limit`.
    public static let page = 1...200
    /// The number of entries on a page without `limit`.
    public static let defaultPage = 50
    /// The deepest nesting of JSON.
    public static let depth = 32
    /// The most faults that a problem lists for one body.
    public static let fieldErrors = 50
}
