import Codecs
import HTTP1

extension Router {
    /// Why nobody answers such a request, whatever its body is; nil: somebody does.
    func fault(of head: RequestHead) -> HTTPServerError? {
        do throws(PercentCoding.Failure) {
            _ = try QueryItems(head.query)
            if head.path == "*" { return nil }
            switch try match(head.method, head.path) {
            case .found: return nil
            case .notFound: return .notFound
            case .methodNotAllowed(let allowed): return .methodNotAllowed(allowed: allowed)
            }
        } catch {
            return .notText
        }
    }
}
