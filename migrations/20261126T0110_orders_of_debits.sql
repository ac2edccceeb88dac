-- How often a charge of a run was ordered, and the day of the first try: an acquirer that loses
-- orders must not have a payer charged again and again.
alter table debit_runs add column orders smallint not null default 0, add column tried_on date;
alter table debit_runs add constraint debit_runs_orders_check check (orders >= 0);
-- Runs that wait for another try had at least one.
update debit_runs d set orders = 1, tried_on = run_on where d.charged and d.state = 'submitted'
  and (d.attempt_id is not null or d.look_at is not null);
