import Contract
import Database
import HTTP1
import HTTPServer

extension REST {
    /// Adds the call that lists the time zones. It needs no token: an account begins with a zone.
    func addTimeZones(to router: inout Router) {
        router.on(
            .get, Routes.timeZones,
            open { request in
                try Answer.tagged(
                    TimeZoneList(timeZones: application.timeZones.names), .revalidated, for: request)
            })
    }
}
