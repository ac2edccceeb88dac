-- Whom a try is for, so that a reset or an operator releases all of them: a digest, as the subject.
alter table user_tries add column person bytea;
create index user_tries_of_person on user_tries (person) where person is not null;

-- Browsers in which somebody signed in: strangers who try the same address do not lock them out.
-- The browser has a secret, of which only the hash is here.
create table user_devices (
  user_id bigint not null,
  hash bytea not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (user_id, hash)
);
