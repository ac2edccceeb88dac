-- Money that its bank or network took back while it waited for its request is nobody's to assign.
alter table suspense drop constraint suspense_state_check;
alter table suspense add constraint suspense_state_check
  check (state in ('open', 'assigned', 'returned', 'reversed'));
