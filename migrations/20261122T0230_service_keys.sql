-- Keys of the service's own: links are signed and secrets of webhooks derived with them. They lie
-- here sealed by the vault, numbered, so that a token or a webhook can name the one it was made with.
drop table service_secrets;

create table service_keys (
  purpose text not null check (purpose in ('links', 'webhooks')),
  no integer not null check (no > 0),
  vault_key_id text,
  -- Its context is its purpose and number. Erased when it is retired.
  ciphertext bytea,
  -- From when on new things are made with it; by the wall clock.
  used_from timestamptz not null,
  -- Until when things were made with it, and when to see whether any of them is left; by the
  -- business clock.
  replaced_at timestamptz,
  look_at timestamptz,
  retired_at timestamptz,
  primary key (purpose, no),
  check ((ciphertext is null) = (retired_at is not null)),
  check ((ciphertext is null) = (vault_key_id is null)),
  check ((look_at is null) = (replaced_at is null or retired_at is not null))
);

-- The key that a webhook's secret is derived from, and that of the secret before it while that one
-- signs too.
alter table webhooks
  add column secret_key_no integer not null default 1,
  add column previous_key_no integer;
update webhooks set previous_key_no = 1 where rotated_at is not null;
alter table batches add column secret_key_no integer not null default 1;

-- A letter has its link only when it is sent: here it says which one that is.
alter table mails
  add column link_kind text,
  add column link_id bigint,
  add column link_no smallint,
  add check (num_nulls(link_kind, link_id, link_no) in (0, 3));
update mails set body = regexp_replace(body, 'https?://\S+/sign/\S+', '(…)', 'g')
where state <> 'waiting';
