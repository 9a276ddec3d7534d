/// The values of `MISPLACED`, which does nothing: a socket of another server's room is always passed on.
package enum Misplaced: String, CaseIterable, Sendable {
    case off
    case xAccel = "x-accel"
}
