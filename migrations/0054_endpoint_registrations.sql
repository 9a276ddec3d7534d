-- The instant at which a device or a browser was registered again; NULL: not since it was created. An answer to an
-- attempt that began before does not disable the endpoint.
ALTER TABLE endpoints ADD COLUMN registered_at timestamptz;
