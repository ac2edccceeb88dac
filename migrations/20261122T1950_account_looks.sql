-- How an account shows itself to those who pay it.

-- What stands on its pages, coupons and letters beside its name, and which logo; null: nothing yet.
alter table accounts add column look jsonb check (jsonb_typeof(look) = 'object');

-- Pictures, named by what they are: one that is shown never changes. The one that is shown now and
-- the one before it are kept.
create table account_logos (
  account_id text not null,
  -- SHA-256 of the content, as the account's look names it.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  kind text not null check (kind in ('png', 'jpeg')),
  content bytea not null check (octet_length(content) <= 262144),
  primary key (account_id, hash)
);
