import Codecs
import HTTP1

extension Router {
    /// Returns the error of a request that no handler answers, whatever its body is; nil if there is a
    /// handler.
    func fault(of head: RequestHead) -> HTTPServerError? {
        do throws(PercentCoding.Failure) {
            _ = try QueryItems(head.query)
            if head.path == "*" { return nil }
            switch try match(head.method, head.path) {
            case .found: return nil
            case .notFound: return .notFound
            case .methodNotAllowed(let allowed, _): return .methodNotAllowed(allowed: allowed)
            }
        } catch {
            return .notText
        }
    }
}
