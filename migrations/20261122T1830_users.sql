-- People who work in the portal. They belong to no account: a membership says what somebody may do
-- for one, and service_role what he may do for the service itself.
create table users (
  id bigint primary key,
  email text not null,
  -- As it is looked for: in lower case.
  email_key text not null unique,
  name text not null,
  lang text not null check (lang in ('es', 'en')),
  -- An invited one has no password yet; a suspended one does not come in.
  state text not null check (state in ('invited', 'active', 'suspended')),
  service_role text check (service_role in ('operator', 'operator_read_only')),
  -- argon2id, in the form of the Password Hashing Competition.
  password_hash text,
  created_at timestamptz not null,
  version int not null default 1
);

create table memberships (
  account_id text not null,
  user_id bigint not null,
  role text not null
    check (role in ('owner', 'administrator', 'collections', 'treasury', 'read_only')),
  -- An invited one is to accept; an ended one may be invited again.
  state text not null check (state in ('invited', 'active', 'ended')),
  created_at timestamptz not null,
  version int not null default 1,
  primary key (account_id, user_id)
);
create index memberships_of_user on memberships (user_id);

-- Sessions that live; one that ended is gone. The browser has a secret, of which only the hash
-- is here. All times are of the wall clock.
create table user_sessions (
  hash bytea primary key,
  id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- When whoever has it last proved who he is.
  proved_at timestamptz not null,
  address text not null,
  user_agent text not null
);
create index user_sessions_of_user on user_sessions (user_id, created_at);

-- Tries to prove who one is, by a digest of the address they came from or of whom they were for.
create table user_tries (
  subject bytea primary key,
  tries int not null,
  since timestamptz not null
);
create index user_tries_by_time on user_tries (since);
