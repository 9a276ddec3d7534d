/// What a test needs could not be had.
package struct TestError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
