import Contract
import Glibc
import TestKit

/// A client of raw bytes, which sends them to a server of this machine and reads until it closes. It shares
/// no code with the project's own client.
enum RawHTTP {
    struct Response: Sendable {
        var status: Int
        /// The fields by their names in lower case.
        var headers: [String: String]
        var body: [UInt8]
        /// Whether a body in chunks came to its end.
        var isWhole = true

        var text: String { String(decoding: body, as: UTF8.self) }

        func json() throws -> JSONValue { try JSONValue.parse(body) }

        /// The last part of a problem's `type`.
        var problem: String? {
            (try? json())?["type"]?.string.map { String($0.split(separator: "/").last ?? "") }
        }

        /// The JSON pointers that a problem names.
        var pointers: [String] {
            ((try? json())?["errors"]?.array ?? []).compactMap { $0["pointer"]?.string }
        }
    }

    static func exchange(port: UInt16, _ request: [UInt8], endsInput: Bool = false) async throws -> Response {
        try read(try await blocking { try talk(port: port, request, endsInput: endsInput) })
    }

    /// Sends a request, and reads the answer once the body has returned. Few bytes of it are on their way
    /// until then.
    static func exchangeSlowly(
        port: UInt16, _ request: [UInt8], _ body: () async throws -> Void
    ) async throws -> Response {
        let descriptor = try await blocking { try begin(port: port, request, receiveBuffer: 4096) }
        defer { close(descriptor) }
        try await body()
        return try read(await blocking { rest(of: descriptor) })
    }

    private static func talk(port: UInt16, _ request: [UInt8], endsInput: Bool) throws -> [UInt8] {
        let descriptor = try begin(port: port, request)
        defer { close(descriptor) }
        if endsInput { shutdown(descriptor, CInt(SHUT_WR)) }
        return rest(of: descriptor)
    }

    /// Connects, and sends a request.
    private static func begin(
        port: UInt16, _ request: [UInt8], receiveBuffer: CInt? = nil
    ) throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw TestError("socket: \(errno)") }
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw TestError("connect: \(errno)")
        }
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            // A server may answer and close before it has read everything.
            if count <= 0 { break }
            sent += count
        }
        return descriptor
    }

    private static func rest(of descriptor: CInt) -> [UInt8] {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return answer }
            answer += buffer[..<count]
        }
    }

    private static func read(_ bytes: [UInt8]) throws -> Response {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) })
        else {
            throw TestError("no response: \(text)")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw TestError("no status: \(text)")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        let body = bytes[(end + 4)...]
        guard headers["transfer-encoding"] == "chunked" else {
            return Response(status: status, headers: headers, body: Array(body))
        }
        let (content, isWhole) = content(ofChunks: body)
        return Response(status: status, headers: headers, body: content, isWhole: isWhole)
    }

    /// Returns what the chunks hold, and whether the last one is there (RFC 9112 §7.1).
    private static func content(ofChunks bytes: ArraySlice<UInt8>) -> (content: [UInt8], isWhole: Bool) {
        var (content, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes)
        while let end = rest.firstIndex(of: 13) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            guard let size = Int(line, radix: 16), size > 0 else { return (content, line == "0") }
            content += rest.dropFirst(end + 2 - rest.startIndex).prefix(size)
            rest = rest.dropFirst(end + 2 - rest.startIndex + size + 2)
        }
        return (content, false)
    }
}
