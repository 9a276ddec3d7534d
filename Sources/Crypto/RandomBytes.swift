extension [UInt8] {
    /// Returns that many bytes of the system's generator.
    package static func random(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: .min ... .max) }
    }
}
