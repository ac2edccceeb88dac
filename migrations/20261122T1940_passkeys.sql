-- Passkeys (WebAuthn): a second factor beside codes by time. Public keys, so nothing is secret here.
create table user_passkeys (
  user_id bigint not null,
  id bigint not null,
  -- What the authenticator calls it: one of each in the deployment.
  credential_id bytea not null unique,
  public_key bytea not null,
  -- Of the authenticator, at the last use: it grows, or stays 0 where none is kept.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, id)
);

-- What an authenticator is to sign next for a session: taken once, within minutes.
create table user_challenges (
  session_id bigint not null,
  purpose text not null check (purpose in ('add', 'show')),
  challenge bytea not null,
  expires_at timestamptz not null,
  primary key (session_id, purpose)
);
create index user_challenges_by_time on user_challenges (expires_at);
