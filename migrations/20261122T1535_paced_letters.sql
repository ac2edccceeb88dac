-- Letters that an account's callers cause: so many a day to one mailbox, and so many a minute.

alter table mails
  -- The mailbox of a letter that counts among them; null: it does not count.
  add column mailbox text,
  -- It counts, and was not handed over yet.
  add column paced boolean not null default false,
  -- When it was first handed over, from which on it counts; by the wall clock.
  add column counted_at timestamptz,
  add check (mailbox is not null or (not paced and counted_at is null)),
  drop constraint mails_state_check,
  add constraint mails_state_check check (state in ('waiting', 'sent', 'failed', 'dropped'));

-- The worker that sends: which accounts have letters that are due, and each one's in order.
drop index mails_to_send;
create index mails_to_send on mails (account_id, paced, next_at, id) where state = 'waiting';
-- What counts, of a mailbox and of all.
create index mails_counted_by_mailbox on mails (account_id, mailbox, counted_at)
  where counted_at is not null;
create index mails_counted on mails (account_id, counted_at) where counted_at is not null;
-- Those of a mailbox that is full wait together.
create index mails_paced on mails (account_id, mailbox) where paced;
