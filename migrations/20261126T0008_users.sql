-- People who work in the portal. Times are of the wall clock.

-- A user belongs to no account: memberships give roles in accounts, service_role gives one in the
-- service itself.
create table users (
  id bigint primary key,
  email text not null,
  -- In lower case, for look-ups.
  email_key text not null unique,
  name text not null,
  lang text not null check (lang in ('es', 'en')),
  -- An invited user has no password yet; a suspended one cannot sign in.
  state text not null check (state in ('invited', 'active', 'suspended')),
  service_role text check (service_role in ('operator', 'operator_read_only')),
  -- argon2id, as a PHC string.
  password_hash text,
  -- The previous ones, the latest first: a new password is none of the last four.
  former_hashes text[] not null default '{}',
  -- TOTP (RFC 6238). The secret, encrypted by the vault, is in use once a first code was right.
  totp_key_id text,
  totp_ciphertext bytea,
  totp_since timestamptz,
  -- Of the last code taken: no code is taken twice.
  totp_step bigint not null default 0,
  check (num_nulls(totp_key_id, totp_ciphertext) in (0, 2)),
  check (totp_since is null or totp_ciphertext is not null),
  created_at timestamptz not null,
  version int not null default 1
);

-- Codes for users who lost their second factor. Single use, stored as hashes.
create table user_recovery_codes (
  user_id bigint not null,
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- Passkeys (WebAuthn): public keys, so nothing here is secret.
create table user_passkeys (
  user_id bigint not null,
  id bigint not null,
  -- The authenticator's own id of it.
  credential_id bytea not null unique,
  public_key bytea not null,
  -- Grows with each use, or stays 0 with authenticators that keep none.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, id)
);

-- Challenges that an authenticator signs next, each once and within minutes.
create table user_challenges (
  session_id bigint not null,
  purpose text not null check (purpose in ('add', 'show')),
  challenge bytea not null,
  expires_at timestamptz not null,
  primary key (session_id, purpose)
);
create index user_challenges_by_time on user_challenges (expires_at);

create table memberships (
  account_id text not null,
  user_id bigint not null,
  role text not null
    check (role in ('owner', 'administrator', 'collections', 'treasury', 'read_only')),
  -- An ended one may be invited again.
  state text not null check (state in ('invited', 'active', 'ended')),
  -- Optional notices by mail, beside those that everybody gets.
  notices text[] not null default '{}'
    check (notices <@ array['rejected_debits', 'webhooks', 'disputes', 'payouts', 'summary']),
  created_at timestamptz not null,
  version int not null default 1,
  primary key (account_id, user_id)
);
create index memberships_of_user on memberships (user_id);

-- How far notices went, for accounts with a member who wants some.
create table notice_marks (
  account_id text primary key,
  look_at timestamptz not null,
  -- In the feed of events.
  position bigint not null,
  -- The payouts and failing webhooks already reported, of those that are watched.
  payouts bigint[] not null,
  webhooks bigint[] not null,
  summary_day date not null
);
create index notice_marks_look_at on notice_marks (look_at);

-- Single-use links in mails: an invitation to an account, a new password.
create table user_links (
  -- The operator's own books if it is for no account.
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
-- An account's invitations of a day are counted; a member's last one is looked up.
create index user_links_invitations on user_links (account_id, user_id, created_at)
  where kind = 'invitation';

-- Live sessions; an ended one is deleted. The browser has the secret, this table its hash.
create table user_sessions (
  hash bytea primary key,
  id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- When the user last authenticated in it.
  proved_at timestamptz not null,
  -- Until the second factor is shown the session opens nothing.
  factor_due boolean not null default false,
  address text not null,
  user_agent text not null
);
create index user_sessions_of_user on user_sessions (user_id, created_at);

-- Browsers in which a user signed in before: strangers who guess passwords do not lock these out.
-- The browser has the secret, this table its hash.
create table user_devices (
  user_id bigint not null,
  hash bytea not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (user_id, hash)
);

-- Attempts to authenticate, by digests of the network or of the person they were for.
create table user_tries (
  subject bytea primary key,
  tries int not null,
  since timestamptz not null,
  -- A digest of the person, so that a reset or an operator releases all of their subjects.
  person bytea
);
create index user_tries_by_time on user_tries (since);
create index user_tries_of_person on user_tries (person) where person is not null;

-- Failed and delayed sign-ins, refused acts, files taken. Repeated within an hour they are one row
-- with a count, so a stranger cannot fill the table.
create table user_accesses (
  id bigint primary key,
  -- Names the row within its hour.
  fold bytea not null unique,
  kind text not null check (kind in ('sign_in_failed', 'sign_in_waits', 'factor_failed',
    'act_refused', 'file_taken')),
  -- Null: it concerns no account of the user.
  account_id text,
  -- Null: the attempt named no known user.
  user_id bigint,
  address text not null,
  detail text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  count int not null
);
create index user_accesses_of_account on user_accesses (account_id, id) where account_id is not null;
create index user_accesses_of_user on user_accesses (user_id, id) where user_id is not null;
create index user_accesses_by_time on user_accesses (last_at);

-- A user's named filters of an account's lists.
create table saved_filters (
  account_id text not null,
  user_id bigint not null,
  list text not null check (list in ('requests')),
  name text not null,
  -- As in the list's address.
  query text not null,
  created_at timestamptz not null,
  primary key (account_id, user_id, list, name)
);
