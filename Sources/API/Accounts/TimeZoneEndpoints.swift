import Contract
import Database
import HTTP1
package import HTTPServer

/// The call that lists the time zones. It needs no token: an account begins with a zone.
package struct TimeZoneEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(
            .get, Routes.timeZones,
            rest.open { request in
                try Answer.tagged(
                    TimeZoneList(timeZones: application.timeZones.names), .revalidated, for: request)
            })
    }
}
