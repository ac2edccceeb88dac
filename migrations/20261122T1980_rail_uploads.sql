-- Files of networks and banks that were sent to the service and are looked at before they are
-- imported. They may hold numbers of cards, so the vault encrypts them; a day later they are gone.
create table rail_uploads (
  id bigint primary key,
  rail text not null,
  name text not null,
  -- Of its lines, as rail_files has it once it is imported.
  sha256 bytea not null check (octet_length(sha256) = 32),
  key_id text not null,
  ciphertext bytea not null,
  uploaded_at timestamptz not null
);
create index rail_uploads_by_age on rail_uploads (uploaded_at);
