package import Contract

/// The outcome of one attempt. The details are for people, and hold no secret.
package enum Outcome: Hashable, Sendable {
    case delivered(Text)
    /// The attempt failed, and a later one may succeed.
    case failed(Failure)
    /// This message will never be accepted; others may be.
    case refused(Text)
    /// The endpoint no longer exists: nothing is to be sent to it again.
    case gone(Text)

    package struct Failure: Hashable, Sendable {
        package let detail: Text
        /// The pause that the other side asks for.
        package let retryAfter: Duration?
        /// Whether there was no connection, or no answer.
        package let isHostFault: Bool
        /// Whether the failure counts against the endpoint: not if the fault is this server's or a shared
        /// service's.
        package var countsAgainstEndpoint = true
        /// Whether anything was sent; if not, the failure says nothing of the host.
        package var wasSent = true
        /// Whether the attempt counts. It does not if this server lacks what every attempt needs.
        package var isCounted = true

        package init(_ detail: Text, retryAfter: Duration? = nil, isHostFault: Bool) {
            self.detail = detail
            self.retryAfter = retryAfter
            self.isHostFault = isHostFault
        }

        /// The failure of an attempt that was given up before anything was sent.
        package static func unsent(_ detail: Text) -> Failure {
            var failure = Failure(detail, isHostFault: false)
            (failure.countsAgainstEndpoint, failure.wasSent) = (false, false)
            return failure
        }

        /// The failure of an attempt for which this server has no descriptor.
        package static func outOfDescriptors(_ detail: Text) -> Failure {
            var failure = unsent(detail)
            failure.isCounted = false
            return failure
        }
    }

    /// The same outcome, not counted against the endpoint.
    package var sparingEndpoint: Outcome {
        guard case .failed(var failure) = self else { return self }
        failure.countsAgainstEndpoint = false
        return .failed(failure)
    }

    package var countsAgainstEndpoint: Bool {
        if case .failed(let failure) = self { failure.countsAgainstEndpoint } else { true }
    }

    package var wasSent: Bool {
        if case .failed(let failure) = self { failure.wasSent } else { true }
    }

    /// Whether the host answered; nil: nothing was sent.
    var isAnswer: Bool? {
        guard case .failed(let failure) = self else { return true }
        return failure.wasSent ? !failure.isHostFault : nil
    }

    /// The pause that the receiver asks for with an error, if only zero; nil: it answered with none.
    var askedPause: Duration? {
        guard case .failed(let failure) = self, isAnswer == true else { return nil }
        return min(max(failure.retryAfter ?? .zero, .zero), RetrySchedule.longestRetryAfter)
    }

    package var detail: Text {
        switch self {
        case .delivered(let detail), .refused(let detail), .gone(let detail): detail
        case .failed(let failure): failure.detail
        }
    }
}
