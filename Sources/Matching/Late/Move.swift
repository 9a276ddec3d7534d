/// A move of a member from one open room to another.
package struct Move<ID: Hashable & Sendable>: Hashable, Sendable {
    package let member: ID
    package let from: ID
    package let to: ID

    package init(_ member: ID, from: ID, to: ID) {
        self.member = member
        self.from = from
        self.to = to
    }
}
