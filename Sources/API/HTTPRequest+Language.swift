import Contract
import Database
import HTTP1
import HTTPServer

extension HTTPRequest {
    /// Returns the language of the answer: by `Accept-Language`, else the account's, else English.
    func language(of user: SignedInUser? = nil) -> Language {
        head.language(else: user?.language.flatMap { Language(rawValue: $0) })
    }
}

extension RequestHead {
    /// Returns the language of the answer: by `Accept-Language`, else the account's, else English.
    func language(else account: Language? = nil) -> Language {
        AcceptLanguage(headers.all("Accept-Language")).choose(else: account)
    }
}

extension HTTPHeaders {
    /// Adds the fields of an answer whose text is in a language that the request chooses.
    mutating func append(textIn language: Language) {
        append("Content-Language", language.rawValue)
        append("Vary", "Accept-Language")
    }
}
