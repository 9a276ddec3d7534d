package import Reactor

extension EventLoop.Mechanism {
    /// The mechanisms that this machine has.
    package static let here: [EventLoop.Mechanism] =
        (try? EventLoop(name: "tried", .uring)) == nil ? [.epoll] : [.epoll, .uring]
}
