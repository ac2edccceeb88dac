-- Static QRs: a code that is printed once, and what is asked for with it. (A dynamic QR is a request.)

-- The printed code.
create table static_qrs (
  account_id text not null,
  id text not null,
  -- From the sequence of requests, so that links and transfer accounts by number are one space.
  number bigint not null,
  open_amount boolean not null,
  multiple_payment boolean not null,
  name text not null,
  city text not null,
  postal_code text,
  description text not null,
  payer text not null,
  -- As it was issued: what is on a wall does not change with the account or the configuration.
  payload text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
-- Pictures and transfers name it by its number; sheets to print go on behind one.
create unique index static_qrs_by_number on static_qrs (account_id, number);

-- A transaction is a request of the kind `qr` with an end of its own, to the second. It is `open`
-- until that moment has been looked at, or a later transaction took its place.
create table static_transactions (
  account_id text not null,
  id bigint not null,
  static_id text not null,
  expires_at timestamptz not null,
  open boolean not null,
  primary key (account_id, id)
);
-- The latest paid one of a code.
create index static_transactions_of on static_transactions (account_id, static_id, expires_at);
-- The open ones of a code: what a payer sees, what a new one takes the place of.
create index static_transactions_open on static_transactions (account_id, static_id) where open;
-- The sweep that ends them.
create index static_transactions_to_expire on static_transactions (expires_at) where open;
