import Contract
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Settings

@Suite("The language of answers")
struct RESTLanguageTests {
    private static let slot = "2027-03-01T13:00:00Z"

    @Test("a language can be chosen, kept, changed and taken back; others are refused")
    func account() async throws {
        try await RESTWorld.with { world in
            let made = try await world.send("POST", "/v1/users", body: #"{"name":"Ann","language":"de"}"#)
            let token = try #require(try made.json()["token"]?.string)
            #expect(try made.json()["user"]?["language"]?.string == "de")
            #expect(try await Self.language(world, token) == "de")
            try await world.send("PATCH", "/v1/me", token: token, body: #"{"name":"Bea"}"#)
            #expect(try await Self.language(world, token) == "de")
            let changed = try await world.send("PATCH", "/v1/me", token: token, body: #"{"language":"ja"}"#)
            #expect(try changed.json()["user"]?["language"]?.string == "ja")
            for wrong in [#""fr""#, #""DE""#, #""de-AT""#, #""""#, "1", "[]"] {
                let body = #"{"language":\#(wrong)}"#
                let refused = try await world.send("PATCH", "/v1/me", token: token, body: body)
                #expect(refused.status == 422 && refused.pointers == ["/language"], "\(refused.text)")
                let user = #"{"name":"Ann","language":\#(wrong)}"#
                #expect(try await world.send("POST", "/v1/users", body: user).pointers == ["/language"])
            }
            #expect(try await Self.language(world, token) == "ja")
            let cleared = try await world.send("PATCH", "/v1/me", token: token, body: #"{"language":null}"#)
            #expect(try cleared.json()["user"]?["language"] == nil)
            let plain = try await world.send("POST", "/v1/users", body: #"{"name":"Ann","language":null}"#)
            #expect(try plain.json()["user"]?["language"] == nil)
        }
    }

    private static func language(_ world: RESTWorld, _ token: String) async throws -> String? {
        try await world.send("GET", "/v1/me", token: token).json()["user"]?["language"]?.string
    }

    @Test("the request's language goes before the account's, and that one before English")
    func precedence() async throws {
        try await RESTWorld.withAccount { world, token in
            let messages = [
                "The slot is empty so far. Be the first!", "Noch ist niemand hier. Mach den Anfang!",
                "まだ誰もいません。一番乗りしましょう！",
            ]
            func check(_ asked: String?, _ language: String, _ message: String) async throws {
                let answer = try await world.send(
                    "GET", "/v1/slots?date=2027-03-02", token: token,
                    headers: asked.map { ["Accept-Language: \($0)"] } ?? [])
                #expect(answer.headers["content-language"] == language)
                #expect(answer.headers["vary"] == "Accept-Language")
                let slots = try answer.json()["slots"]?.array ?? []
                #expect(slots.count == 48)
                #expect(slots.allSatisfy { $0["message"]?.string == message }, "\(asked ?? "")")
            }
            try await check(nil, "en", messages[0])
            try await check("de-AT, en;q=0.5", "de", messages[1])
            try await check("fr", "en", messages[0])
            try await world.send("PATCH", "/v1/me", token: token, body: #"{"language":"ja"}"#)
            try await check(nil, "ja", messages[2])
            try await check("fr, *", "ja", messages[2])
            try await check("de", "de", messages[1])
            try await check("en", "en", messages[0])
            try await check("ja;q=0", "en", messages[0])
        }
    }

    @Test("a problem says the same in every language, and stays the same for programs")
    func problems() async throws {
        try await RESTWorld.withAccount { world, token in
            let body = #"{"task":"","slots":["\#(Self.slot)","\#(Self.slot)"],"tga":"x"}"#
            func refused(_ language: String) async throws -> RawHTTP.Response {
                let answer = try await world.send(
                    "POST", "/v1/registrations", token: token, body: body,
                    headers: ["Accept-Language: \(language)"])
                #expect(answer.status == 422 && answer.headers["content-language"] == language)
                #expect(answer.problem == "invalid" && answer.headers["vary"] == "Accept-Language")
                #expect(answer.pointers == ["/task", "/slots/1", "/tga"])
                return answer
            }
            let english = try await refused("en")
            #expect(try english.json()["title"]?.string == "Invalid request body")
            #expect(
                try english.json()["detail"]?.string
                    == "The body has 3 faults; each is listed in errors.")
            #expect(try english.json()["errors"]?.array?[0]["detail"]?.string == "A task may not be empty.")
            let german = try await refused("de")
            #expect(try german.json()["title"]?.string == "Ungültiger Inhalt der Anfrage")
            #expect(
                try german.json()["detail"]?.string == "Der Inhalt hat 3 Fehler; alle stehen in errors.")
            #expect(
                try german.json()["errors"]?.array?[0]["detail"]?.string
                    == "Eine Aufgabe darf nicht leer sein.")
            let japanese = try await refused("ja")
            #expect(
                try japanese.json()["errors"]?.array?[0]["detail"]?.string == "タスクは空にできません。")
        }
    }

    @Test("what no handler sees is refused in the request's language too")
    func unrouted() async throws {
        try await RESTWorld.with { world in
            for (method, path, status, detail) in [
                ("GET", "/v1/nothing", 404, "Diese Adresse gibt es nicht; alle stehen in /openapi.json."),
                ("GET", "/v1/me", 401, "Sende Authorization: Bearer und dahinter dein Token."),
                ("PUT", "/v1/me", 405, "Diese Adresse nimmt nur {Allow}."),
            ] {
                let answer = try await world.send(method, path, headers: ["Accept-Language: de"])
                #expect(answer.status == status && answer.headers["content-language"] == "de")
                let expected = detail.replacing("{Allow}", with: answer.headers["allow"] ?? "")
                #expect(try answer.json()["detail"]?.string == expected, "\(answer.text)")
            }
            let page = try await world.send("GET", "/problems/too-late", headers: ["Accept-Language: ja"])
            #expect(page.text.contains("<html lang=\"ja\">") && page.text.contains("後の時間枠を選んでください。"))
        }
    }

    @Test("an answer that is kept under a key comes again in the language that it was given in")
    func keyed() async throws {
        try await RESTWorld.withAccount { world, token in
            _ = try await world.register(token, Self.slot)
            let body = #"{"task":"Again","slots":["\#(Self.slot)"]}"#
            var texts: Set<String> = []
            for language in ["de", "ja", "en"] {
                let answer = try await world.send(
                    "POST", "/v1/registrations", token: token, body: body,
                    headers: ["Idempotency-Key: k-of-languages", "Accept-Language: \(language)"])
                #expect(answer.status == 409 && answer.headers["content-language"] == "de")
                texts.insert(try answer.json()["title"]?.string ?? "")
            }
            #expect(texts == ["Schon für diesen Termin eingetragen"])
        }
    }

    @Test("a tag that this server does not know is kept, and is no change of the account")
    func unknownTag() async throws {
        try await RESTWorld.withAccount { world, token in
            try await world.pool.query("UPDATE users SET language = 'fr'")
            world.forgetSignIns()
            let read = try await world.send("GET", "/v1/me", token: token)
            #expect(try read.json()["user"]?["language"]?.string == "fr")
            let tag = try #require(read.headers["etag"])
            try await world.send(
                "PATCH", "/v1/me", token: token, body: #"{"name":"Bea"}"#, headers: ["If-Match: \(tag)"],
                expecting: 200)
            #expect(try await Self.language(world, token) == "fr")
            let refused = try await world.send("GET", "/v1/registrations/1", token: token)
            #expect(refused.headers["content-language"] == "en")
        }
    }

    @Test("the slots have an entity tag of their own in each language")
    func tags() async throws {
        try await RESTWorld.withAccount { world, token in
            func read(_ language: String, _ tag: String? = nil) async throws -> RawHTTP.Response {
                try await world.send(
                    "GET", "/v1/slots?date=2027-03-02", token: token,
                    headers: ["Accept-Language: \(language)"] + (tag.map { ["If-None-Match: \($0)"] } ?? []))
            }
            let german = try #require(try await read("de").headers["etag"])
            let japanese = try #require(try await read("ja").headers["etag"])
            #expect(german != japanese)
            let same = try await read("de", german)
            #expect(same.status == 304 && same.headers["vary"] == "Accept-Language")
            let other = try await read("ja", german)
            #expect(other.status == 200 && other.headers["etag"] == japanese)
            #expect(other.headers["content-language"] == "ja")
        }
    }

    @Test("the account's own limit is told in the account's language")
    func limited() async throws {
        let slow: (inout ServerConfiguration) -> Void = { $0.accountRequestsPerSecond = 1 }
        try await RESTWorld.with(configure: slow) { world in
            let token = try await world.signUp()
            try await world.send("PATCH", "/v1/me", token: token, body: #"{"language":"de"}"#)
            var answer = try await world.send("GET", "/v1/me", token: token)
            for _ in 0..<1000 where answer.status != 429 {
                answer = try await world.send("GET", "/v1/me", token: token)
            }
            #expect(answer.status == 429 && answer.headers["content-language"] == "de", "\(answer.text)")
            #expect(try answer.json()["detail"]?.string?.hasPrefix("Dein Konto sendet") == true)
        }
    }

    @Test("a fault of JSON with a number in it is told in the request's language")
    func nested() async throws {
        try await RESTWorld.with { world in
            let body = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
            let answer = try await world.send(
                "POST", "/v1/users", body: body, headers: ["Accept-Language: de"])
            #expect(answer.status == 400)
            let detail = try answer.json()["detail"]?.string ?? ""
            #expect(detail.contains("Das ist tiefer als 32 verschachtelt"), "\(detail)")
        }
    }

    @Test("routines' days and outcomes of deliveries are told in a language, and as ever in English")
    func details() throws {
        let now = RESTWorld.noon
        let late = RoutineOccurrence(date: LocalDate(utc: now), startsAt: now, state: .late)
        let outcome = EndpointOutcome(
            id: "msg_1", type: "test", at: RESTWorld.noon, outcome: "exhausted",
            detail: Text(.tls, "the certificate has expired"), milliseconds: 3)
        var endpoint = Endpoint(id: Identifier(value: 1), kind: .webhook, createdAt: RESTWorld.noon)
        endpoint.reason = Text(.failing, Text(.notReached, "Couldn't connect to server"))
        endpoint.outcomes = [outcome]
        #expect(try JSON.encode(endpoint.said(in: .english)) == JSON.encode(endpoint))
        let german = endpoint.said(in: .german)
        #expect(german.outcomes?.first?.detail == "TLS: das Zertifikat ist abgelaufen")
        #expect(
            german.reason
                == "seit fünf Tagen schlägt jeder Versuch fehl: nicht erreicht: Couldn't connect to server")
        // What another server wrote stays.
        var foreign = outcome
        foreign.detail = "400: BadTopic"
        #expect(foreign.said(in: .japanese) == foreign)
        #expect(late.detail.map { Text(english: $0).said(in: .german) } != late.detail)
    }

    @Test("a day that a routine cannot have is told in the request's language, with a tag for each")
    func routine() async throws {
        try await RESTWorld.withAccount { world, token in
            _ = try await world.register(token, "2027-03-03T09:00:00Z")
            let made = try await world.make(
                token, "FREQ=DAILY;COUNT=3", "09:00", more: #","startDate":"2027-03-02""#)
            let path = "/v1/routines/\(made.id)"
            func read(_ language: String) async throws -> RawHTTP.Response {
                try await world.send("GET", path, token: token, headers: ["Accept-Language: \(language)"])
            }
            let (english, german) = (try await read("en"), try await read("de"))
            #expect(english.headers["content-language"] == "en" && german.headers["content-language"] == "de")
            let told = try english.routine().problems.compactMap(\.detail)
            let said = try german.routine().problems.compactMap(\.detail)
            #expect(told.count == 1 && said != told)
            #expect(said == told.map { Text(english: $0).said(in: .german) })
            // A change is for the state, in whichever language it was read.
            let tag = try #require(german.headers["etag"])
            try await world.send(
                "PATCH", path, token: token, body: #"{"task":"Read"}"#, headers: ["If-Match: \(tag)"],
                expecting: 200)
        }
    }

    @Test("a wrong parameter is told in the request's language, whole")
    func parameters() async throws {
        try await RESTWorld.withAccount { world, token in
            let answer = try await world.send(
                "GET", "/v1/notifications?types=weather", token: token, headers: ["Accept-Language: de"])
            let detail = try answer.json()["detail"]?.string ?? ""
            #expect(
                detail.hasPrefix("Der Parameter types passt nicht. Er darf nur einmal vorkommen"), "\(detail)"
            )
            #expect(detail.hasSuffix(", durch Kommas getrennt."), "\(detail)")
        }
    }
}
