/// The names of the rate limits in the field `RateLimit-Policy` and in `Problem.violatedPolicies`.
public enum QuotaPolicy: String, CaseIterable, Codable, Hashable, Sendable {
    /// The requests of one account.
    case account
    /// The requests of one address.
    case address
    /// The accounts that one address makes.
    case signUps = "sign-ups"
    /// The recovery codes that one address tries.
    case recoveries
    /// The codes and invites that one address tries for accounts.
    case codes
    /// The registrations that one address makes.
    case registrations
    /// The changes of routines of one account.
    case routines
    /// The replays of failed deliveries of one account.
    case replays
}
