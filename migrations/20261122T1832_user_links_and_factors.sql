-- What a mail opened for somebody: an invitation to an account, or a new password. Single use.
create table user_links (
  -- The operator's own books where it is for no account.
  account_id text not null,
  id bigint not null,
  user_id bigint not null,
  kind text not null check (kind in ('invitation', 'reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, id)
);
create index user_links_of_user on user_links (user_id, created_at);

-- The second factor: codes by time (RFC 6238). The secret is encrypted by the vault; it counts once
-- a code of it was right. The step of the last code that was taken: none is taken twice.
alter table users
  add totp_key_id text,
  add totp_ciphertext bytea,
  add totp_since timestamptz,
  add totp_step bigint not null default 0,
  add check (num_nulls(totp_key_id, totp_ciphertext) in (0, 2)),
  add check (totp_since is null or totp_ciphertext is not null);

-- Codes for who lost his second factor, each for one time; only hashes.
create table user_recovery_codes (
  user_id bigint not null,
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- Whether the second factor is yet to be shown: until then the session opens nothing.
alter table user_sessions add factor_due boolean not null default false;
