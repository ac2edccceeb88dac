-- What still hangs on closed accounts is looked for at every sweep.
create index accounts_closed on accounts (id) where state = 'closed';
