import Codecs

/// A file of a page for browsers, as it is sent. A page has all of its files in `PageFile.all`, which
/// `script/dev/embed` writes into its target in each build.
package struct PageFile: Sendable {
    /// The name in the folder.
    package let name: String
    package let bytes: [UInt8]
    /// The same in gzip's format (RFC 1952); nil for a file whose own format is compressed.
    package let gzipped: [UInt8]?

    package init(_ name: String, text: String, gzip: String) {
        self.name = name
        bytes = Array(text.utf8)
        gzipped = Base64.decode(gzip)
    }

    package init(_ name: String, bytes: [UInt8], gzipped: [UInt8]?) {
        self.name = name
        self.bytes = bytes
        self.gzipped = gzipped
    }

    package init(_ name: String, base64: String) {
        self.name = name
        bytes = Base64.decode(base64) ?? []
        gzipped = nil
    }

    /// The media type; nil for a name whose end is not known.
    package var mediaType: String? {
        switch name.split(separator: ".", omittingEmptySubsequences: false).last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        default: nil
        }
    }
}
