/// Returns the count with its noun in the right number, in English: `1 room`, `2 rooms`. It is for texts that
/// are not translated.
package func counted(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? "\(one)s")"
}
