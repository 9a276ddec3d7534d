import Contract
package import Database
import HTTP1
package import HTTPServer

/// The ways by which a request reaches a handler: with or without a token, once for each idempotency key.
package struct REST: Sendable {
    package let signIn: SignIn

    package init(_ signIn: SignIn) { self.signIn = signIn }

    package var application: Application { signIn.application }

    /// Returns a handler that needs no token. Errors become problem documents.
    package func open(
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) -> Router.Handler {
        .task { request in
            do {
                return try await handler(request)
            } catch {
                return Answer.refusal(for: error, id: request.id, in: request.language())
            }
        }
    }

    /// Returns a handler of a POST that needs no token, and takes effect once for each idempotency key.
    func openKeyed(
        _ handler: @escaping @Sendable (KeyedRequest) async throws -> HTTPResponse
    ) -> Router.Handler {
        open { request in
            let key = try IdempotencyKeyField.read(
                request.head.headers, least: IdempotencyKeyField.leastWithoutAccount)
            let owner = IdempotencyKeyField.owner(of: key ?? "", at: request.client)
            return try await keyed(request, key, of: owner, in: request.language()).answer(handler)
        }
    }

    /// Returns a handler of a POST that needs a valid token, and takes effect once for each idempotency key.
    package func keyed(
        _ handler: @escaping @Sendable (SignedInUser, KeyedRequest) async throws -> HTTPResponse
    ) -> Router.Handler {
        signedIn { user, request in
            let key = try IdempotencyKeyField.read(request.head.headers)
            let keyed = keyed(request, key, of: .user(user.id), in: request.language(of: user))
            return try await keyed.answer { try await handler(user, $0) }
        }
    }

    private func keyed(
        _ request: HTTPRequest, _ text: String?, of owner: IdempotencyKey.Owner, in language: Language
    ) -> KeyedRequest {
        let key = text.map { text in
            IdempotencyKey(
                text, of: owner, method: request.head.method.rawValue, path: request.head.path,
                body: request.body, at: application.now())
        }
        return KeyedRequest(request: request, key: key, language: language, application: application)
    }

    /// Returns a handler that needs a valid token, or a session; if it is `sensitive`, the session has to be
    /// that of a page of the service itself also for reading. A handler that `readsAgain` reads the user of a
    /// sensitive request from the database again.
    func signedIn(
        sensitive: Bool = false, readsAgain: Bool = false,
        _ handler: @escaping @Sendable (SignedInUser, HTTPRequest) async throws -> HTTPResponse
    ) -> Router.Handler {
        open { request in
            let user = try await signIn.read(
                request, sensitive: sensitive, readsAgain: readsAgain,
                from: application.database(request.loop))
            var admission = Admission(user)
            do {
                try admit(&admission)
                return admission.completed(try await handler(user, request))
            } catch {
                return admission.refusal(for: error, to: request)
            }
        }
    }

    /// Returns a handler that needs a valid token, or a session, and nothing else that takes time: an account
    /// that was read lately is answered from the cache, at once.
    func signedInAtOnce(
        _ handler: @escaping @Sendable (SignedInUser, HTTPRequest) throws -> HTTPResponse
    ) -> Router.Handler {
        signedIn(handler).preferring(
            { request in
                guard let user = signIn.known(request) else { return nil }
                var admission = Admission(user)
                do {
                    try admit(&admission)
                    return admission.completed(try handler(user, request))
                } catch {
                    return admission.refusal(for: error, to: request)
                }
            }, otherwise: { _ in })
    }

    /// Counts a request for the limit of its account.
    private func admit(_ admission: inout Admission) throws {
        admission.fields = try application.limits.checkRequest(of: admission.user.id)
    }

    /// A signed-in user's request on the way to its answer.
    private struct Admission {
        let user: SignedInUser
        /// The fields of the answer that tell the limit of the account.
        var fields = HTTPHeaders()

        init(_ user: SignedInUser) { self.user = user }

        func completed(_ response: HTTPResponse) -> HTTPResponse {
            var response = response
            response.account = user.id
            for field in fields.fields { response.headers.append(field.name, field.value) }
            return response
        }

        func refusal(for error: any Error, to request: HTTPRequest) -> HTTPResponse {
            completed(Answer.refusal(for: error, id: request.id, in: request.language(of: user)))
        }
    }
}

/// The handlers of the calls for a resource.
package protocol EndpointGroup: Sendable {
    var rest: REST { get }

    func add(to router: inout Router)
}

extension EndpointGroup {
    var application: Application { rest.application }
}

extension Router {
    /// Adds the calls of groups.
    package mutating func add(_ groups: any EndpointGroup...) {
        for group in groups { group.add(to: &self) }
    }
}
