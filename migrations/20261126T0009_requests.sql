-- Requests: everything that an account asks a payer to pay.

-- Ids of requests and of static QRs, in blocks of 1,000. Barcodes and payment codes have 15 digits
-- for them.
create sequence request_ids as bigint increment by 1000 start with 1
  minvalue 1 maxvalue 999999999998001;

-- Payment requests, debits and QRs share one life cycle and one sequence.
--
-- Half of each page stays free: a file pays neighbouring requests in one transaction, and each new
-- version fits beside the old one. No index holds the state for the same reason (request_states
-- does), so a payment writes to no index of this table. Vacuum by the default share of the table
-- would come after a month of dead rows.
create table requests (
  account_id text not null,
  id bigint not null,
  kind text not null,
  -- The states of each kind, as src/requests/states.ts has them.
  state text not null,
  constraint requests_state_check check (
    case kind
      when 'payment_request' then state in ('pending', 'paid', 'expired', 'reverted', 'refunded')
      when 'qr' then state in ('pending', 'paid', 'expired', 'deleted', 'refunded')
      when 'debit_request' then
        state in ('pending', 'in_process', 'paid', 'rejected', 'canceled', 'reverted', 'refunded')
      when 'card_debit_request' then
        state in ('pending', 'in_process', 'paid', 'rejected', 'canceled', 'reverted', 'refunded')
      else false
    end
  ),
  state_comment text,
  -- Goes up with each change; events carry it.
  version integer not null,
  created_at timestamptz not null,
  reference text,
  payer text not null,
  description text not null,
  due1 date not null,
  total1 bigint not null check (total1 > 0),
  due2 date,
  total2 bigint,
  -- The later of the two days.
  last_due date not null,
  -- The account's own id of a QR.
  code text,
  -- The mandate of a debit.
  mandate_id bigint,
  -- The other members of the body, returned as they came.
  details json not null,
  -- In the order of lists: see take_place.
  place bigint not null,
  primary key (account_id, id)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
-- Barcodes and payment codes in files of networks carry an id and no account.
create index requests_by_id on requests (id);
create unique index requests_by_code on requests (account_id, code) where code is not null;
-- The debits that end with their mandate.
create index requests_by_mandate on requests (account_id, mandate_id) where mandate_id is not null;
-- Reminders of second dues.
create index requests_by_second_due on requests (account_id, last_due, id)
  where due2 is not null and kind = 'payment_request';

-- Lists, and an index for each filter of them. The id at the end keeps the order of the list among
-- equal values. QRs are not listed and pay for none of the filters.
create index requests_by_place on requests (account_id, kind, place, id);
create index requests_list_reference on requests (account_id, kind, reference, id)
  where reference is not null and kind <> 'qr';
create index requests_list_payer on requests (account_id, kind, folded(payer), id)
  where kind <> 'qr';
create index requests_list_created on requests (account_id, kind, created_at, id)
  where kind <> 'qr';
create index requests_list_due on requests (account_id, kind, due1, id) where kind <> 'qr';
create index requests_list_total on requests (account_id, kind, total1, id) where kind <> 'qr';
-- Money in suspense may match a second total.
create index requests_list_second_total on requests (account_id, kind, total2, id)
  where total2 is not null and kind <> 'qr';
revoke delete, truncate on requests from current_user;

-- The state of each request once more, for lists by state and for expiry. Every statement that
-- writes a request's state writes it here too.
create table request_states (
  account_id text not null,
  id bigint not null,
  kind text not null,
  state text not null,
  last_due date not null,
  place bigint not null,
  primary key (account_id, id)
) with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
create index request_states_list on request_states (account_id, kind, state, id)
  where kind <> 'qr';
-- Each kind by itself: its next expiry is asked for every second.
create index request_states_to_expire on request_states (kind, last_due, account_id)
  where state = 'pending' and kind in ('payment_request', 'qr');

-- The words of payer, reference, description, e-mail and a QR's own id, without case and accents.
-- Written after the seals, so that creating a request does not pay for them. Transactions of static
-- QRs have none. Each word begins with the account, so a search reads one account's index entries.
create table request_words (
  account_id text not null,
  kind text not null
    check (kind in ('payment_request', 'debit_request', 'card_debit_request', 'qr')),
  id bigint not null,
  words tsvector not null,
  primary key (account_id, kind, id)
);
-- A search also scans the pending list, so it is kept short.
create index request_words_found on request_words using gin (words)
  with (gin_pending_list_limit = 1024);

-- The last seal whose requests have their words; no row: none has.
create table request_word_marks (
  account_id text primary key,
  seal_no integer not null
);

-- The first time that a checkout was opened. Nothing of the visitor is kept. Never changes.
create table request_openings (
  account_id text not null,
  request_id bigint not null,
  at timestamptz not null,
  primary key (account_id, request_id)
);
revoke update, delete, truncate on request_openings from current_user;
