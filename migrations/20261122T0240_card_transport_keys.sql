-- The key pairs that accounts encrypt card numbers for on their way here, one a month for each
-- account that asks; the private half sealed by the vault. Times are of the business clock.
create table card_transport_keys (
  account_id text not null,
  no integer not null check (no > 0),
  vault_key_id text not null,
  ciphertext bytea not null,
  made_at timestamptz not null,
  primary key (account_id, no)
);
