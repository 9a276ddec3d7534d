extension StoredPromise {
    static let deliveries = [
        // Deliveries are kept for 30 days. A webhook's types never change; those of a device may have.
        StoredPromise(
            "told-everywhere", "A notification has its deliveries to the webhooks of its user.",
            """
            SELECT notifications.id::text FROM endpoints
            JOIN notifications ON notifications.user_id = endpoints.user_id
                AND notifications.created_at > endpoints.created_at + interval '30 seconds'
                AND notifications.created_at > now() - interval '25 days'
                AND (disabled_at IS NULL OR notifications.created_at < disabled_at - interval '30 seconds')
                AND (types IS NULL OR type = ANY (types))
            WHERE kind = 'webhook' AND NOT EXISTS (
                SELECT FROM deliveries
                WHERE notification_id = notifications.id AND endpoint_id = endpoints.id)
            """),
        StoredPromise(
            "own-endpoint", "What a user is told goes to the endpoints of that user, once to each.",
            """
            SELECT 'msg_' || deliveries.id FROM deliveries
            JOIN notifications ON notifications.id = notification_id
            JOIN endpoints ON endpoints.id = endpoint_id
            WHERE notifications.user_id <> endpoints.user_id
            UNION ALL
            SELECT 'msg_' || min(id) FROM deliveries WHERE notification_id IS NOT NULL
            GROUP BY notification_id, endpoint_id HAVING count(*) > 1
            """),
        StoredPromise(
            "delivered-by-attempt", "What counts as delivered was sent.",
            "SELECT 'msg_' || id FROM deliveries WHERE outcome = 'delivered' AND attempts = 0"),
        StoredPromise(
            "not-expired-early", "What is not sent since it comes too late is too late.",
            """
            SELECT 'msg_' || id FROM deliveries
            WHERE outcome = 'expired' AND settled_at < expires_at - interval '2 seconds'
            """),
        StoredPromise(
            "superseded-by-later", "A change of a room that was not sent has a later one in its stead.",
            """
            SELECT 'msg_' || deliveries.id FROM deliveries
            JOIN notifications ON notifications.id = notification_id
            WHERE outcome = 'superseded' AND (attempts > 0 OR NOT EXISTS (
                SELECT FROM notifications AS later
                JOIN deliveries AS replacing
                    ON replacing.notification_id = later.id AND replacing.endpoint_id = deliveries.endpoint_id
                WHERE later.user_id = notifications.user_id AND later.room_id = notifications.room_id
                    AND later.type = 'room.changed' AND later.id > notifications.id))
            """),
        StoredPromise(
            "one-owner", "A device or a browser gets the notifications of one account.",
            """
            SELECT min(id::text) FROM endpoints WHERE kind <> 'webhook'
            GROUP BY kind, address HAVING count(*) > 1
            """),
    ]
}
