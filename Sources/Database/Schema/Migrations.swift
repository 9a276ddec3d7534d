import Logging
package import Postgres

/// The files of the folder `migrations`, which are part of the program.
package enum Migrations {
    /// The last migration that the first release knows; it refuses a database in whose list it finds another.
    private static let sealed = 7
    /// The last migration that the previous release knows, which goes on working on the schema of this one.
    private static let served = 7

    package static func migrator() throws(MigrationError) -> Migrator {
        try Migrator(
            all, sealed: sealed, served: served,
            waits: { wait in
                Log.warning(
                    "a migration waits for a lock",
                    [
                        "version": wait.version ?? 0, "tries": wait.tries,
                        "held": wait.holders.joined(separator: "; "),
                    ])
            })
    }

    package static let all = [
        migration(1, "first", PackageResources._001_first_sql),
        migration(2, "matching", PackageResources._002_matching_sql),
        migration(3, "endpoints", PackageResources._003_endpoints_sql),
        migration(4, "logs", PackageResources._004_logs_sql),
        migration(5, "servers", PackageResources._005_servers_sql),
        migration(6, "indexes", PackageResources._006_indexes_sql),
        migration(7, "endpoint_locks", PackageResources._007_endpoint_locks_sql),
        migration(8, "tokens", PackageResources._008_tokens_sql),
        migration(9, "known_tokens", PackageResources._009_known_tokens_sql),
        migration(10, "years_indexes", PackageResources._010_years_indexes_sql),
        migration(11, "past", PackageResources._011_past_sql),
        migration(12, "parts_prepared", PackageResources._012_parts_prepared_sql),
        migration(13, "delivery_parts", PackageResources._013_delivery_parts_sql),
        migration(14, "attempt_parts", PackageResources._014_attempt_parts_sql),
        migration(15, "closing", PackageResources._015_closing_sql),
        migration(16, "incarnations", PackageResources._016_incarnations_sql),
        migration(17, "slot_counts", PackageResources._017_slot_counts_sql),
        migration(18, "slot_counts_of_old", PackageResources._018_slot_counts_of_old_sql),
        migration(19, "push_owners", PackageResources._019_push_owners_sql),
        migration(20, "verified_webhooks", PackageResources._020_verified_webhooks_sql),
        migration(21, "server_leases", PackageResources._021_server_leases_sql),
        migration(22, "room_owners", PackageResources._022_room_owners_sql),
        migration(23, "calendars", PackageResources._023_calendars_sql),
        migration(24, "idempotency_keys", PackageResources._024_idempotency_keys_sql),
        migration(25, "several_tokens", PackageResources._025_several_tokens_sql),
        migration(26, "sessions", PackageResources._026_sessions_sql),
        migration(27, "session_words", PackageResources._027_session_words_sql),
        migration(28, "routines", PackageResources._028_routines_sql),
        migration(29, "registration_spans", PackageResources._029_registration_spans_sql),
        migration(30, "intents", PackageResources._030_intents_sql),
        migration(31, "slot_notifications", PackageResources._031_slot_notifications_sql),
        migration(32, "slot_partners", PackageResources._032_slot_partners_sql),
        migration(33, "user_languages", PackageResources._033_user_languages_sql),
        migration(34, "operators", PackageResources._034_operators_sql),
        migration(35, "announcements", PackageResources._035_announcements_sql),
        migration(36, "old_reports", PackageResources._036_old_reports_sql),
        migration(37, "desk_indexes", PackageResources._037_desk_indexes_sql),
        migration(38, "closed_registration", PackageResources._038_closed_registration_sql),
        migration(39, "closed_rooms", PackageResources._039_closed_rooms_sql),
        migration(40, "rows_of_a_match", PackageResources._040_rows_of_a_match_sql),
        migration(41, "no_notifications_by_room", PackageResources._041_no_notifications_by_room_sql),
        migration(42, "room_for_updates", PackageResources._042_room_for_updates_sql),
        migration(43, "time_of_counts", PackageResources._043_time_of_counts_sql),
        migration(44, "room_change_pace", PackageResources._044_room_change_pace_sql),
        migration(45, "registrations_made", PackageResources._045_registrations_made_sql),
        migration(46, "cancelled_registrations", PackageResources._046_cancelled_registrations_sql),
        migration(47, "paused_days", PackageResources._047_paused_days_sql),
        migration(48, "accepted_push_services", PackageResources._048_accepted_push_services_sql),
        migration(49, "recovery_by_operator", PackageResources._049_recovery_by_operator_sql),
        migration(50, "deleted_accounts", PackageResources._050_deleted_accounts_sql),
        migration(51, "token_parents", PackageResources._051_token_parents_sql),
        migration(52, "security_notices", PackageResources._052_security_notices_sql),
        migration(53, "registration_changes", PackageResources._053_registration_changes_sql),
        migration(54, "endpoint_registrations", PackageResources._054_endpoint_registrations_sql),
        migration(55, "endpoint_sessions", PackageResources._055_endpoint_sessions_sql),
        migration(56, "folded_names", PackageResources._056_folded_names_sql),
        migration(57, "reason_codes", PackageResources._057_reason_codes_sql),
        migration(58, "closed_sign_up", PackageResources._058_closed_sign_up_sql),
    ]

    private static func migration(_ version: Int, _ name: String, _ bytes: [UInt8]) -> Migration {
        Migration(version: version, name: name, sql: String(decoding: bytes, as: UTF8.self))
    }
}
