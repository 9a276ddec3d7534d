import API
import Contract
import HTTP1
package import HTTPServer

extension Desk {
    /// Adds the page, and what a browser without JavaScript needs, to a router that has the routes already.
    package func page(into router: inout Router) {
        OperatorsPage.add(to: &router)
        for route in routes where !route.isWrite {
            router.change(.get, route.path) { PlainReading.offered($0) }
        }
        router.on(
            .post, PlainReading.signIn, body: PlainReading.maximumFormBytes,
            .task { request in await signInByForm(request) })
    }

    /// Signs in by a form, and leads to what was asked for.
    private func signInByForm(_ request: HTTPRequest) async -> HTTPResponse {
        let form = try? QueryItems(String(decoding: request.body, as: UTF8.self))
        let next = PlainReading.next(form?.first("next"))
        do {
            guard let name = form?.first("name"), (1...64).contains(name.count),
                let password = form?.first("password"), (1...256).contains(password.count)
            else { throw DeskAccess.unauthenticated }
            let code = form?.first("code").flatMap { (1...16).contains($0.count) ? $0 : nil }
            let session = try await begin(name, password, code: code, for: request)
            var response = HTTPResponse(
                status: 303, headers: ["Location": next, "Cache-Control": "no-store"])
            for cookie in session.headers.all("set-cookie") { response.headers.append("Set-Cookie", cookie) }
            return response
        } catch {
            return PlainReading.refusedSignIn(
                Answer.refusal(for: error, id: request.id, in: .english), next: next)
        }
    }
}
