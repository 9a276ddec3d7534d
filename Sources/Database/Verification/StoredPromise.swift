/// A promise of `docs/guarantees.md` that rows can show to be broken.
package struct StoredPromise: Sendable {
    /// A short name, which a report and a test call it by.
    package let name: String
    /// The promise, as a sentence.
    package let text: String
    /// A query without parameters for what breaks it, with one column of text that names each: an id, or the
    /// start of a slot. It may run at any time beside servers, and finds nothing where the promise holds.
    package let query: String

    package init(_ name: String, _ text: String, _ query: String) {
        self.name = name
        self.text = text
        self.query = query
    }

    /// All promises that are checked, in the order of `docs/guarantees.md`.
    package static let all = onceOnly + rooms + notifications + people + match + deliveries + years + time
}
