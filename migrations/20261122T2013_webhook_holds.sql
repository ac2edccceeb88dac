-- Webhooks that somebody pauses by hand: what they are to be told waits in its order.
alter table webhooks
  add column held_at timestamptz,
  -- What was held is tried as long from here on as what is new.
  add column resumed_at timestamptz,
  -- How often it was paused and resumed: each is a version of it.
  add column holds integer not null default 0;
