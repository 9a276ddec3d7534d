import Contract
import Database
import HTTP1
import HTTPServer
import Testing

@testable import BackendTesting
@testable import Console

/// The bound of each route's body, by the largest valid body with every character escaped.
@Suite("The largest body of a route")
struct BodyBoundTests {
    private enum Value {
        case text(String)
        case texts([String])
        case plain(String)
    }

    private typealias Members = [(name: String, value: Value)]

    private static func long(_ rule: TextRule, _ scalar: String = "\u{1F37A}") -> Value {
        .text(String(repeating: scalar, count: rule.length.upperBound))
    }

    /// Seconds are whole, and nine digits of a fraction say so.
    private static let slots: [String] = (0..<48).map { index in
        let (hour, minute) = (index / 2, index % 2 * 30)
        let time = "\(hour < 10 ? "0" : "")\(hour):\(minute == 0 ? "00" : "30"):00.000000000"
        return "2027-03-02T\(time)+00:00"
    }

    private static let days = (0..<366).map { index in
        let (year, month, day) = (2027 + index / 336, index / 28 % 12 + 1, index % 28 + 1)
        return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }

    private static let url = "https://example.org/" + String(repeating: "a", count: 2028)
    private static let id = "0198c0de-0000-7000-8000-000000000001"
    /// Parts of a rule may be written in any order, and each once.
    private static let rule = "FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,TU,WE,TH,FR,SA,SU;WKST=MO;COUNT=365"

    /// The largest bodies, by method and path. `{registration}` and `{routine}` are the caller's own.
    private static let largest: [(method: String, path: String, members: Members)] = [
        ("POST", "/v1/users", user), ("PATCH", "/v1/me", user),
        ("POST", "/v1/recover", [("recoveryCode", .text(String(repeating: "0---", count: 25)))]),
        ("POST", "/v1/sign-in", [("code", .text(String(repeating: "0-----", count: 16) + "----"))]),
        (
            "POST", "/v1/me/tokens",
            [("name", long(.name)), ("expiresAt", .text("2027-04-01T00:00:00.000000000+00:00"))]
        ),
        (
            "POST", "/v1/registrations",
            [
                ("task", long(.task)), ("tag", long(.tag)), ("slots", .texts(slots)),
                ("with", .text("favourites")), ("quiet", .plain("false")),
            ]
        ),
        (
            "PATCH", "/v1/registrations/{registration}",
            [("task", long(.task)), ("tag", long(.tag)), ("with", .text("favourites"))]
        ),
        (
            "PATCH", "/v1/registrations/{registration}",
            [("checkIn", long(.checkIn)), ("outcome", .text("done")), ("note", long(.note))]
        ),
        (
            "POST", "/v1/routines",
            [
                ("task", long(.task)), ("tag", long(.tag)), ("rrule", .text(rule)),
                ("localTime", .text("09:00")), ("timeZone", .text("America/Argentina/ComodRivadavia")),
                ("startDate", .text("2027-03-02")), ("exdates", .texts(days)),
            ]
        ),
        (
            "PATCH", "/v1/routines/{routine}",
            [
                ("task", long(.task)), ("tag", long(.tag)), ("rrule", .text(rule)),
                ("localTime", .text("10:00")), ("timeZone", .text("America/Argentina/ComodRivadavia")),
                ("from", .text("2027-03-02")), ("paused", .plain("false")),
            ]
        ),
        ("POST", "/v1/routines/{routine}/skips", [("date", .text("2027-03-08"))]),
        ("POST", "/v1/blocks", [("registrationId", .text(id)), ("report", long(.report))]),
        ("POST", "/v1/favourites", [("registrationId", .text(id))]),
        (
            "POST", "/v1/endpoints",
            [
                ("kind", .text("webhook")), ("url", .text(url)),
                ("types", .texts(NotificationType.allCases.map(\.rawValue))),
            ]
        ),
    ]

    private static let user: Members = [
        ("name", long(.name)), ("timeZone", .text("America/Argentina/ComodRivadavia")),
        ("language", .text("ja")),
    ]

    @Test("is accepted with every character escaped, and a byte over the bound is a 413")
    func bounds() async throws {
        try await RESTWorld.withAccount { world, token in
            let registration = try await world.register(token, "2027-03-03T00:00:00Z")
            let routine = try await world.send(
                "POST", "/v1/routines", token: token,
                body: #"{"task":"T","rrule":"FREQ=DAILY","localTime":"09:00"}"#
            ).json()["id"]?.string
            var seen: Set<String> = []
            for (method, path, members) in Self.largest {
                let pattern = path.replacing("{registration}", with: "{id}")
                    .replacing("{routine}", with: "{id}")
                seen.insert("\(method) \(pattern)")
                let route = try #require(
                    world.routes.first { $0.method.rawValue == method && $0.pattern == pattern },
                    "\(method) \(path)")
                let target = path.replacing("{registration}", with: "\(registration)")
                    .replacing("{routine}", with: routine ?? "")
                let body = Self.escaped(members)
                let answer = try await world.send(method, target, token: token, body: body)
                #expect(
                    ![400, 413, 415, 422].contains(answer.status),
                    "\(method) \(path): \(body.utf8.count) of \(route.body) bytes, \(answer.text)")
                let filled = body + String(repeating: " ", count: route.body - body.utf8.count)
                let full = try await world.send(method, target, token: token, body: filled)
                #expect(full.status != 413, "\(method) \(path)")
                let over = try await world.send(method, target, token: token, body: filled + " ")
                #expect(over.status == 413 && over.problem == "content-too-large", "\(method) \(path)")
            }
            let withBody = world.routes.filter { $0.body > 0 }.map { "\($0.method.rawValue) \($0.pattern)" }
            #expect(Set(withBody) == seen)
            #expect(world.routes.allSatisfy { $0.body <= 32 * 1024 })
        }
    }

    @Test("of the desk is accepted, and a byte over the bound is a 413 before the sign-in")
    func desk() async throws {
        try await DeskWorld.with { world in
            let person = try await world.person("Ann")
            let token = try await world.token(.support)
            let note = Self.escaped([("text", .text(String(repeating: "\u{1F37A}", count: 2000)))])
            try await world.send(
                "POST", "/people/\(person.id)/notes", token: token, body: note, expecting: 201)
            for route in world.desk.routes {
                let path = route.path.dropFirst(Desk.root.count).replacing("{id}", with: "1")
                    .replacing("{key}", with: "1")
                let over = String(repeating: " ", count: route.maximumBytes + 1)
                let refused = try await world.send(route.method.rawValue, String(path), body: over)
                #expect(refused.status == 413, "\(route.method.rawValue) \(route.path)")
            }
        }
    }

    /// Returns an object whose names and texts have every character escaped.
    private static func escaped(_ members: Members) -> String {
        let parts = members.map { name, value in
            let text =
                switch value {
                case .text(let text): escaped(text)
                case .texts(let texts): "[\(texts.map(escaped).joined(separator: ","))]"
                case .plain(let text): text
                }
            return "\(escaped(name)):\(text)"
        }
        return "{\(parts.joined(separator: ","))}"
    }

    private static func escaped(_ text: String) -> String {
        let units = text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"\(units.joined())\""
    }
}
