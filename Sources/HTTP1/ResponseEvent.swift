/// A part of a response, in order: one head, any number of body parts, one end.
package enum ResponseEvent: Sendable, Equatable {
    case head(ResponseHead)
    case body([UInt8])
    case end
}
