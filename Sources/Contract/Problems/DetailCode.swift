/// The codes of reasons and details that are stored. The raw value is the English text, in which `{1}` is the
/// argument. The name is the code in `reasonCode` and `detailCode`: it stays the same when the text changes.
package enum DetailCode: String, CaseIterable, Sendable {
    case answerTooLarge = "the answer is too large"
    case apnsOff = "this server sends nothing to Apple's push service"
    case browserGone = "{1}: the browser is gone"
    case challengeNotWritable = "the challenge cannot be written"
    case displaced = "given up for other tests: the answer took long"
    case echoNotStored = "the challenge was echoed, and that could not be stored"
    case failing = "it has failed for five days: {1}"
    case givenUp = "given up"
    case messageNotWritable = "the message cannot be written"
    case noAddress = "the host's name has no address: {1}"
    case noAnswer = "no answer in time"
    case noPushService = "{1}: a push service answers 201"
    case noURL = "no URL"
    case notEchoed = "{1}: the challenge was not echoed"
    case notPublic = "the host has no address of the public Internet"
    case notReached = "not reached: {1}"
    case notSent = "not sent: {1}"
    case pushNotStored = "the push was accepted, and that could not be stored"
    case pushUnproven = "its push service has not accepted a push yet"
    case receiverGone = "410: the receiver is gone"
    case redirected = "{1}: redirects are not followed"
    case sessionEnded = "its session has ended"
    case tls = "TLS: {1}"
    case tokenRefused = "the service does not take the token"
    case tooLate = "it came too late to be of use"
    case tooLongForApple = "the message is too long for Apple's push service"
    case tooLongForPushService = "413: the message is too long for the push service"
    case vapidSubjectMissing = "403: the server's VAPID_SUBJECT is not set"
    case withoutURL = "the endpoint has no URL"

    package var name: String { "\(self)" }
}

extension Text {
    package init(_ code: DetailCode, _ argument: Text = "") {
        self.init(pattern: code.rawValue, argument: argument)
    }

    /// The code; nil for a text that has none, such as the words of another server.
    package var code: DetailCode? { DetailCode(rawValue: key) }

    /// The code and its argument, as they are stored: `failing/notReached/Connection refused`.
    package var stored: String? {
        code.map { code in
            argument.map { "\(code)/\($0.stored ?? $0.description)" } ?? code.name
        }
    }

    /// Reads a stored text. It stays English if it has no code, as in rows of versions without codes, or if
    /// the code is of another text: a version without codes may have replaced the text alone.
    package init(stored: String?, english: String) {
        let text = stored.map { Text(stored: $0[...]) }
        self = text?.description == english ? text ?? "" : Text(verbatim: english)
    }

    private init(stored: Substring) {
        let parts = stored.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let code = DetailCode.allCases.first { $0.name == parts[0] }
        let argument: Text = parts.count > 1 ? Text(stored: parts[1]) : ""
        self = code.map { Text($0, argument) } ?? Text(english: String(stored))
    }
}
