import Contract
import HTTPServer

extension SocketOptions {
    /// Reads the options in the query of a request. Throws where one makes no sense.
    init(_ request: HTTPRequest) throws {
        let query = QueryReader(request.query)
        self.init(mergesAles: try query.merge(), pingSeconds: try query.ping())
    }
}

extension SocketTuning {
    /// The bytes that wait unsent in the kernel for a device whose ales are merged. The kernel takes
    /// megabytes without a bound, and ales that it has can no longer be merged.
    private static let unsentBytes: Int32 = 16 * 1024

    init(_ options: SocketOptions) {
        self.init(
            pingInterval: options.pingSeconds.map { .seconds($0) },
            unsentBytes: options.mergesAles ? Self.unsentBytes : nil)
    }
}
