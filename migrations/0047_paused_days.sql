-- A day of a paused routine keeps the registration that the pause cancelled (`planned`), so that the routine takes it back
-- instead of making another one. The table has one row for each day of a routine, so that it is read quickly.
-- squawk-ignore ban-drop-constraint
ALTER TABLE routine_occurrences DROP CONSTRAINT routine_occurrences_outcome_check;
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE routine_occurrences ADD CONSTRAINT routine_occurrences_outcome_check CHECK (
    outcome IN ('registered', 'planned', 'skipped', 'conflict', 'limit', 'attendance', 'off-grid', 'late'));
-- squawk-ignore ban-drop-constraint
ALTER TABLE routine_occurrences DROP CONSTRAINT routine_occurrences_registered;
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE routine_occurrences ADD CONSTRAINT routine_occurrences_registered CHECK (
    (outcome IN ('registered', 'planned')) = (registration_id IS NOT NULL));
