-- A server's processes have names of their own. The label is what they have in common: by it a process that starts finds
-- those before it.
ALTER TABLE servers ADD COLUMN IF NOT EXISTS label text;
