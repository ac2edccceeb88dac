-- The ledger: double entry, written once. src/money/ledger has the chart of accounts.

create function sum_of_all(amounts bigint[]) returns bigint
  language sql immutable parallel safe
  return (select coalesce(sum(amount), 0)::bigint from unnest(amounts) as amount);

-- Inlined into the check of each journal, the sum of a few lines costs a fifth of a query over the
-- array. Longer arrays, and those of another shape, take the query.
create function sum_of(amounts bigint[]) returns bigint
  language sql immutable parallel safe
  return case when array_ndims(amounts) = 1 and array_upper(amounts, 1) = cardinality(amounts)
      and cardinality(amounts) <= 8
    then coalesce(amounts[1], 0) + coalesce(amounts[2], 0) + coalesce(amounts[3], 0)
      + coalesce(amounts[4], 0) + coalesce(amounts[5], 0) + coalesce(amounts[6], 0)
      + coalesce(amounts[7], 0) + coalesce(amounts[8], 0)
    else sum_of_all(amounts) end;

-- A journal is one row: debits are positive, credits negative, and they sum to zero. Never changes.
create table journals (
  account_id text not null,
  id bigint not null,
  kind text not null,
  -- Its cause: a result, or what `cause` names.
  result_id bigint,
  request_id bigint,
  cause text check (cause ~ '^[a-z]+:[0-9]+$'),
  at timestamptz not null,
  on_date date not null,
  accounts smallint[] not null,
  amounts bigint[] not null,
  stamp bytea,
  primary key (account_id, id),
  check (cardinality(accounts) = cardinality(amounts)),
  check (sum_of(amounts) = 0),
  check (num_nonnulls(result_id, cause) = 1)
) with (
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
-- The settlement report, in the order of its pages: what touches the available balance (ledger
-- account 2). Collections never do.
create index journals_of_available on journals (account_id, on_date, id) where 2 = any (accounts);
create index journals_by_kind on journals (account_id, kind, on_date, id);
revoke update, delete, truncate on journals from current_user;

-- What one posting statement adds to each ledger account. A balance is the sum of its deltas and its
-- row in `balances`, so postings do not wait for each other. Folded deltas are deleted at once, and
-- their dead rows must not wait for a share of the table.
create table balance_deltas (
  account_id text not null,
  id bigint not null,
  accounts smallint[] not null,
  amounts bigint[] not null,
  journal_ids bigint[] not null,
  primary key (account_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The sum of folded deltas.
create table balances (
  account_id text not null,
  ledger_account smallint not null,
  amount bigint not null,
  primary key (account_id, ledger_account)
);

-- A day's books close when its report is first read after it; from then on nothing is posted on it.
create table closed_books (
  only_row boolean primary key default true check (only_row),
  -- The last closed day.
  through date not null
);
insert into closed_books (through) values ('0001-01-01');

-- Called by postings, in their own transaction. Never waits for a closing: a posting holds rows that
-- an earlier one, for which the closing waits, may need. Each query in here sees what was committed
-- by then, unlike the statement that calls it.
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

-- Waits for postings under way, then closes all days up to one.
create function close_books(day date) returns void language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('closed_books', 0));
  update closed_books set through = day where through < day;
end $$;

-- Movements of each ledger account by day and kind of journal, for statements of months. Folded and
-- read like daily_totals.
create table ledger_days (
  account_id text not null,
  ledger_account smallint not null,
  day date not null,
  kind text not null,
  -- Number of debit lines and their sum; credits without their sign.
  debits bigint not null,
  debit bigint not null,
  credits bigint not null,
  credit bigint not null,
  primary key (account_id, ledger_account, day, kind)
);

-- The last seal whose journals are folded; no row: none is.
create table ledger_day_marks (
  account_id text primary key,
  seal_no integer not null
);
