import Contract
import Reactor

/// `bench rooms`: makes matched people, whose sockets `bench relay` loads.
enum RoomsCommand {
    static let help = """
        bench rooms --port PORT --slot TIME [--rooms N] [--room-size K] [--host H]

        Makes N × K users on the server at H (127.0.0.1), registers them for the slot that starts at TIME
        (RFC 3339), waits until their rooms have opened, and prints the path of each member's socket with its
        ticket, one a line, the K lines of a room together. The server, with ROOM_SIZE=K, has to open the
        slot's rooms late enough for all to register, and close them late enough for the measurements.
        """

    static func run(_ words: ArraySlice<String>) throws(BenchError) -> CInt {
        let options = try Options(words, values: ["host", "port", "slot", "rooms", "room-size"])
        if options.wantsHelp {
            Output.say(help)
            return 0
        }
        let host = options.text("host") ?? "127.0.0.1"
        let port = try options.integer("port", default: 8080, in: 1...65_535)
        guard let address = SocketAddress(numeric: host, port: UInt16(port)) else {
            throw .usage("--host has to be a numeric address.")
        }
        guard let slot = options.text("slot").flatMap({ Timestamp($0) }) else {
            throw .usage("--slot has to be the start of a slot, like 2027-03-28T09:30:00Z.")
        }
        let rooms = try options.integer("rooms", default: 1000, in: 1...1_000_000)
        let size = try options.integer("room-size", default: 2, in: 2...64)
        return Program.perform {
            let group = try EventLoopGroup(count: 1, name: "rooms")
            let maker = RoomMaker(address: address, loop: group.loops[0], slot: slot)
            for path in try await maker.makeRooms(rooms, size: size) { Output.say(path) }
            return 0
        }
    }
}
