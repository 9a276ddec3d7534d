import Contract
import Crypto
import Testing

@testable import Database

@Suite("Tickets and tokens")
struct TicketTests {
    private let ticket = Ticket(
        room: Identifier(value: 1 << 100 | 7), user: Identifier(value: 99), tokenVersion: 3,
        expires: Timestamp(seconds: 2_000_000_000))

    @Test("a ticket is read back with the key that signed it, and with no other")
    func roundTrip() {
        let text = ticket.signed(with: HMACKey([1, 2, 3]))
        #expect(Ticket(text, key: HMACKey([1, 2, 3])) == ticket)
        #expect(Ticket(text, key: HMACKey([1, 2, 4])) == nil)
    }

    @Test("a ticket in which any one character is another is refused")
    func tampered() {
        let text = Array(ticket.signed(with: HMACKey([1])).utf8)
        for index in text.indices {
            var changed = text
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(Ticket(String(decoding: changed, as: UTF8.self), key: HMACKey([1])) == nil, "at \(index)")
        }
    }

    @Test(
        "what is no ticket is refused",
        arguments: [
            "", "lst_", "lst_AAAA", "lsk_AAAA", "lst_" + String(repeating: "A", count: 5000), "lst_é",
        ])
    func rubbish(text: String) {
        #expect(Ticket(text, key: HMACKey([1])) == nil)
    }

    @Test("a ticket is the same whichever server its address names")
    func server() throws {
        let one = Identifier(value: 1)
        let tickets = Tickets(key: [1], publicURL: "http://h") { $0 == one ? "one" : nil }
        func url(_ owner: Identifier?) -> String {
            tickets.socketURL(
                room: ticket.room, user: ticket.user, tokenVersion: 3, closesAt: ticket.expires,
                owner: owner)
        }
        let plain = url(nil)
        #expect(!plain.contains("server="))
        #expect(url(one) == plain + "&server=one")
        #expect(url(Identifier(value: 2)) == plain)
        let text = try #require(plain.split(separator: "token=").last)
        #expect(tickets.read(String(text)) == ticket)
    }

    @Test("tokens are never the same, and only what looks like one is looked up")
    func tokens() {
        #expect(APIToken.make().text != APIToken.make().text)
        let token = APIToken.make()
        #expect(APIToken(token.text)?.hash == token.hash)
        #expect(token.hash.count == 32)
        #expect(APIToken(token.text + "A") == nil)
        #expect(APIToken("secret") == nil)
    }
}
