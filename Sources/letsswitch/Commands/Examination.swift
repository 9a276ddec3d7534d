import Client
import Contract
import Reactor

/// The checks of the doctor, one after the other.
struct Examination {
    enum Check: String, CaseIterable, Sendable { case name, port, tls, health, version, clock, token, socket }

    /// The differences of clocks that mean nothing: an answer tells whole seconds only, and takes its time.
    private static let closeClocks = Duration.seconds(-5)...Duration.seconds(5)

    /// The number of days left below which renewal is advised: a certificate is usually renewed earlier.
    private static let fewDays = 14

    /// The major version of the API that this program uses.
    private static let majorVersion = Version.api.prefix { $0 != "." }

    let invocation: Invocation

    private var server: Server { invocation.server }

    /// Performs a check. Returns a text if all is well.
    func perform(_ check: Check) async throws -> Text {
        switch check {
        case .name: try await name()
        case .port: try await port()
        case .tls: try await tls()
        case .health: try await health()
        case .clock: try await clock()
        case .token: try await token()
        case .version: try await version()
        case .socket: try await socket()
        }
    }

    /// The sentence about a proxy that the environment names and that is ignored; nil if it names none.
    var proxyNote: Text? {
        if server.proxy != nil { return nil }
        let own = server.isSecure ? [] : ["HTTP_PROXY", "http_proxy"]
        let set = (own + ["ALL_PROXY", "all_proxy"]).first { Environment[$0].map { !$0.isEmpty } ?? false }
        return set.map { name in
            "\(name) is set. letsswitch ignores it, and needs a direct way to the server."
        }
    }

    private func name() async throws -> Text {
        if server.isSocket { return "\(server.host) is a Unix socket of this machine." }
        let addresses = try await ServerProbe(api).addresses()
        if let proxy = server.proxy {
            return "HTTPS_PROXY is used: \(proxy.description) is \(addresses.joined(separator: ", "))."
        }
        return "\(server.host) is \(addresses.joined(separator: ", "))."
    }

    private func port() async throws -> Text {
        let failure: ServerProbe.FamilyFailure?
        do throws(ClientError) {
            failure = try await ServerProbe(api).connect()
        } catch {
            throw Failure(
                .network, "The port cannot be reached",
                "\(error.text) Is the server running, is this the right port, and "
                    + "does no firewall keep it closed?")
        }
        if let failure, server.proxy == nil {
            throw Failure(
                .other, "\(failure.family) does not work",
                "\(server.host) takes connections at port \(server.port) by \(failure.other) alone. "
                    + "\(failure.detail) Programs that try \(failure.family) first wait "
                    + "for it. Have the way to that address repaired, or the address removed from the name.")
        }
        if server.isSocket { return "\(server.host) takes connections." }
        if let proxy = server.proxy { return "The proxy \(proxy.description) takes connections." }
        return "\(server.host) takes connections at port \(server.port)."
    }

    private func tls() async throws -> Text {
        guard let security = try await ServerProbe(api).security() else {
            if server.isSocket { return "Not used: a Unix socket does not leave this machine." }
            return "Not used: the URL begins with http:, so third parties on the way can read along."
        }
        let days = security.expiresAt.since(WallClock.now).components.seconds / 86_400
        let (version, issuer) = (security.version, security.issuer)
        return days < Self.fewDays
            ? "\(version). The certificate is signed by \(issuer) and good for \(days) more days. Have it "
                + "renewed soon. Its key is \(security.pin)."
            : "\(version). The certificate is signed by \(issuer) and good for \(days) more days. Its key is "
                + "\(security.pin)."
    }

    private func health() async throws -> Text {
        let name = try await ServerProbe(api).health()
        guard let name else { return "\(server.url) is up and ready." }
        return "\(server.url) is up and ready. Server \(name) has answered."
    }

    private func clock() async throws -> Text {
        guard let theirs = try await ServerProbe(api).clock() else { return "The server tells no time." }
        let difference = theirs.since(WallClock.now)
        let seconds = abs(difference.components.seconds)
        guard Self.closeClocks.contains(difference) else {
            throw Failure(
                .other, "The clock is wrong",
                difference < .zero
                    ? "Your clock is \(seconds) s ahead of the server's. Set it, or countdowns are wrong."
                    : "Your clock is \(seconds) s behind the server's. Set it, or countdowns are wrong.")
        }
        return "Your clock and the server's agree."
    }

    private func version() async throws -> Text {
        let version: String
        do throws(ClientError) {
            version = try await ServerProbe(api).version()
        } catch {
            if case .problem = error {
                throw Failure(
                    .other, "The version cannot be seen",
                    "The server does not describe itself at \(Routes.openAPI). It is older than this "
                        + "program, or something in front of it hides that path.")
            }
            throw error
        }
        guard version.split(separator: ".").first == Self.majorVersion else {
            throw Failure(
                .other, "The versions do not fit",
                "The server speaks version \(SafeText.escape(version)), and this program version "
                    + "\(Self.majorVersion). Update the older one.")
        }
        return "The server speaks version \(SafeText.escape(version)), as this program does."
    }

    private func socket() async throws -> Text {
        guard try await ServerProbe(api).upgradesArrive() else {
            throw Failure(
                .other, "The room's socket cannot be reached",
                "Something between here and the server does not let WebSockets through. A proxy in front "
                    + "of it has to pass on Upgrade and Connection for \(Routes.socket).")
        }
        return "WebSockets get through to \(Routes.socket)."
    }

    private func token() async throws -> Text {
        guard try invocation.tokens.isSignedIn else {
            return "Not checked: there is no account on this machine. letsswitch signup NAME makes one."
        }
        let api = try await invocation.signedIn()
        let user = try await api.me()
        do throws(ClientError) {
            _ = try await api.slots()
        } catch {
            // Another problem is not one of the account.
            if case .problem(let problem) = error, problem.name == .timeZoneUnknown {
                throw Failure(
                    .other, "Unknown time zone",
                    "The server has no rules for your time zone \(SafeText.escape(user.timeZone)). Choose "
                        + "another one: letsswitch account --time-zone NAME")
            }
        }
        return "You are signed in as \(SafeText.escape(user.name)), in \(SafeText.escape(user.timeZone))."
    }

    private var api: APIClient { invocation.api(token: nil) }
}
