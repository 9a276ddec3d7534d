-- Reports that were written before there was a table for them. Blocks are only read, and nobody waits for them.
INSERT INTO reports (block_id, at, by_id, about_id, pseudonym, starts_at, room_id, text)
SELECT block.id, block.created_at, block.user_id, block.other_id,
    'person-' || left(encode(sha256(secret.value || uuid_send(block.other_id)), 'hex'), 12),
    registration.starts_at,
    (SELECT room_id FROM members WHERE registration_id = block.registration_id ORDER BY joined_revision DESC LIMIT 1),
    block.report
FROM blocks AS block
JOIN secrets AS secret ON secret.name = 'report-pseudonyms'
LEFT JOIN registrations AS registration ON registration.id = block.registration_id
WHERE block.report IS NOT NULL
ON CONFLICT (block_id) DO NOTHING;
