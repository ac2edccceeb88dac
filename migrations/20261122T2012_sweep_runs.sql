-- How sweeps fared, for the operator to see: whichever process ran one writes it here.
create table sweep_runs (
  name text primary key,
  ran_at timestamptz,
  took_ms integer,
  moved integer,
  failed_at timestamptz,
  -- What went wrong then.
  error text
);

-- Which card numbers another key than the vault's first one holds.
create index mandates_by_card_key on mandates (card_key_id) where card_key_id is not null;
create index mandate_instruments_by_card_key on mandate_instruments (card_key_id)
  where card_key_id is not null;

-- Since when the vault encrypts under a key.
create index operator_events_of_vault on operator_events (entity_id, at) where entity = 'vault_key';
