import HTTPServer
import Settings

extension CrossOriginSharing {
    /// Creates the rules for the pages that `ALLOWED_ORIGINS` names; nil where it names none.
    init?(_ configuration: ServerConfiguration) {
        self.init(
            origins: configuration.allowedOrigins,
            requestHeaders: [
                "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match",
                "Last-Event-ID", "Prefer",
            ],
            exposedHeaders: [
                "Location", "Retry-After", "X-Request-Id", "RateLimit", "RateLimit-Policy", "ETag", "Link",
                "Idempotent-Replayed",
            ])
    }
}
