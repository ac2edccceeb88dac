-- Mails that went out are removed after a time; the history of a request keeps what it tells of them.
alter table payer_mails
  add column recipient text,
  -- As the mail ended; null while the mail itself is there.
  add column mail_state text check (mail_state in ('sent', 'dropped')),
  add column ended_at timestamptz;
create index mails_ended on mails (next_at) where state in ('sent', 'dropped');
