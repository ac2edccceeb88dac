-- Keys of the service's own, encrypted by the vault.

-- Links are signed, and secrets of webhooks derived, with these. The number lets a token or a
-- webhook name its key.
create table service_keys (
  purpose text not null check (purpose in ('links', 'webhooks')),
  no integer not null check (no > 0),
  vault_key_id text,
  -- Encrypted with purpose and number as context. Erased when the key is retired.
  ciphertext bytea,
  -- Wall clock, as all times here: from when on the key makes new things.
  used_from timestamptz not null,
  -- When the next key took over, and when to check whether anything of this one is left.
  replaced_at timestamptz,
  look_at timestamptz,
  retired_at timestamptz,
  primary key (purpose, no),
  check ((ciphertext is null) = (retired_at is not null)),
  check ((ciphertext is null) = (vault_key_id is null)),
  check ((look_at is null) = (replaced_at is null or retired_at is not null))
);

-- Keys of seals whose vault key was dropped: they verify old seals and make no new ones.
create table seal_keys (
  id text primary key,
  vault_key_id text not null,
  ciphertext bytea not null,
  -- A later seal under this key is a forgery.
  retired_at timestamptz not null
);
