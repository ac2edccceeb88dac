-- What the owner takes from itself, no role gets: a serving role is given what the owner kept
-- (src/platform/postgres/roles.ts).

-- The feed gives an event its place once; nothing else of it changes.
revoke update, delete, truncate on events from current_user;
grant update (position) on events to current_user;
revoke update, delete, truncate on withholdings from current_user;

-- Their rows move on, but none ever goes.
revoke delete, truncate on accounts, requests, results, mandates, mandate_instruments, debit_runs,
  payouts, suspense, rail_files, rail_lines, registers
  from current_user;
