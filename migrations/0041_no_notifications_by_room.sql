-- migrate: outside a transaction
-- Nothing looks for the notifications of a room any more: only the foreign key did, for each room that was deleted.
DROP INDEX CONCURRENTLY IF EXISTS notifications_by_room;
