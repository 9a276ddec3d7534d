import Contract
import Testing

/// Answers of a later server, which has more members, types and states.
@Suite("An answer of a later version")
struct LaterAnswerTests {
    private static let id = "00000000-0000-0000-0000-000000000001"
    private static let slot =
        #""startsAt":"2027-03-01T09:00:00Z","endsAt":"2027-03-01T09:30:00Z""#
    private static let times =
        #""createdAt":"2027-03-01T08:00:00Z","updatedAt":"2027-03-01T08:00:00Z""#

    private func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSON.decode(type, from: Array(text.utf8))
    }

    @Test("is read with unknown members, and keeps unknown states as they came")
    func registration() throws {
        let text = #"""
            {"id":"\#(Self.id)","slot":{\#(Self.slot),"new":1},"task":"t","tag":null,"state":"waitlisted",
            "roomId":null,\#(Self.times),"adjusted":"moved","outcome":"mostly","with":"team","new":{"a":[]}}
            """#
        let registration = try read(Registration.self, text)
        #expect(registration.state == .unknown("waitlisted") && registration.state.known == nil)
        #expect(registration.adjusted == .unknown("moved") && registration.outcome == .unknown("mostly"))
        #expect(registration.with == .unknown("team") && registration.words.outcome == nil)
        #expect(registration.state != RegistrationState.registered)
        let again = String(decoding: try JSON.encode(registration), as: UTF8.self)
        #expect(again.contains(#""state":"waitlisted""#) && again.contains(#""outcome":"mostly""#))
    }

    @Test("shows a slot in an unknown state")
    func slot() throws {
        let view = try read(
            SlotView.self,
            #"{\#(Self.slot),"localTime":"10:00","state":"full","message":"m","others":2,"new":null}"#)
        #expect(view.state == .unknown("full") && view.state.rawValue == "full")
    }

    @Test("has notifications of unknown types, also with unknown data")
    func notification() throws {
        let text = #"""
            {"notifications":[{"id":7,"type":"room.painted","createdAt":"2027-03-01T08:00:00Z","new":true,
            "data":{"color":"red"}},{"id":8,"type":"session.missed","createdAt":"2027-03-01T08:00:00Z",
            "data":{"registrationId":"\#(Self.id)","startsAt":"2027-03-01T08:00:00Z","new":1}}],"new":1}
            """#
        let list = try read(NotificationList.self, text).notifications
        #expect(list.first?.data == .unknown(type: "room.painted"))
        guard case .sessionMissed? = list.last?.data else {
            Issue.record("\(list)")
            return
        }
    }

    @Test("has endpoints and routines in unknown states")
    func others() throws {
        let endpoint = try read(
            Endpoint.self,
            #"""
            {"id":"\#(Self.id)","kind":"matrix","state":"paused","environment":"moon",
            "createdAt":"2027-03-01T08:00:00Z","types":["room.painted"]}
            """#)
        #expect(endpoint.kind == .unknown("matrix") && endpoint.state == .unknown("paused"))
        #expect(endpoint.environment == .unknown("moon"))
        let routine = try read(
            Routine.self,
            #"""
            {"id":"\#(Self.id)","task":"t","rrule":"FREQ=DAILY","localTime":"10:00","timeZone":"UTC",
            "startDate":"2027-03-01","exdates":[],"state":"resting",\#(Self.times),"problems":[],"next":
            [{"date":"2027-03-01","startsAt":"2027-03-01T10:00:00Z","state":"raining","new":1}]}
            """#)
        #expect(routine.state == .unknown("resting") && routine.next.first?.state == .unknown("raining"))
    }

    @Test("has problems of unknown types, and members of rooms with unknown statuses")
    func rooms() throws {
        let problem = try read(
            Problem.self,
            #"{"type":"/problems/rain","title":"t","status":409,"detail":"d","instance":"i","new":1}"#)
        #expect(problem.name == nil && problem.detail == "d")
        let text = #"""
            {"type":"members","new":1,"members":[{"id":"\#(Self.id)","name":"n","task":null,"tag":null,
            "you":true,"present":true,"status":"dancing","outcome":"mostly","new":1}]}
            """#
        guard case .members(let members)? = ServerMessage.read(Array(text.utf8).span.bytes) else {
            Issue.record("the message was not read")
            return
        }
        #expect(members.first?.status == .unknown("dancing"))
        #expect(members.first?.outcome == .unknown("mostly"))
    }
}
