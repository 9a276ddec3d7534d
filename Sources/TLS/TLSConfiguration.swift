/// Whom a client believes. Every part has to be content: pins narrow trust, and never replace it.
package struct TLSConfiguration: Hashable, Sendable {
    package enum Authorities: Hashable, Sendable {
        /// Those of the operating system.
        case system
        /// Those in a PEM file, and no others.
        case file(String)
    }

    package var authorities: Authorities
    /// The server's own certificate has one of these keys; empty: any key will do.
    package var pins: Set<TLSPin>

    package init(authorities: Authorities = .system, pins: Set<TLSPin> = []) {
        self.authorities = authorities
        self.pins = pins
    }
}
