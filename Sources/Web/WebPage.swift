import Codecs
import Crypto
package import HTTP1
package import HTTPServer
import PageFiles

/// The page for browsers: its files, and the addresses at which they are served.
///
/// Files have the hash of them all in their path, so that a browser may keep them for ever. Three files have
/// names that stay, and are asked for again each time by their entity tag: the shell, which is the HTML of
/// every screen, the service worker and the manifest. No answer depends on who asks, or sets a cookie.
package enum WebPage {
    /// The addresses at which the page shows a screen, besides those of `shared`. All get the shell, whose
    /// scripts show the screen.
    package static let screens = [
        "/welcome", "/day", "/day/{date}", "/registration/{id}", "/room/{id}", "/me",
    ]

    /// The addresses that also have an answer for programs, which get it unless they ask for HTML.
    package static let shared = ["/", "/invites/{code}"]

    /// The folder of the files.
    static let base = "/page/\(PageFile.hash)"

    /// The policy of the page: no script, style or connection that is not the service's own. The script
    /// inside the shell is named by its digest.
    private static func rules(hash: String) -> PageAnswer.Rules {
        PageAnswer.Rules(
            hash: hash,
            contentSecurityPolicy: """
                default-src 'none'; script-src 'self' 'sha256-\(shellScriptDigest)'; style-src 'self'; \
                connect-src 'self'; img-src 'self' data:; manifest-src 'self'; worker-src 'self'; \
                form-action 'self'; base-uri 'none'; frame-ancestors 'none'
                """)
    }

    private static let shellFile =
        PageFile.all.first { $0.name == "index.html" } ?? PageFile("index.html", text: "", gzip: "")

    private static let shellScriptDigest: String = {
        let text = String(decoding: shellFile.bytes, as: UTF8.self)
        let script = text.firstMatch(of: /<script>([^<]*)<\/script>/)?.1 ?? ""
        return Base64.encode(Digest.sha256(Array(script.utf8)))
    }()

    /// The names of the files that are served at an address of their own.
    private static let fixed = ["index.html", "worker.js", "manifest.webmanifest"]

    private static let files: [String: PageAnswer] = Dictionary(
        uniqueKeysWithValues: PageFile.all.map { file in
            let isFixed = fixed.contains(file.name)
            let path = isFixed ? "/\(file.name)" : "\(base)/\(file.name)"
            return (path, PageAnswer(file, rules: isFixed ? rules(hash: PageFile.hash) : nil))
        })

    /// Returns the shell. Below a base path its links have that path, its entity tag is another one, and
    /// there is no compressed form, since the server has no library that compresses.
    private static func shell(below base: String) -> PageAnswer {
        if base.isEmpty { return PageAnswer(shellFile, rules: rules(hash: PageFile.hash)) }
        let text = String(decoding: shellFile.bytes, as: UTF8.self)
            .replacing("=\"/", with: "=\"\(base)/")
        return PageAnswer(
            PageFile(shellFile.name, bytes: Array(text.utf8), gzipped: nil),
            rules: rules(hash: PageFile.hash + base))
    }

    /// The files of other builds, whose servers run beside this one during an update.
    private static let ofOtherBuilds = "/page/{hash}/{file}"

    /// The paths that are the page's alone, as in a router.
    package static var paths: [String] {
        files.keys.filter { $0 != "/index.html" } + screens + [ofOtherBuilds]
    }

    /// The hash of this build's files, and all files whose paths have it, for servers of other builds.
    package static let archive = (
        hash: PageFile.hash,
        bytes: PageArchive.encode(PageFile.all.filter { !fixed.contains($0.name) })
    )

    /// Adds the page to a router that has the other calls already. `base` is the path below which clients
    /// reach the service; empty without one. The other files find it by their own address.
    package static func add(to router: inout Router, others: OtherPages, below base: String = "") {
        let shell = shell(below: base)
        for (path, answer) in files where path != "/index.html" {
            router.immediate(.get, path) { answer.response(to: $0) }
        }
        for path in screens { router.on(.get, path, .immediate { shell.response(to: $0) }) }
        for path in screens + shared { router.takeAnyQuery(at: path) }
        router.on(
            .get, ofOtherBuilds,
            .immediateElseTask { request in
                let hash = request.parameters[0]
                if hash == PageFile.hash || !OtherPages.isHash(hash) { return PageAnswer.missing(request) }
                if let page = others.kept(hash) { return page.response(to: request) }
                return others.isRefused(hash) ? PageAnswer.missing(request) : nil
            } _: { request in
                do {
                    return try await others.find(request.parameters[0])?.response(to: request)
                        ?? PageAnswer.missing(request)
                } catch {
                    // A 404 would say that the build is gone, and have its tabs loaded again.
                    return PageAnswer.unanswered(request)
                }
            })
        for path in shared {
            router.change(.get, path) { handler in
                handler.preferring { request in
                    wantsPage(request) ? shell.response(to: request, varyingBy: "Accept") : nil
                } otherwise: { response in
                    response.headers.append("Vary", "Accept")
                }
            }
        }
    }

    /// Whether a request is for a file whose path has the hash. A browser asks for all of them at once when
    /// it comes for the first time, so they do not count for the rate of its address. Those of another build
    /// count until its page is here: any hash may be invented.
    package static func isOfPage(_ head: RequestHead, others: OtherPages) -> Bool {
        guard head.path.hasPrefix("/page/") else { return false }
        if files[head.path] != nil { return true }
        let parts = head.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[2] != PageFile.hash, OtherPages.isHash(parts[2]) else { return false }
        return others.kept(String(parts[2]))?.has(String(parts[3])) ?? false
    }

    /// Whether a request asks for HTML by its name, as browsers do when they open a page. Programs say
    /// nothing, or take anything.
    static func wantsPage(_ request: HTTPRequest) -> Bool {
        Preference(of: "text/html", in: request.head.headers.tokens("Accept")) == .wanted
    }
}
