-- Mails to payers: the request, reminders of its dues, receipts. Off unless an account turns them on.

create table payer_mail_settings (
  account_id text primary key,
  sends_request boolean not null default false,
  sends_reminder boolean not null default false,
  sends_receipt boolean not null default false,
  -- What was created or paid before is not mailed of; by the business clock.
  request_since timestamptz,
  receipt_since timestamptz,
  reminder_days smallint not null default 3 check (reminder_days between 1 and 30),
  languages text not null default 'es' check (languages in ('es', 'en', 'both')),
  attaches_coupon boolean not null default false,
  check (not sends_request or request_since is not null),
  check (not sends_receipt or receipt_since is not null)
);

-- Texts that an account wrote in place of those that everybody has.
create table payer_mail_texts (
  account_id text not null,
  kind text not null check (kind in ('request', 'reminder', 'receipt')),
  lang text not null check (lang in ('es', 'en')),
  subject text not null,
  body text not null,
  primary key (account_id, kind, lang)
);

-- How far an account's seals are read, and the latest due day of which reminders went.
create table payer_mail_marks (
  account_id text primary key,
  seal_no integer not null,
  reminded_until date
);

-- One for each mail that a payer is to get: once for a request, for each of its dues (no 1 and 2)
-- and for each payment (no: its result); a copy is one that somebody asked for.
create table payer_mails (
  account_id text not null,
  request_id bigint not null,
  kind text not null check (kind in ('request', 'reminder', 'receipt')),
  no bigint not null,
  copy smallint not null,
  state text not null check (state in ('due', 'queued', 'skipped')),
  -- Why it was not written.
  reason text,
  -- When it fell due; by the business clock.
  at timestamptz not null,
  mail_id bigint,
  bounced_at timestamptz,
  -- What the other side said of it.
  bounce text,
  primary key (account_id, request_id, kind, no, copy),
  check ((state = 'queued') = (mail_id is not null)),
  check ((bounced_at is null) = (bounce is null))
);
create index payer_mails_due on payer_mails (account_id, at, request_id) where state = 'due';
create index payer_mails_by_mail on payer_mails (account_id, mail_id) where mail_id is not null;

-- Addresses to which an account sends no more requests and reminders.
create table payer_mail_stops (
  account_id text not null,
  -- In lower case.
  address text not null,
  reason text not null check (reason in ('unsubscribed', 'bounced')),
  at timestamptz not null,
  -- Of the mail that was answered so.
  request_id bigint not null,
  primary key (account_id, address)
);

alter table mails
  -- When it was handed over or given up; by the business clock, as the rest of a request's history.
  add column ended_at timestamptz,
  -- What the mail server said as it refused it.
  add column refusal text;
