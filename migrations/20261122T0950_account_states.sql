-- What an account may do: all; read alone while money that comes in is still recorded; nothing.
alter table accounts
  add column state text not null default 'active',
  add constraint accounts_state_check check (state in ('active', 'suspended', 'closed'));
