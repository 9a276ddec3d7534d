/// A part of a request, in order: one head, any number of body parts, one end.
package enum RequestEvent: Sendable, Equatable {
    case head(RequestHead)
    case body([UInt8])
    case end
}
