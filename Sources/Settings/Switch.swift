/// What can be on or off.
package enum Switch: String, CaseIterable, Sendable {
    case on
    case off
}
