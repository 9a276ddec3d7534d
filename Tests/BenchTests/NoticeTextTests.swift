import Contract
import Testing

@testable import bench

struct NoticeTextTests {
    @Test(
        "the slot of a notification is found",
        arguments: [
            (#"{"id":7,"data":{"roomId":"x","startsAt":"2027-03-28T09:30:00Z"}}"#, "2027-03-28T09:30:00Z"),
            (#"{"startsAt":"2027-03-28T09:30:00Z"}"#, "2027-03-28T09:30:00Z"),
            (#"{"startsAt":"2027-03-28T09:30:00Z"#, "2027-03-28T09:30:00Z"),
            (#"{"startsAt":"tomorrow"}"#, nil),
            (#"{"closesAt":"2027-03-28T09:30:00Z"}"#, nil), (#"{"startsAt":""#, nil), ("", nil),
        ])
    func slot(text: String, expected: String?) {
        #expect(NoticeText.slot(of: text) == expected.flatMap { Timestamp($0) })
    }
}
