-- Letters to the owners of an account about one topic within a day: some go out at once, further
-- changes are folded into one letter an hour.
create table folded_notices (
  account_id text not null,
  topic text not null check (topic in ('webhooks', 'keys', 'members')),
  -- When the day of these letters began, by the wall clock, and how many went out since.
  since timestamptz not null,
  letters int not null check (letters > 0),
  -- Changes that no letter told of yet, and when one will.
  folded int not null default 0 check (folded >= 0),
  tell_at timestamptz check ((tell_at is null) = (folded = 0)),
  primary key (account_id, topic)
);
create index folded_notices_to_tell on folded_notices (tell_at) where tell_at is not null;
