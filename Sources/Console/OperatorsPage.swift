package import HTTP1
package import HTTPServer
import PageFiles

/// The operators' page: its files, and the addresses at which they are served.
///
/// It is a client of the admin API, and has no other way to anything. Files have the hash of them all in
/// their path; only the shell, which is the HTML of every screen, is asked for again each time by its entity
/// tag.
package enum OperatorsPage {
    /// The addresses at which the page shows a screen. Its scripts know which there are.
    package static let screens = [
        "/", "/desk", "/desk/{place}", "/desk/{place}/{id}", "/desk/{place}/{id}/{part}",
    ]

    /// The folder of the files.
    static let base = "/page/\(PageFile.hash)"

    /// The policy of the page: no script, style or connection that is not the listener's own.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
        form-action 'self'; base-uri 'none'; frame-ancestors 'none'
        """

    private static let rules = PageAnswer.Rules(hash: PageFile.hash, contentSecurityPolicy: policy)

    private static let shellName = "index.html"

    private static let files: [String: PageAnswer] = Dictionary(
        uniqueKeysWithValues: PageFile.all.filter { $0.name != shellName }.map { file in
            ("\(base)/\(file.name)", PageAnswer(file, rules: nil))
        })

    private static let shell = PageAnswer(
        PageFile.all.first { $0.name == shellName } ?? PageFile(shellName, text: "", gzip: ""), rules: rules)

    /// Adds the page to the router of the operators' listener.
    package static func add(to router: inout Router) {
        for (path, answer) in files { router.on(.get, path, .immediate { answer.response(to: $0) }) }
        for path in screens {
            router.immediate(.get, path) { shell.response(to: $0) }
            router.takeAnyQuery(at: path)
        }
    }

    /// Whether a request is for a file whose path has the hash. A browser asks for all of them at once.
    package static func isOfPage(_ head: RequestHead) -> Bool {
        head.path.hasPrefix(base) && files[head.path] != nil
    }
}
