-- A payout above the limit that an account's people ask for takes two operators. The first approval
-- is kept until the second one decides.
alter table proposals
  add column first_approved_by bigint,
  add column first_approved_at timestamptz;
alter table proposals add constraint proposals_two_operators check (
  (first_approved_by is null) = (first_approved_at is null)
  and (first_approved_by is null or first_approved_by <> proposed_by)
  and (first_approved_by is null or state <> 'approved' or first_approved_by <> decided_by));

-- Who made whom an operator lately: the two do not decide on a payout together.
create index operator_events_of_roles on operator_events (entity_id, at)
  where entity = 'user' and type in ('user.created', 'user.service_role_changed');
