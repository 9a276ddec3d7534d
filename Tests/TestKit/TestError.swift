/// The error of a test that cannot get what it needs.
package struct TestError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
