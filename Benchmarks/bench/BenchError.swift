/// Why there is no result.
enum BenchError: Error, CustomStringConvertible {
    /// The command line makes no sense.
    case usage(String)
    /// The server, or the machine, does not do what is needed to measure anything.
    case failed(String)

    var description: String {
        switch self {
        case .usage(let text), .failed(let text): text
        }
    }
}
