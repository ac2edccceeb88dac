-- The ledger: double entry, written once. src/money/ledger has the chart of accounts.

create function sum_of(amounts bigint[]) returns bigint
  language sql immutable strict parallel safe
  return (select coalesce(sum(amount), 0)::bigint from unnest(amounts) as amount);

-- A journal is one row; debits are positive, credits negative, and they cancel out. Never changes.
create table journals (
  account_id text not null,
  id bigint not null,
  kind text not null,
  -- What caused it: a result, or what `cause` names.
  result_id bigint,
  request_id bigint,
  cause text check (cause ~ '^[a-z]+:[0-9]+$'),
  at timestamptz not null,
  on_date date not null,
  accounts smallint[] not null,
  amounts bigint[] not null,
  primary key (account_id, id),
  check (cardinality(accounts) = cardinality(amounts)),
  check (sum_of(amounts) = 0),
  check (num_nonnulls(result_id, cause) = 1)
);
-- The settlement report shows what touched the holder's available balance (ledger account 2), in
-- the order of its pages; collections never do.
create index journals_of_available on journals (account_id, on_date, id) where 2 = any (accounts);
revoke update, delete, truncate on journals from current_user;

-- What one posting statement adds to each ledger account of an account: balances are these and
-- `balances` together, so postings do not wait for each other.
create table balance_deltas (
  account_id text not null,
  id bigint not null,
  accounts smallint[] not null,
  amounts bigint[] not null,
  journal_ids bigint[] not null,
  primary key (account_id, id)
);

-- What the deltas that were folded into it came to.
create table balances (
  account_id text not null,
  ledger_account smallint not null,
  amount bigint not null,
  primary key (account_id, ledger_account)
);

-- A day's books close when its report is first read after it: from then on nothing is dated on it.
-- One row; the days up to it are closed.
create table closed_books (
  only_row boolean primary key default true check (only_row),
  through date not null
);
insert into closed_books (through) values ('0001-01-01');

-- Called by what posts on a day, in its own transaction. It never waits for a closing: who posts
-- holds rows that an earlier posting, for which the closing waits, may need. Each look at
-- closed_books in here sees what was committed by then, unlike the statement that calls it.
create function post_on(day date) returns date language plpgsql volatile as $$
begin
  if not pg_try_advisory_xact_lock_shared(hashtextextended('closed_books', 0)) then
    raise exception 'the books of a day are being closed' using errcode = 'RC001';
  end if;
  if exists (select from closed_books where through >= day) then
    raise exception 'the books of % are closed', day using errcode = 'RC001';
  end if;
  return day;
end $$;

-- Waits for the postings under way, then closes all days up to one.
create function close_books(day date) returns void language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('closed_books', 0));
  update closed_books set through = day where through < day;
end $$;
