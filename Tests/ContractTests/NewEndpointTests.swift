import Contract
import Testing

@Suite struct NewEndpointTests {
    @Test(
        "what a client writes the server reads",
        arguments: [
            NewEndpoint(.webhook(url: "https://example.org/hook")),
            NewEndpoint(.webhook(url: "https://example.org/"), types: [.roomOpened, .sessionMissed]),
            NewEndpoint(
                .apns(deviceToken: String(repeating: "0a", count: 32), environment: .sandbox)),
            NewEndpoint(.webpush(url: "https://push.example.org/x", p256dh: "BAAA", auth: "AAAA")),
        ])
    func roundTrip(endpoint: NewEndpoint) throws {
        #expect(try NewEndpoint(bytes: try JSON.encode(endpoint)) == endpoint)
    }

    @Test("a device's token may be in capitals, and is of Apple's productive service by default")
    func device() throws {
        let token = String(repeating: "AB", count: 32)
        let read = try NewEndpoint(bytes: Array(#"{"kind":"apns","deviceToken":"\#(token)"}"#.utf8))
        #expect(read.target == .apns(deviceToken: token.lowercased(), environment: .production))
        #expect(read.types == nil)
    }

    @Test(
        "what makes no sense is named by its place",
        arguments: [
            (#"{}"#, ["/kind"]), (#"{"kind":7}"#, ["/kind"]), (#"{"kind":"webhook"}"#, ["/url"]),
            (#"{"kind":"webpush","url":"http://example.org/","p256dh":"A","auth":"A"}"#, ["/url"]),
            (#"{"kind":"webpush","url":"https://example.org/"}"#, ["/p256dh", "/auth"]),
            (#"{"kind":"apns","deviceToken":"xyz"}"#, ["/deviceToken"]),
            (
                #"{"kind":"webhook","url":"https://example.org/","types":["room.opened","room.opened"]}"#,
                ["/types/1"]
            ),
        ])
    func nonsense(body: String, pointers: [String]) {
        let error = #expect(throws: RequestError.self) { try NewEndpoint(bytes: Array(body.utf8)) }
        #expect(error?.errors?.map(\.pointer) == pointers)
    }
}
