-- Keys of seals whose vault key is going away: they check what they sealed, and seal nothing more.
-- Each lies here encrypted under a key of the vault.
create table seal_keys (
  id text primary key,
  vault_key_id text not null,
  ciphertext bytea not null,
  -- A later seal under it is somebody else's.
  retired_at timestamptz not null
);
