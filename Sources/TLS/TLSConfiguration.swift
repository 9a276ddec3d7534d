/// The authorities and pins that a client trusts. A certificate has to satisfy both: pins narrow trust, and
/// never replace it.
package struct TLSConfiguration: Hashable, Sendable {
    package enum Authorities: Hashable, Sendable {
        /// The authorities of the operating system.
        case system
        /// The authorities in a PEM file, and no others.
        case file(String)
    }

    package var authorities: Authorities
    /// The allowed keys of the server's own certificate; if empty, any key is allowed.
    package var pins: Set<TLSPin>

    package init(authorities: Authorities = .system, pins: Set<TLSPin> = []) {
        self.authorities = authorities
        self.pins = pins
    }
}
