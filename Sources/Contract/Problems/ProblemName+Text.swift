extension ProblemName {
    /// The title: a few words that are the same each time, but for the language.
    package var title: Text {
        switch self {
        case .unreadable: "Malformed request"
        case .unauthenticated: "Not authenticated"
        case .crossSite: "Session cookie not usable"
        case .suspended: "Account suspended"
        case .recentlyRecovered: "Account recently recovered"
        case .signUpsClosed: "Sign-up not allowed"
        case .forbidden: "Permission denied"
        case .notFound: "Not found"
        case .methodNotAllowed: "Method not allowed"
        case .requestTimeout: "Request timeout"
        case .conflict: "Conflict with the current state"
        case .alreadyRegistered: "Already registered for this slot"
        case .overlaps: "Sessions overlap"
        case .tooLate: "Registration closed"
        case .inviteUnusable: "Invite not usable"
        case .attendance: "Attendance too low"
        case .timeZoneUnknown: "Unknown time zone"
        case .limitReached: "Limit reached"
        case .keyUnderWay: "Request with this idempotency key in progress"
        case .answerGone: "Answer no longer available"
        case .keyReused: "Idempotency key already used"
        case .gone: "Room closed"
        case .preconditionFailed: "Precondition failed"
        case .contentTooLarge: "Request body too large"
        case .uriTooLong: "Request URI too long"
        case .unsupportedMediaType: "Unsupported media type"
        case .expectationFailed: "Expectation not supported"
        case .misdirected: "Host not accepted"
        case .invalid: "Invalid request body"
        case .upgradeRequired: "WebSocket required"
        case .quotaExceeded: "Rate limit exceeded"
        case .tooManyRequests: "Too many requests"
        case .tooManyDevices: "Too many devices in the room"
        case .tooManyConnections: "Too many connections from one address"
        case .tooManyRegistrations: "Too many registrations"
        case .tooManyStreams: "Too many event streams"
        case .tooManyExports: "Too many exports"
        case .headerTooLarge: "Request header too large"
        case .internalError: "Internal error"
        case .notImplemented: "HTTP feature not implemented"
        case .unavailable: "Service unavailable"
        case .draining: "Server is shutting down"
        case .httpVersion: "HTTP version not supported"
        }
    }

    /// The meaning and the remedy, for the page at `path`.
    package var explanation: Text { Self.explanations[self] ?? "" }

    private static let explanations: [ProblemName: Text] = [
        .unreadable:
            "The request is not what its format says: not HTTP, not JSON, or a query parameter that makes no "
            + "sense. The detail names the place. Correct it; the same request will fail again.",
        .invalid:
            "The body is JSON, but a member is missing, unknown, of the wrong type or out of bounds. The "
            + "list errors has a JSON pointer and a sentence for each. Correct them and send it again.",
        .preconditionFailed:
            "If-Match names a state that is no longer the current one. Read it again, and send the change "
            + "with the ETag of that answer.",
        .contentTooLarge: "The body has more bytes than the server takes. Send less at once.",
        .uriTooLong: "The first line of the request is longer than the server takes. Shorten the query.",
        .headerTooLarge: "The header has more fields or bytes than the server takes. Send fewer.",
        .unsupportedMediaType: "Send the body as JSON in UTF-8, with Content-Type: application/json.",
        .expectationFailed: "The only expectation that the server knows is 100-continue. Leave it out.",
        .misdirected:
            "The host of the request is none of those that the operators' listener answers for. Use one of "
            + "its names, or add the host to ADMIN_HOSTS.",
        .notImplemented: "The request needs a transfer coding or a method that the server does not have.",
        .httpVersion: "The server speaks HTTP/1.1 and HTTP/1.0. Put a proxy in front for others.",
        .methodNotAllowed: "The header field Allow lists the methods that work at this address.",
        .requestTimeout: "The request did not arrive in time. Send it again, on a new connection.",
        .unauthenticated:
            "The request has no token, or one that is not valid: it was replaced or revoked, or it has "
            + "expired. Send Authorization: Bearer followed by a valid token. A token is shown once, when it "
            + "is made. Without one, recover the account with its recovery code, or ask the operators of the "
            + "service for a code.",
        .crossSite:
            "A cookie counts for requests of pages that come from this service: the browser has to send "
            + "Sec-Fetch-Site: same-origin, or an Origin that is this service's. Other pages send "
            + "Authorization: Bearer and a token.",
        .suspended:
            "The operators of this service have suspended the account: reason says why, and until says how "
            + "long, where that is known. Nothing can be done with the account until then. Ask the "
            + "operators of the service.",
        .recentlyRecovered:
            "The account came back by a recovery code that an operator made. For three days it can neither "
            + "be exported nor deleted, and its endpoints of before stay as they are, so that its owner "
            + "hears of it and can object: until says when they are over.",
        .signUpsClosed:
            "Accounts cannot be made freely on this service. The detail says what a sign-up needs: a code or "
            + "an invite. If it names neither, the people who run the service make the accounts.",
        .forbidden:
            "An operator's role, or that of a token, does not allow this call. The detail says which role "
            + "does.",
        .notFound: "There is no such address, or nothing of yours with that id. Check both.",
        .conflict: "It has happened already or is over: what is open or past cannot be changed any more.",
        .alreadyRegistered:
            "You have one live registration for a slot at most. Change it or cancel it first.",
        .overlaps:
            "Your sessions may follow each other, but not overlap: errors says which do. Choose another "
            + "start or length, or cancel the other session first.",
        .tooLate:
            "Registration for this slot has closed. Depending on the settings of the server it closes when "
            + "the rooms open, or some time after the start of the slot. Choose a later slot.",
        .inviteUnusable:
            "An invite is for one person and one slot, and ends when its maker cancels or revokes it. "
            + "Ask for another one, or register for the slot by yourself.",
        .attendance:
            "A person who misses sessions, or cancels once the room is open, leaves a partner alone. Below "
            + "the attendance that this server asks for, a few registrations at once are possible: attend "
            + "those first.",
        .timeZoneUnknown:
            "The database server has no rules for the time zone of the account or the routine, as names of "
            + "zones change. Set timeZone to another one, of the list at GET /v1/time-zones.",
        .limitReached: "A list has a limit, and this one is full. Take something off it first.",
        .keyUnderWay:
            "Another request with the same Idempotency-Key has not been answered yet. Send yours again after "
            + "Retry-After: it gets the same answer.",
        .answerGone:
            "A request with the same Idempotency-Key has had its effect, once. Its answer showed a secret "
            + "that was used since, or its server ended before the answer was known. Look at what there "
            + "is now, and take a new key for a new request.",
        .keyReused:
            "An Idempotency-Key belongs to one request: the same method, path and body. Make a new key for "
            + "another request, or send the first one again as it was.",
        .gone: "The room met and closed. Register for another slot.",
        .upgradeRequired: "Open this address as a WebSocket, version 13 (RFC 6455).",
        .quotaExceeded:
            "More requests came than a limit allows; violated-policies names it. Wait as long as Retry-After "
            + "says, then go on more slowly: the fields RateLimit-Policy and RateLimit of every answer "
            + "to a signed-in call say how many requests are left.",
        .tooManyRequests: "Wait as long as Retry-After says, then go on more slowly.",
        .tooManyDevices: "You have the room open on as many devices as are allowed. Close one of them.",
        .tooManyConnections:
            "An address may have only so many connections at once. Close one, or send the next request on "
            + "it.",
        .tooManyRegistrations:
            "One account may hold only so many registrations that are neither over nor cancelled. Cancel "
            + "some, or wait: Retry-After says when the first of them is over. The same request will "
            + "fail until then, and always where it asks for more at once than may ever be held.",
        .tooManyStreams:
            "One account may have only so many event streams open. Close one, and open the next a little "
            + "later.",
        .tooManyExports:
            "One account may have one export at a time, and a server has only so many. Read the one that is "
            + "under way to its end, or close it, and begin the next one after Retry-After.",
        .unavailable: "The database cannot be reached, or the server is busy. Try again after Retry-After.",
        .draining: "The server takes no new connections while it stops. Connect again after Retry-After.",
        .internalError: "The fault is ours, and it is in our log under the id in instance. Try again later.",
    ]
}
