import Testing

@testable import Contract

struct ServerMessageTests {
    private static let id = Identifier(value: 1)
    private static let other = Identifier(value: 2)
    private static let now = Timestamp(microseconds: 1_800_000_500_000)
    private static let members = [
        Member(id: id, name: "A\"\u{1B}", task: "t", tag: nil, you: true, present: true),
        Member(id: other, name: "former user", task: nil, tag: nil, you: false, present: false),
        Member(
            id: other, name: "n", task: "t", tag: "g", you: false, present: true,
            words: SessionWords(checkIn: "\u{1B}[2J🙂", outcome: .not, note: "\""), status: .gettingReady),
    ]

    static let all: [ServerMessage] = [
        .handshake(nil), .aleResponse(nil), .ack(messageId: "é\"\n\\", seq: 7),
        .presence(member: id, present: false),
        .checkIn(member: id, checkIn: "é\"\n🙂"), .checkIn(member: id, checkIn: nil),
        .outcome(member: id, outcome: .done, note: "\\"), .outcome(member: id, outcome: .not, note: nil),
        .outcome(member: id, outcome: nil, note: nil),
        .status(member: id, status: .ready), .status(member: id, status: nil),
        .aleResponse(.init(from: id, seq: 9, at: now, merged: .init(first: 5, count: 3))),
        .aleResponse(.init(from: id, seq: 9, at: now, merged: .init(first: 9, count: 1, since: 0))),
        .aleResponse(.init(from: id, seq: .max, at: now)), .members(members), .members([]),
        .moved(id: id, socketUrl: "wss://x/socket?id=1&token=t"), .roomClosed,
        .announcement(text: "é\"\n🙂", at: now),
        .error(code: "malformed", detail: "d", messageId: nil),
        .error(code: "new", detail: "d", messageId: "m"),
        .handshake(
            .init(
                room: id, you: other, epoch: "e", seq: 0, recovered: true, now: now, startsAt: now,
                closesAt: now,
                pingSeconds: 20, members: members)),
    ]

    @Test("what the server writes, the client reads", arguments: all)
    func roundTrip(message: ServerMessage) {
        #expect(ServerMessage.read(bytes(message).span.bytes) == message)
    }

    @Test("version 1 is what the published app expects, to the byte")
    func version1() {
        #expect(text(.handshake(nil)) == #"{"type":"handshake"}"#)
        #expect(text(.aleResponse(nil)) == #"{"type":"aleResponse"}"#)
    }

    @Test("version 2 is spelled as in the contract")
    func version2() {
        #expect(
            text(.aleResponse(.init(from: Self.id, seq: 3, at: Self.now)))
                == #"{"type":"aleResponse","from":"\#(Self.id)","seq":3,"at":"1970-01-21T20:00:00.500Z"}"#)
        #expect(text(.ack(messageId: "m", seq: 3)) == #"{"type":"ack","messageId":"m","seq":3}"#)
        #expect(
            text(.presence(member: Self.id, present: true))
                == #"{"type":"presence","member":"\#(Self.id)","present":true}"#)
        #expect(
            text(.checkIn(member: Self.id, checkIn: nil))
                == #"{"type":"checkIn","member":"\#(Self.id)","checkIn":null}"#)
        #expect(
            text(.outcome(member: Self.id, outcome: .partly, note: "n"))
                == #"{"type":"outcome","member":"\#(Self.id)","outcome":"partly","note":"n"}"#)
        #expect(
            text(.outcome(member: Self.id, outcome: nil, note: nil))
                == #"{"type":"outcome","member":"\#(Self.id)","outcome":null}"#)
        #expect(
            text(.status(member: Self.id, status: .gettingReady))
                == #"{"type":"status","member":"\#(Self.id)","status":"getting-ready"}"#)
        #expect(
            text(
                .aleResponse(
                    .init(from: Self.id, seq: 9, at: Self.now, merged: .init(first: 5, count: 3, since: 4))))
                == #"{"type":"aleResponse","from":"\#(Self.id)","seq":9,"at":"1970-01-21T20:00:00.500Z","#
                + #""first":5,"count":3,"since":4}"#)
        #expect(
            text(.members([Self.members[1]]))
                == #"{"type":"members","members":[{"id":"\#(Self.other)","name":"former user","task":null,"#
                + #""tag":null,"you":false,"present":false}]}"#)
    }

