/// A language of the texts for people. The raw value is its tag (RFC 5646).
public enum Language: String, CaseIterable, Codable, Hashable, Sendable {
    case english = "en"
    case german = "de"
    case japanese = "ja"

    /// Reads the name of a locale, such as `de_AT.UTF-8`; nil for one of another language, and for `C` and
    /// `POSIX`, which name none.
    public init?(locale: String) {
        let language = locale.prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != "-" }
        self.init(rawValue: language.lowercased())
    }
}
