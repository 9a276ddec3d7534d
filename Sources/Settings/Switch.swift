/// A setting that is on or off.
package enum Switch: String, CaseIterable, Sendable {
    case on
    case off
}