    @Test("an outcome that this release does not know is unreadable, and not one that was taken back")
    func unknownOutcome() {
        for rest in [#""outcome":"mostly""#, #""outcome":1"#, #""note":"n""#, #""checkIn":"x""#] {
            let message = #"{"type":"outcome","member":"\#(Self.id)",\#(rest)}"#
            #expect(ServerMessage.read(message.utf8.span.bytes) == nil, "\(rest)")
        }
        let message = #"{"type":"checkIn","member":"\#(Self.id)"}"#
        #expect(ServerMessage.read(message.utf8.span.bytes) == nil)
    }

    @Test("a status that this release does not know is unreadable, and so are merged ales that make no sense")
    func unknownStatus() {
        let ale = #""from":"\#(Self.id)","seq":9,"at":"1970-01-21T20:00:00Z""#
        for message in [
            #"{"type":"status","member":"\#(Self.id)","status":"asleep"}"#,
            #"{"type":"status","member":"\#(Self.id)"}"#, #"{"type":"status","status":"ready"}"#,
            #"{"type":"aleResponse",\#(ale),"count":2}"#,
            #"{"type":"aleResponse",\#(ale),"first":10,"count":1}"#,
            #"{"type":"aleResponse",\#(ale),"first":9,"count":0}"#,
            #"{"type":"aleResponse",\#(ale),"first":1,"count":"2"}"#,
        ] {
            #expect(ServerMessage.read(message.utf8.span.bytes) == nil, "\(message)")
        }
        // A member whose status is not known is there all the same.
        let members =
            #"{"type":"members","members":[{"id":"\#(Self.id)","name":"n","present":true,"status":"x"}]}"#
        guard case .members(let list)? = ServerMessage.read(members.utf8.span.bytes) else {
            Issue.record("no members")
            return
        }
        #expect(list.map(\.status) == [.unknown("x")])
    }

    @Test("a message of an unknown type is kept as such, and garbage is nothing")
    func unknown() {
        #expect(ServerMessage.read(#"{"type":"party","x":1}"#.utf8.span.bytes) == .unknown(type: "party"))
        for garbage in ["", "{}", #"{"type":"ack"}"#, #"{"type":"handshake","room":"x"}"#] {
            #expect(ServerMessage.read(garbage.utf8.span.bytes) == nil, "\(garbage)")
        }
    }

    @Test(
        "the close code says whether to come back",
        arguments: [
            (1000, .stop), (1001, .reconnect), (1002, .stop), (1006, .reconnect), (1008, .stop),
            (1009, .stop),
            (1011, .backOff), (1012, .reconnect), (1013, .backOff), (4000, .stop), (4099, .stop),
            (4100, .backOff),
            (4102, .backOff), (4199, .backOff), (4200, .atOnce), (4299, .atOnce), (4300, .backOff),
        ] as [(UInt16, CloseAdvice)])
    func closeCodes(code: UInt16, advice: CloseAdvice) {
        #expect(CloseAdvice(code: code) == advice)
    }

    @Test("the reason of a close may say how long to wait")
    func retryAfter() {
        #expect(RetryAfter.read(RetryAfter.reason(.milliseconds(1250))) == .milliseconds(1250))
        #expect(RetryAfter.read("retryAfterMs=99999999999999999999") == .seconds(3600))
        for reason in ["", "bye", "retryAfterMs=", "retryAfterMs=-1", "retryAfterMs=1s", " retryAfterMs=1"] {
            #expect(RetryAfter.read(reason) == nil, "\(reason)")
        }
    }

    private func bytes(_ message: ServerMessage) -> [UInt8] {
        var bytes: [UInt8] = []
        message.append(to: &bytes)
        return bytes
    }

    private func text(_ message: ServerMessage) -> String {
        String(decoding: bytes(message), as: UTF8.self)
    }
}
