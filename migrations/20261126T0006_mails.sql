-- Mails, written in the transaction that causes them and sent by a worker.

create table mails (
  account_id text not null,
  id bigint not null,
  recipient text not null,
  subject text not null,
  body text not null,
  -- The signed link is made when the mail is sent; these columns say which one.
  link_kind text,
  link_id bigint,
  link_no smallint,
  check (num_nulls(link_kind, link_id, link_no) in (0, 3)),
  state text not null check (state in ('waiting', 'sent', 'failed', 'dropped')),
  attempts smallint not null,
  -- When it may be sent, or sent again. Wall clock.
  next_at timestamptz not null,
  -- Mails to many payers at once go after mails to one person.
  mass boolean not null default false,
  -- Mails that callers cause are throttled per mailbox and per account; null: this one is not.
  mailbox text,
  -- Throttled, and not yet handed over.
  paced boolean not null default false,
  -- When it was first handed over, from which on it counts. Wall clock.
  counted_at timestamptz,
  check (mailbox is not null or (not paced and counted_at is null)),
  -- When it was handed over or given up.
  ended_at timestamptz,
  -- The mail server's reason.
  refusal text,
  primary key (account_id, id)
);
-- The sending worker: accounts with due mails, and each account's mails in order.
create index mails_to_send on mails (account_id, paced, mass, next_at, id)
  where state = 'waiting';
create index mails_counted_by_mailbox on mails (account_id, mailbox, counted_at)
  where counted_at is not null;
create index mails_counted on mails (account_id, counted_at) where counted_at is not null;
-- The mails of a full mailbox wait together.
create index mails_paced on mails (account_id, mailbox) where paced;
create index mails_failed on mails (account_id, id) where state = 'failed';
-- The sweep that removes old mails.
create index mails_ended on mails (next_at) where state in ('sent', 'dropped');

-- Mails to payers about their requests. Off unless an account turns them on.
create table payer_mail_settings (
  account_id text primary key,
  sends_request boolean not null default false,
  sends_reminder boolean not null default false,
  sends_receipt boolean not null default false,
  -- No mail tells of what was created or paid before.
  request_since timestamptz,
  receipt_since timestamptz,
  reminder_days smallint not null default 3 check (reminder_days between 1 and 30),
  languages text not null default 'es' check (languages in ('es', 'en', 'both')),
  attaches_coupon boolean not null default false,
  check (not sends_request or request_since is not null),
  check (not sends_receipt or receipt_since is not null)
);

-- An account's own texts, in place of the standard ones.
create table payer_mail_texts (
  account_id text not null,
  kind text not null check (kind in ('request', 'reminder', 'receipt')),
  lang text not null check (lang in ('es', 'en')),
  subject text not null,
  body text not null,
  primary key (account_id, kind, lang)
);

-- How far an account's seals are read, and the latest due day with reminders.
create table payer_mail_marks (
  account_id text primary key,
  seal_no integer not null,
  reminded_until date
);

-- One row for each mail that a payer is to get: one for a request, one for each due (no 1 and 2),
-- one for each payment (no: its result). Copies are resent by hand.
create table payer_mails (
  account_id text not null,
  request_id bigint not null,
  kind text not null check (kind in ('request', 'reminder', 'receipt')),
  no bigint not null,
  copy smallint not null,
  state text not null check (state in ('due', 'queued', 'skipped')),
  -- Why it was skipped.
  reason text,
  -- When it fell due.
  at timestamptz not null,
  mail_id bigint,
  bounced_at timestamptz,
  -- The answer of the payer's mail server.
  bounce text,
  -- Kept from the mail, which is removed after a time; null while it is there.
  recipient text,
  mail_state text check (mail_state in ('sent', 'dropped')),
  ended_at timestamptz,
  primary key (account_id, request_id, kind, no, copy),
  check ((state = 'queued') = (mail_id is not null)),
  check ((bounced_at is null) = (bounce is null))
);
create index payer_mails_due on payer_mails (account_id, at, request_id) where state = 'due';
create index payer_mails_by_mail on payer_mails (account_id, mail_id) where mail_id is not null;

-- Addresses that get no more requests and reminders from an account.
create table payer_mail_stops (
  account_id text not null,
  -- In lower case.
  address text not null,
  reason text not null check (reason in ('unsubscribed', 'bounced')),
  at timestamptz not null,
  -- The request whose mail caused it.
  request_id bigint not null,
  primary key (account_id, address)
);
