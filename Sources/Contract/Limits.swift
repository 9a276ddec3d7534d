/// The limits that both client and server know.
public enum Limits {
    /// The most bytes of one message from a client on a room's socket.
    public static let clientMessageBytes = 4096
    public static let messageIdCharacters = 1...64
    /// The seconds between two pings that a client may ask for.
    public static let pingSeconds = 5...60
    /// The number of slots in one `POST /v1/registrations`.
    public static let slotsAtOnce = 1...48
    /// The most endpoints that one user may have.
    public static let endpoints = 10
    /// The most calendars of one user.
    public static let calendars = 10
    /// The most tokens that one account may have at once.
    public static let tokens = 20
    /// The most sessions of browsers that one account may have at once.
    public static let sessions = 20
    /// The most routines of one user.
    public static let routines = 20
    /// The most days that are left out of one routine, when it is made and at any time.
    public static let exdates = 366
    /// The most occurrences that a routine shows.
    public static let nextOccurrences = 10
    /// The most outcomes that an endpoint shows.
    public static let outcomes = 10
    /// The seconds after the end of a session in which its outcome can be said.
    public static let outcomeSeconds = 86_400
    /// The most blocks of one user, and the most favourites.
    public static let peopleMarked = 1000
    public static let page = 1...200
    public static let defaultPage = 50
    /// The deepest nesting of JSON.
    public static let depth = 32
    /// The most faults of one body that are listed.
    public static let fieldErrors = 50
}
