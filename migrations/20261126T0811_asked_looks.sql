-- Names and logos that payers see wait in production until an operator approves them.

-- What the account asked for; null: nothing waits.
alter table accounts add column asked_look jsonb;
create index accounts_asked_look on accounts (id) where asked_look is not null;

-- False: the picture waits with what was asked for, and nobody but the operator sees it.
alter table account_logos add column shown boolean not null default true;
