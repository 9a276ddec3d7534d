-- migrate: outside a transaction
-- A room that is deleted is looked for in the notifications: without this index each would read all of them.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notifications_by_room ON notifications (room_id);
-- migrate: next
-- A slot's registrations are deleted with it, the cancelled ones too.
CREATE INDEX CONCURRENTLY IF NOT EXISTS registrations_by_slot ON registrations (starts_at);
