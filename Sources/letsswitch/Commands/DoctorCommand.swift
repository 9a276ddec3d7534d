import Client
import Contract
import Reactor

enum DoctorCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let console = invocation.console
        var first: Failure?
        let examination = Examination(invocation: invocation)
        for check in Examination.Check.allCases {
            var detail: String
            var isFine = true
            do {
                detail = try await examination.perform(check).local
            } catch {
                let failure = Failure(describing: error)
                isFine = false
                detail = failure.detail
                first = first ?? failure
            }
            if check == .name || check == .port && !isFine, let note = examination.proxyNote {
                detail += " \(note.local)"
            }
            console.json(["check": .string(check.rawValue), "detail": .string(detail), "ok": .bool(isFine)])
            let mark = isFine ? console.green("ok  ") : console.yellow("FAIL")
            console.line("\(mark)  \(TextWidth.fit(check.rawValue, 7))  \(SafeText.escape(detail))")
            // If the server, its address or its proxy cannot be used, the other checks add nothing.
            if [.network, .usage].contains(first?.code) { break }
        }
        if let first {
            let title = Text(verbatim: first.title)
            throw Failure(first.code, title, "\(title). The line marked FAIL says more.")
        }
        console.note("Everything is fine.")
    }
}
