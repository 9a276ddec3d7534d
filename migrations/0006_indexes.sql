-- A registration that is deleted is looked for here, and the other indexes on it are partial: without this one every
-- deleting of a registration would read all notifications.
CREATE INDEX notifications_by_registration ON notifications (registration_id);
