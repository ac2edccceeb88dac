-- Where each request stands, once more: lists by state and what expires are found here, so that a
-- change of state leaves every index of `requests` as it is, and its row on its page.
create table request_states (
  account_id text not null,
  id bigint not null,
  kind text not null,
  state text not null,
  last_due date not null,
  place bigint not null
);
alter table request_states set (autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02);

-- Processes of the release before write `requests` alone: for them a trigger keeps this table. Who
-- keeps it says so in his transaction. No trigger stands on a distributed table.
create function keep_request_state() returns trigger language plpgsql as $$
begin
  insert into request_states (account_id, id, kind, state, last_due, place)
  values (new.account_id, new.id, new.kind, new.state, new.last_due, new.place)
  on conflict (account_id, id) do update
    set state = excluded.state, last_due = excluded.last_due;
  return null;
end $$;

do $$
declare
  spread boolean := false;
begin
  if to_regclass('pg_dist_partition') is not null then
    execute 'select exists (select from pg_dist_partition where logicalrelid = ''requests''::regclass)'
      into spread;
  end if;
  if spread then
    return;
  end if;
  -- Whoever writes requests waits from here on until all that there are stand in the new table.
  create trigger requests_new_state after insert on requests for each row
    when (current_setting('recaudo.request_states', true) is distinct from 'kept')
    execute function keep_request_state();
  create trigger requests_changed_state after update of state, last_due on requests for each row
    when ((new.state <> old.state or new.last_due <> old.last_due)
      and current_setting('recaudo.request_states', true) is distinct from 'kept')
    execute function keep_request_state();
end $$;

insert into request_states (account_id, id, kind, state, last_due, place)
select account_id, id, kind, state, last_due, place from requests order by account_id, id;

alter table request_states add primary key (account_id, id);
create index request_states_list on request_states (account_id, kind, state, id)
  where kind <> 'qr';
-- What expires, of each kind by itself: the next one is asked for every second.
create index request_states_to_expire on request_states (kind, last_due, account_id)
  where state = 'pending' and kind in ('payment_request', 'qr');

-- Reminders go along it. Without the state: a payment leaves it alone.
create index requests_by_second_due on requests (account_id, last_due, id)
  where due2 is not null and kind = 'payment_request';
