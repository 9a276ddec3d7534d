-- What was registered before changes were written down, while people register: live registrations and changes are read
-- in one snapshot, so that their difference is what was there before.
INSERT INTO slot_counts (starts_at, people)
SELECT slots.starts_at, coalesce(live.people, 0) - coalesce(changed.change, 0)
FROM slots
LEFT JOIN (
    SELECT starts_at, count(*) AS people FROM registrations WHERE cancelled_at IS NULL GROUP BY starts_at
) AS live USING (starts_at)
LEFT JOIN (
    SELECT starts_at, sum(change) AS change FROM slot_count_changes GROUP BY starts_at
) AS changed USING (starts_at);
