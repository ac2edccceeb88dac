-- What an account's own people propose: refunds above its limit, and payouts that they ask for. It
-- lapses where nobody decides.
alter table proposals
  -- The request whose payment goes back; null: it is of none.
  add column request_id bigint,
  -- When it lapses; null: never, which is so of what the operator proposes.
  add column expires_at timestamptz,
  drop constraint proposals_state_check,
  add constraint proposals_state_check
    check (state in ('waiting', 'approved', 'rejected', 'expired')),
  drop constraint proposals_check,
  add constraint proposals_check check ((state in ('waiting', 'expired')) = (decided_by is null)),
  add constraint proposals_expired check (state <> 'expired' or expires_at is not null);
create index proposals_of_request on proposals (account_id, request_id, id)
  where request_id is not null;
create index proposals_of_account on proposals (account_id, kind, id);
create index proposals_waiting_of_account on proposals (account_id, kind, id)
  where state = 'waiting';
create index proposals_to_expire on proposals (expires_at)
  where state = 'waiting' and expires_at is not null;
-- An account asks for one payout at a time.
create unique index proposals_payout_asked on proposals (account_id)
  where kind = 'payout' and state = 'waiting' and expires_at is not null;

-- The user who asked for a refund in the portal, or for a payout: what one person lets go adds up.
-- Null: a key, the service, or nobody who was named.
alter table refunds add column asked_by bigint;
alter table payouts add column ordered_by bigint;
