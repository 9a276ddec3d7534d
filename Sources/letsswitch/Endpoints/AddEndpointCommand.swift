import Client
import Contract

enum AddEndpointCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let (arguments, console) = (invocation.arguments, invocation.console)
        let kind = arguments[0] ?? ""
        guard EndpointKind(rawValue: kind) == .webhook else {
            throw Failure.usage(
                "Only a webhook can be added from here, and not \"\(SafeText.escape(kind))\". The app "
                    + "adds its "
                    + "device by itself, and so does a browser.")
        }
        let types = try types(arguments.all("types"))
        let endpoint = try await invocation.signedIn().addEndpoint(
            NewEndpoint(.webhook(url: arguments[1] ?? ""), types: types))
        let secret = endpoint.secret ?? ""
        await invocation.reveal(.webhookSecret, secret, of: "\(endpoint.id)") {
            show(endpoint, secret, console)
        }
    }

    private static func show(_ endpoint: Endpoint, _ secret: String, _ console: Console) {
        console.json(endpoint)
        console.note("Added as \(endpoint.id), for \(EndpointText.types(endpoint)). Its secret:\n")
        console.line(SafeText.escape(secret))
        console.note(
            "\nIt is shown this once. With it your program checks that a delivery comes from\n"
                + "here, by any library for Standard Webhooks. By hand: letsswitch webhook verify\n"
                + "Try it: letsswitch endpoints test \(endpoint.id)")
    }

    /// Returns the notification types of those names; nil: all types.
    static func types(_ texts: [String]) throws(Failure) -> [NotificationType]? {
        if texts.isEmpty { return nil }
        var types: [NotificationType] = []
        for name in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            guard let type = NotificationType(rawValue: String(name)) else {
                throw .usage(
                    "There is no notification \"\(SafeText.escape(String(name)))\". There is "
                        + "\(NotificationType.names).")
            }
            if !types.contains(type) { types.append(type) }
        }
        return types
    }
}
