sequence adhesion_ids as bigint increment 1000 start 1 minimum 1 maximum 9007199254740001 cache 1

sequence card_adhesion_ids as bigint increment 1000 start 1 minimum 1 maximum 9007199254740001 cache 1

sequence event_positions as bigint increment 1 start 1 minimum 1 maximum 9007199254740991 cache 1

sequence places as bigint increment 1 start 1 minimum 1 maximum 9223372036854775807 cache 1

sequence record_ids as bigint increment 1000 start 1 minimum 1 maximum 9007199254740001 cache 1

sequence request_ids as bigint increment 1000 start 1 minimum 1 maximum 999999999998001 cache 1

sequence told as bigint increment 1 start 1 minimum 1 maximum 9223372036854775807 cache 1

CREATE OR REPLACE FUNCTION public.close_books(day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  today date := (clock_timestamp() at time zone 'UTC' - interval '3 hours'
    + (select ahead_ms from clock) * interval '1 millisecond')::date;
begin
  perform pg_advisory_xact_lock(hashtextextended('closed_books', 0));
  if day >= today then
    raise exception 'the day % is not over', day using errcode = 'RC002';
  end if;
  update closed_books set through = day where through < day;
end $function$

CREATE OR REPLACE FUNCTION public.folded(said text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower(regexp_replace(NORMALIZE(said, NFKD), '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]'::text, ''::text, 'g'::text))

CREATE OR REPLACE FUNCTION public.mark_for_replicas()
 RETURNS public.replica_marks
 LANGUAGE plpgsql
AS $function$
declare
  standing replica_marks;
  last_place bigint;
  behind bigint;
begin
  select * into standing from replica_marks;
  if standing.at > clock_timestamp() - interval '1 second' then return standing; end if;
  last_place := pg_sequence_last_value('places');
  select least(min(last_place - (last_place - objid::bigint) % 2147483648), last_place) into behind
  from pg_locks
  where locktype = 'advisory' and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint <> hashtext('recaudo listener')::bigint & 4294967295;
  update replica_marks
  set no = no + 1, mark = gen_random_uuid(), at = clock_timestamp(), settled = behind
  where at <= clock_timestamp() - interval '1 second'
  returning * into standing;
  if not found then select * into standing from replica_marks; end if;
  return standing;
end $function$

CREATE OR REPLACE FUNCTION public.open_places(list text, account text, former text[])
 RETURNS TABLE(last_place bigint, settled bigint, holders text[])
 LANGUAGE plpgsql
AS $function$
begin
  last_place := pg_sequence_last_value('places');
  select least(min(last_place - (last_place - objid::bigint) % 2147483648), last_place),
    coalesce(array_agg(distinct virtualtransaction), '{}')
  into settled, holders
  from pg_locks
  where locktype = 'advisory' and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint = hashtext(list || ' ' || account)::bigint & 4294967295
    and (former is null or virtualtransaction = any(former));
  return next;
end $function$

CREATE OR REPLACE FUNCTION public.post_on(day date)
 RETURNS date
 LANGUAGE plpgsql
AS $function$
begin
  if not pg_try_advisory_xact_lock_shared(hashtextextended('closed_books', 0)) then
    raise exception 'the books of a day are being closed' using errcode = 'RC001';
  end if;
  if exists (select from closed_books where through >= day) then
    raise exception 'the books of % are closed', day using errcode = 'RC001';
  end if;
  return day;
end $function$

CREATE OR REPLACE FUNCTION public.sum_of_all(amounts bigint[])
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT (COALESCE(sum(amount.amount), (0)::numeric))::bigint AS "coalesce" FROM unnest(sum_of_all.amounts) amount(amount))

CREATE OR REPLACE FUNCTION public.sum_of(amounts bigint[])
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((array_ndims(amounts) = 1) AND (array_upper(amounts, 1) = cardinality(amounts)) AND (cardinality(amounts) <= 8)) THEN (((((((COALESCE((amounts)[1], (0)::bigint) + COALESCE((amounts)[2], (0)::bigint)) + COALESCE((amounts)[3], (0)::bigint)) + COALESCE((amounts)[4], (0)::bigint)) + COALESCE((amounts)[5], (0)::bigint)) + COALESCE((amounts)[6], (0)::bigint)) + COALESCE((amounts)[7], (0)::bigint)) + COALESCE((amounts)[8], (0)::bigint)) ELSE public.sum_of_all(amounts) END

CREATE OR REPLACE FUNCTION public.take_place(list text, accounts text[])
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  behind bigint := pg_sequence_last_value('places');
  account text;
begin
  foreach account in array accounts loop
    if not pg_try_advisory_xact_lock_shared(
      hashtext(list || ' ' || account), (behind % 2147483648)::int) then
      raise exception 'places of % are locked', list;
    end if;
  end loop;
  return nextval('places');
end $function$

CREATE OR REPLACE FUNCTION public.word_parts_of(owner text, said text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_to_tsvector(array_agg(distinct owner || part)), '')
  from regexp_split_to_table(
    lower(regexp_replace(normalize(said, nfkd), '[\u0300-\u036F]', '', 'g')), '[^[:alnum:]]+'
  ) as word
  cross join lateral (
    select word
    union all
    select '~' || substr(word, at) from generate_series(2, length(word) - 2) as at
  ) as parts (part)
  where word <> ''
$function$

CREATE OR REPLACE FUNCTION public.words_of(owner text, said text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_to_tsvector(array_agg(distinct owner || word)), '')
  from regexp_split_to_table(
    lower(regexp_replace(normalize(said, nfkd), '[\u0300-\u036F]', '', 'g')), '[^[:alnum:]]+'
  ) as word
  where word <> ''
$function$

table account_logos
  account_id text not null
  hash text not null
  kind text not null
  content bytea not null
  shown boolean not null default true
  constraint account_logos_content_check CHECK ((octet_length(content) <= 262144))
  constraint account_logos_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text))
  constraint account_logos_kind_check CHECK ((kind = ANY (ARRAY['png'::text, 'jpeg'::text])))
  constraint account_logos_pkey PRIMARY KEY (account_id, hash)

table account_plans
  account_id text not null
  brand text not null
  installments smallint[] not null
  constraint account_plans_pkey PRIMARY KEY (account_id, brand)

table account_writes
  account_id text not null
  at timestamp with time zone not null
  constraint account_writes_pkey PRIMARY KEY (account_id)

table accounts
  id text not null
  state text not null default 'active'::text
  version integer not null default 1
  name text not null
  cuit text not null
  city text not null
  payout_cbu text
  next_payout_cbu text
  next_payout_cbu_at timestamp with time zone
  settings jsonb not null default '{}'::jsonb
  look jsonb
  asked_look jsonb
  created_at timestamp with time zone not null
  constraint accounts_cuit_check CHECK ((cuit ~ '^[0-9]{11}$'::text))
  constraint accounts_id_check CHECK ((id ~ '^[0-9A-F]{8}$'::text))
  constraint accounts_look_check CHECK ((jsonb_typeof(look) = 'object'::text))
  constraint accounts_next_payout_cbu CHECK (((next_payout_cbu IS NULL) = (next_payout_cbu_at IS NULL)))
  constraint accounts_next_payout_cbu_check CHECK ((next_payout_cbu ~ '^[0-9]{22}$'::text))
  constraint accounts_payout_cbu_check CHECK ((payout_cbu ~ '^[0-9]{22}$'::text))
  constraint accounts_pkey PRIMARY KEY (id)
  constraint accounts_state_check CHECK ((state = ANY (ARRAY['active'::text, 'suspended'::text, 'closed'::text])))
  CREATE INDEX accounts_asked_look ON public.accounts USING btree (id) WHERE (asked_look IS NOT NULL)
  CREATE INDEX accounts_by_name ON public.accounts USING btree (lower(name), id)
  CREATE INDEX accounts_closed ON public.accounts USING btree (id) WHERE (state = 'closed'::text)
  CREATE INDEX accounts_next_payout_cbu ON public.accounts USING btree (next_payout_cbu_at) WHERE (next_payout_cbu_at IS NOT NULL)
  revoke delete, truncate from owner

table anchors
  account_id text not null
  day date not null
  seal_no integer not null
  hash bytea not null
  sent_at timestamp with time zone
  constraint anchors_pkey PRIMARY KEY (account_id, day)
  CREATE INDEX anchors_unsent ON public.anchors USING btree (day, account_id) WHERE (sent_at IS NULL)

table api_calls
  account_id text not null
  at timestamp with time zone not null
  request_id uuid not null
  method text not null
  path text not null
  status smallint not null
  ms integer not null
  key_id bigint
  constraint api_calls_pkey PRIMARY KEY (account_id, at, request_id)

table api_calls_left_out
  account_id text not null
  at timestamp with time zone not null
  calls bigint not null
  constraint api_calls_left_out_pkey PRIMARY KEY (account_id, at)

table api_keys
  hash bytea not null
  account_id text not null
  id bigint not null
  name text not null
  prefix text not null
  permissions text[] not null
  created_at timestamp with time zone not null
  expires_at timestamp with time zone
  revoked_at timestamp with time zone
  last_used_at timestamp with time zone
  ranges text[]
  replaced_by bigint
  constraint api_keys_pkey PRIMARY KEY (hash)
  constraint api_keys_ranges_check CHECK (((cardinality(ranges) >= 1) AND (cardinality(ranges) <= 50)))
  CREATE UNIQUE INDEX api_keys_by_account ON public.api_keys USING btree (account_id, id)

table attempts
  account_id text not null
  id bigint not null
  request_id bigint not null
  lane bigint not null default 0
  reference text
  channel text not null
  connector text not null
  amount bigint not null
  state text not null
  details json not null
  action json
  started_at timestamp with time zone not null
  ask_at timestamp with time zone not null
  unheard_at timestamp with time zone
  stamp bytea
  constraint attempts_amount_check CHECK ((amount > 0))
  constraint attempts_pkey PRIMARY KEY (account_id, id)
  constraint attempts_state_check CHECK ((state = ANY (ARRAY['started'::text, 'unknown'::text, 'done'::text])))
  CREATE INDEX attempts_by_request ON public.attempts USING btree (account_id, request_id)
  CREATE INDEX attempts_of_connectors ON public.attempts USING btree (connector, started_at, id) WHERE (connector <> 'simulator'::text)
  CREATE INDEX attempts_to_ask ON public.attempts USING btree (ask_at) WHERE (state <> 'done'::text)
  CREATE UNIQUE INDEX attempts_one_open ON public.attempts USING btree (account_id, request_id, lane) WHERE (state <> 'done'::text)
  CREATE UNIQUE INDEX attempts_referenced ON public.attempts USING btree (account_id, reference) WHERE (reference IS NOT NULL)

table balance_deltas
  account_id text not null
  id bigint not null
  accounts smallint[] not null
  amounts bigint[] not null
  journal_ids bigint[] not null
  constraint balance_deltas_pkey PRIMARY KEY (account_id, id)

table balances
  account_id text not null
  ledger_account smallint not null
  amount bigint not null
  constraint balances_pkey PRIMARY KEY (account_id, ledger_account)

table batch_chunks
  account_id text not null
  batch_id bigint not null
  no integer not null
  bytes bytea not null
  constraint batch_chunks_pkey PRIMARY KEY (account_id, batch_id, no)

table batch_pages
  account_id text not null
  batch_id bigint not null
  no integer not null
  rows text not null
  constraint batch_pages_pkey PRIMARY KEY (account_id, batch_id, no)

table batches
  account_id text not null
  id bigint not null
  state text not null
  error text
  created_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  stored_in text not null
  upload integer not null default 0
  bytes bigint
  version text
  webhook_url text
  secret_key_no integer not null default 1
  total_count integer
  next_index integer not null default 0
  created integer not null default 0
  rejected integer not null default 0
  look_at timestamp with time zone
  tries integer not null default 0
  constraint batches_check CHECK (((created + rejected) = next_index))
  constraint batches_pkey PRIMARY KEY (account_id, id)
  constraint batches_state_check CHECK ((state = ANY (ARRAY['waiting_upload'::text, 'uploading'::text, 'processing'::text, 'completed'::text, 'failed'::text])))
  constraint batches_stored_in_check CHECK ((stored_in = ANY (ARRAY['postgres'::text, 's3'::text])))
  CREATE INDEX batches_to_look_at ON public.batches USING btree (look_at) WHERE (look_at IS NOT NULL)

table calendar_days
  day date not null
  kind text not null
  constraint calendar_days_pkey PRIMARY KEY (day)

table card_bins
  prefix text not null
  kind text not null
  constraint card_bins_kind_check CHECK ((kind = ANY (ARRAY['credit'::text, 'debit'::text])))
  constraint card_bins_pkey PRIMARY KEY (prefix)
  constraint card_bins_prefix_check CHECK ((prefix ~ '^[0-9]{4,11}$'::text))

table card_holds
  account_id text not null
  attempt_id bigint not null
  request_id bigint not null
  reference text not null
  amount bigint not null
  ordered text not null
  why text
  authorized_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  ask_at timestamp with time zone
  stamp bytea
  constraint card_holds_amount_check CHECK ((amount > 0))
  constraint card_holds_check CHECK (((why IS NULL) = (ordered = 'capture'::text)))
  constraint card_holds_ordered_check CHECK ((ordered = ANY (ARRAY['capture'::text, 'void'::text])))
  constraint card_holds_pkey PRIMARY KEY (account_id, attempt_id)
  constraint card_holds_why_check CHECK ((why = ANY (ARRAY['late'::text, 'not_payable'::text, 'excluded'::text, 'amount'::text])))
  CREATE INDEX card_holds_to_ask ON public.card_holds USING btree (ask_at) WHERE (ask_at IS NOT NULL)
  revoke delete, truncate from owner

table card_transport_keys
  account_id text not null
  no integer not null
  vault_key_id text not null
  ciphertext bytea not null
  made_at timestamp with time zone not null
  constraint card_transport_keys_no_check CHECK ((no > 0))
  constraint card_transport_keys_pkey PRIMARY KEY (account_id, no)

table card_tries
  subject bytea not null
  tries integer not null
  unanswered integer not null default 0
  since timestamp with time zone not null
  constraint card_tries_pkey PRIMARY KEY (subject)
  CREATE INDEX card_tries_by_time ON public.card_tries USING btree (since)

table charge_references
  connector text not null
  reference text not null
  account_id text not null
  attempt_id bigint not null
  stamp bytea
  constraint charge_references_pkey PRIMARY KEY (connector, reference)
  revoke delete, truncate from owner

table clock
  only_row boolean not null default true
  ahead_ms bigint not null default 0
  constraint clock_ahead_ms_check CHECK ((ahead_ms >= 0))
  constraint clock_only_row_check CHECK (only_row)
  constraint clock_pkey PRIMARY KEY (only_row)

table closed_books
  only_row boolean not null default true
  through date not null
  constraint closed_books_only_row_check CHECK (only_row)
  constraint closed_books_pkey PRIMARY KEY (only_row)

table connector_alarms
  connector text not null
  channel text not null default ''::text
  kind text not null
  message text not null
  times bigint not null default 1
  first_at timestamp with time zone not null
  last_at timestamp with time zone not null
  off_until timestamp with time zone
  constraint connector_alarms_pkey PRIMARY KEY (connector, channel, kind)
  constraint connector_alarms_times_check CHECK ((times > 0))

table connector_calls
  connector text not null
  id text not null
  until bigint not null
  constraint connector_calls_pkey PRIMARY KEY (connector, id)
  CREATE INDEX connector_calls_until ON public.connector_calls USING btree (until)

table connector_letters
  id bigint not null
  connector text not null
  digest text not null
  body text not null
  fault text not null
  heard_at timestamp with time zone not null
  state text not null
  decided_at timestamp with time zone
  decided_by text
  note text
  constraint connector_letters_check CHECK ((((state = 'open'::text) = (decided_at IS NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL)) AND ((decided_at IS NULL) = (note IS NULL))))
  constraint connector_letters_connector_digest_key UNIQUE (connector, digest)
  constraint connector_letters_pkey PRIMARY KEY (id)
  constraint connector_letters_state_check CHECK ((state = ANY (ARRAY['open'::text, 'replayed'::text, 'discarded'::text])))
  CREATE INDEX connector_letters_open ON public.connector_letters USING btree (id) WHERE (state = 'open'::text)
  revoke delete, truncate from owner

table corrections
  account_id text not null
  id bigint not null
  reference text not null
  amount bigint not null
  note text not null
  posted_at timestamp with time zone not null
  stamp bytea
  constraint corrections_account_id_reference_key UNIQUE (account_id, reference)
  constraint corrections_amount_check CHECK ((amount <> 0))
  constraint corrections_pkey PRIMARY KEY (account_id, id)
  revoke delete, truncate, update from owner

table daily_total_marks
  account_id text not null
  seal_no integer not null
  constraint daily_total_marks_pkey PRIMARY KEY (account_id)

table daily_totals
  account_id text not null
  day date not null
  channel text not null
  type text not null
  results bigint not null
  amount bigint not null
  net_fee bigint not null
  fee_iva bigint not null
  withheld bigint not null
  constraint daily_totals_pkey PRIMARY KEY (account_id, day, channel, type)
  constraint daily_totals_type_check CHECK ((type = ANY (ARRAY['collected'::text, 'chargeback'::text, 'refund'::text])))

table debit_runs
  account_id text not null
  request_id bigint not null
  no smallint not null
  kind text not null
  submit_on date not null
  run_on date not null
  amount bigint not null
  state text not null
  code text
  file_id bigint
  instrument_no smallint
  charged boolean not null default false
  attempt_id bigint
  look_at timestamp with time zone
  orders smallint not null default 0
  tried_on date
  constraint debit_runs_amount_check CHECK ((amount > 0))
  constraint debit_runs_kind_check CHECK ((kind = ANY (ARRAY['debit_request'::text, 'card_debit_request'::text])))
  constraint debit_runs_no_check CHECK ((no = ANY (ARRAY[1, 2])))
  constraint debit_runs_orders_check CHECK ((orders >= 0))
  constraint debit_runs_pkey PRIMARY KEY (account_id, request_id, no)
  constraint debit_runs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'submitted'::text, 'done'::text])))
  CREATE INDEX debit_runs_by_day ON public.debit_runs USING btree (account_id, run_on, request_id, no)
  CREATE INDEX debit_runs_by_file ON public.debit_runs USING btree (file_id) WHERE (file_id IS NOT NULL)
  CREATE INDEX debit_runs_in_no_file ON public.debit_runs USING btree (kind, run_on) WHERE ((state = 'submitted'::text) AND (file_id IS NULL) AND (NOT charged))
  CREATE INDEX debit_runs_submitted ON public.debit_runs USING btree (kind, run_on) WHERE (state = 'submitted'::text)
  CREATE INDEX debit_runs_to_charge ON public.debit_runs USING btree (account_id, request_id) WHERE (charged AND (state = 'submitted'::text))
  CREATE INDEX debit_runs_to_submit ON public.debit_runs USING btree (submit_on) WHERE (state = 'waiting'::text)
  revoke delete, truncate from owner

table deliveries
  account_id text not null
  webhook_id bigint not null
  entity text not null
  entity_id text not null
  version integer not null
  event_id bigint not null
  position bigint not null
  state text not null
  attempts integer not null default 0
  tries integer not null default 0
  next_at timestamp with time zone
  leased_until timestamp with time zone
  expires_at timestamp with time zone
  ended_at timestamp with time zone
  constraint deliveries_check CHECK (((next_at IS NULL) OR (state = 'pending'::text)))
  constraint deliveries_check1 CHECK (((ended_at IS NULL) = (state = 'pending'::text)))
  constraint deliveries_pkey PRIMARY KEY (account_id, entity, entity_id, version, webhook_id)
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
  CREATE INDEX deliveries_due ON public.deliveries USING btree (account_id, webhook_id, next_at, "position") WHERE (next_at IS NOT NULL)
  CREATE INDEX deliveries_to_forget ON public.deliveries USING btree (ended_at) WHERE (ended_at IS NOT NULL)

table delivery_attempts
  account_id text not null
  webhook_id bigint not null
  event_id bigint not null
  no integer not null
  at timestamp with time zone not null
  status smallint
  error text
  ms integer not null
  constraint delivery_attempts_pkey PRIMARY KEY (account_id, webhook_id, event_id, no)

table deployment
  only_row boolean not null default true
  environment text not null
  constraint deployment_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text])))
  constraint deployment_only_row_check CHECK (only_row)
  constraint deployment_pkey PRIMARY KEY (only_row)

table disputes
  account_id text not null
  id bigint not null
  request_id bigint not null
  attempt_id bigint not null
  connector text not null
  name text not null
  state text not null
  revision bigint not null
  amount bigint not null
  taken bigint not null
  reason text
  evidence_due_at timestamp with time zone
  opened_at timestamp with time zone not null
  changed_at timestamp with time zone not null
  warned_at timestamp with time zone
  constraint disputes_account_id_connector_name_key UNIQUE (account_id, connector, name)
  constraint disputes_amount_check CHECK ((amount > 0))
  constraint disputes_pkey PRIMARY KEY (account_id, id)
  constraint disputes_revision_check CHECK ((revision > 0))
  constraint disputes_state_check CHECK ((state = ANY (ARRAY['opened'::text, 'evidence_due'::text, 'won'::text, 'lost'::text, 'partial'::text, 'reversed'::text])))
  constraint disputes_taken_check CHECK ((taken >= 0))
  CREATE INDEX disputes_by_request ON public.disputes USING btree (account_id, request_id, id)
  CREATE INDEX disputes_undecided ON public.disputes USING btree (account_id, evidence_due_at, id) WHERE (state = ANY (ARRAY['opened'::text, 'evidence_due'::text]))
  revoke delete, truncate from owner

table events
  account_id text not null
  entity text not null
  entity_id text not null
  version integer not null
  id bigint not null
  position bigint
  type text not null
  at timestamp with time zone not null
  actor text not null
  data json not null
  xid bigint not null default ((pg_current_xact_id())::text)::bigint
  constraint events_pkey PRIMARY KEY (account_id, entity, entity_id, version)
  CREATE INDEX events_activity_of_account ON public.events USING btree (account_id, at, id) WHERE ((entity <> ALL (ARRAY['payment_request'::text, 'debit_request'::text, 'card_debit_request'::text, 'qr'::text, 'static_qr'::text, 'transfer_account'::text, 'adhesion'::text, 'card_adhesion'::text])) OR (actor ~~ 'user:%'::text) OR (actor ~~ 'operator:%'::text) OR ((actor ~~ 'key:%'::text) AND (type = ANY (ARRAY['payment_request.expired'::text, 'payment_request.refund_requested'::text, 'debit_request.canceled'::text, 'debit_request.refund_requested'::text, 'card_debit_request.canceled'::text, 'card_debit_request.refund_requested'::text, 'qr.edited'::text, 'qr.deleted'::text, 'qr.refund_requested'::text, 'adhesion.canceled'::text, 'card_adhesion.canceled'::text]))))
  CREATE INDEX events_by_id ON public.events USING btree (account_id, id) WHERE ("position" IS NOT NULL)
  CREATE INDEX events_by_position ON public.events USING btree (account_id, "position") WHERE ("position" IS NOT NULL)
  CREATE INDEX events_by_xid ON public.events USING brin (xid) WITH (autosummarize='on')
  CREATE INDEX events_log_by_actor ON public.events USING btree (actor, at, id) WHERE ((entity <> ALL (ARRAY['payment_request'::text, 'debit_request'::text, 'card_debit_request'::text, 'qr'::text, 'static_qr'::text, 'transfer_account'::text, 'adhesion'::text, 'card_adhesion'::text])) OR (actor ~~ 'user:%'::text) OR (actor ~~ 'operator:%'::text))
  CREATE INDEX events_log_by_time ON public.events USING btree (at, id) WHERE ((entity <> ALL (ARRAY['payment_request'::text, 'debit_request'::text, 'card_debit_request'::text, 'qr'::text, 'static_qr'::text, 'transfer_account'::text, 'adhesion'::text, 'card_adhesion'::text])) OR (actor ~~ 'user:%'::text) OR (actor ~~ 'operator:%'::text))
  CREATE INDEX events_log_by_type ON public.events USING btree (type, at, id) WHERE ((entity <> ALL (ARRAY['payment_request'::text, 'debit_request'::text, 'card_debit_request'::text, 'qr'::text, 'static_qr'::text, 'transfer_account'::text, 'adhesion'::text, 'card_adhesion'::text])) OR (actor ~~ 'user:%'::text) OR (actor ~~ 'operator:%'::text))
  grant update (data, position) to owner
  revoke delete, truncate, update from owner

table fees
  account_id text not null
  channel text not null
  valid_from date not null
  valid_to date
  percentage_ppm integer not null
  fixed bigint not null
  minimum bigint not null
  available_after_days smallint not null
  constraint fees_available_after_days_check CHECK (((available_after_days >= 0) AND (available_after_days <= 366)))
  constraint fees_fixed_check CHECK ((fixed >= 0))
  constraint fees_minimum_check CHECK ((minimum >= 0))
  constraint fees_percentage_ppm_check CHECK (((percentage_ppm >= 0) AND (percentage_ppm <= 1000000)))
  constraint fees_pkey PRIMARY KEY (account_id, channel, valid_from)

table folded_notices
  account_id text not null
  topic text not null
  since timestamp with time zone not null
  letters integer not null
  folded integer not null default 0
  tell_at timestamp with time zone
  constraint folded_notices_check CHECK (((tell_at IS NULL) = (folded = 0)))
  constraint folded_notices_folded_check CHECK ((folded >= 0))
  constraint folded_notices_letters_check CHECK ((letters > 0))
  constraint folded_notices_pkey PRIMARY KEY (account_id, topic)
  constraint folded_notices_topic_check CHECK ((topic = ANY (ARRAY['webhooks'::text, 'keys'::text, 'members'::text])))
  CREATE INDEX folded_notices_to_tell ON public.folded_notices USING btree (tell_at) WHERE (tell_at IS NOT NULL)

table former_withholding_rates
  cuit text not null
  regime text not null
  jurisdiction text not null
  valid_from date not null
  valid_to date
  rate_ppm integer not null
  known_since timestamp with time zone not null
  known_until timestamp with time zone not null
  constraint former_withholding_rates_pkey PRIMARY KEY (cuit, regime, jurisdiction, valid_from, known_until)
  revoke delete, truncate, update from owner

table id_timeline
  only_row boolean not null default true
  timeline integer not null
  constraint id_timeline_only_row_check CHECK (only_row)
  constraint id_timeline_pkey PRIMARY KEY (only_row)

table idempotency_keys
  account_id text not null
  path text not null
  key text not null
  fingerprint bytea not null
  status smallint not null
  body text not null
  created_at timestamp with time zone not null
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, path, key)
  CREATE INDEX idempotency_keys_to_forget ON public.idempotency_keys USING btree (created_at)

table import_files
  account_id text not null
  import_id bigint not null
  no integer not null
  bytes bytea not null
  constraint import_files_pkey PRIMARY KEY (account_id, import_id, no)

table import_headings
  account_id text not null
  kind text not null
  heading text not null
  field text
  constraint import_headings_pkey PRIMARY KEY (account_id, kind, heading)

table import_pages
  account_id text not null
  import_id bigint not null
  no integer not null
  rows text not null
  faults text
  existing text
  outcomes text
  withdrawn text
  constraint import_pages_pkey PRIMARY KEY (account_id, import_id, no)

table imports
  account_id text not null
  id bigint not null
  kind text not null
  state text not null
  version integer not null
  created_at timestamp with time zone not null
  file_name text not null
  sha256 bytea not null
  columns text not null
  notes text not null
  way text not null
  matched text not null
  row_count integer not null
  page_count integer not null
  faulty_count integer
  existing_count integer
  repeats_too boolean not null default false
  actor text
  comment text
  next_page integer not null default 0
  undone_page integer not null default 0
  created integer not null default 0
  rejected integer not null default 0
  skipped integer not null default 0
  withdrawn integer not null default 0
  error text
  look_at timestamp with time zone
  tries integer not null default 0
  rows_amount bigint
  unread_amounts integer
  sound_amount bigint
  sums_version integer
  constraint imports_check CHECK (((((created + rejected) + skipped) <= row_count) AND (withdrawn <= created)))
  constraint imports_kind_check CHECK ((kind = ANY (ARRAY['payment_request'::text, 'qr'::text, 'debit_request'::text, 'card_debit_request'::text, 'adhesion'::text])))
  constraint imports_page_count_check CHECK ((page_count > 0))
  constraint imports_pkey PRIMARY KEY (account_id, id)
  constraint imports_row_count_check CHECK ((row_count > 0))
  constraint imports_sha256_check CHECK ((octet_length(sha256) = 32))
  constraint imports_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'discarded'::text, 'running'::text, 'completed'::text, 'failed'::text, 'undoing'::text, 'undone'::text])))
  CREATE INDEX imports_by_file ON public.imports USING btree (account_id, sha256)
  CREATE INDEX imports_discarded ON public.imports USING btree (account_id, id) WHERE (state = 'discarded'::text)
  CREATE INDEX imports_to_look_at ON public.imports USING btree (look_at) WHERE (look_at IS NOT NULL)
  CREATE UNIQUE INDEX imports_one_draft ON public.imports USING btree (account_id, kind, sha256) WHERE (state = 'draft'::text)

table installment_plans
  brand text not null
  installments smallint not null
  coefficient_ppm integer not null
  constraint installment_plans_coefficient_ppm_check CHECK ((coefficient_ppm >= 1000000))
  constraint installment_plans_installments_check CHECK (((installments >= 1) AND (installments <= 60)))
  constraint installment_plans_pkey PRIMARY KEY (brand, installments)

table journals
  account_id text not null
  id bigint not null
  kind text not null
  result_id bigint
  request_id bigint
  cause text
  at timestamp with time zone not null
  on_date date not null
  accounts smallint[] not null
  amounts bigint[] not null
  stamp bytea
  constraint journals_amounts_check CHECK ((public.sum_of(amounts) = 0))
  constraint journals_cause_check CHECK ((cause ~ '^[a-z]+:[0-9]+$'::text))
  constraint journals_check CHECK ((cardinality(accounts) = cardinality(amounts)))
  constraint journals_check1 CHECK ((num_nonnulls(result_id, cause) = 1))
  constraint journals_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX journals_by_kind ON public.journals USING btree (account_id, kind, on_date, id)
  CREATE INDEX journals_of_available ON public.journals USING btree (account_id, on_date, id) WHERE (2 = ANY (accounts))
  revoke delete, truncate, update from owner

table kept_cards
  account_id text not null
  mandate_id bigint not null
  no smallint not null
  connector text not null
  channel text not null
  state text not null
  reference text
  bin text
  signing json
  ask_at timestamp with time zone
  network_transaction_id text
  warn_at timestamp with time zone
  looks integer not null default 0
  constraint kept_cards_channel_check CHECK ((channel = ANY (ARRAY['credit_card'::text, 'debit_card'::text])))
  constraint kept_cards_check CHECK (((reference IS NOT NULL) = (state = ANY (ARRAY['kept'::text, 'closed'::text, 'forgetting'::text]))))
  constraint kept_cards_check1 CHECK (((ask_at IS NOT NULL) = (state = ANY (ARRAY['sent'::text, 'forgetting'::text]))))
  constraint kept_cards_no_check CHECK ((no > 0))
  constraint kept_cards_pkey PRIMARY KEY (account_id, mandate_id)
  constraint kept_cards_state_check CHECK ((state = ANY (ARRAY['sent'::text, 'refused'::text, 'kept'::text, 'closed'::text, 'forgetting'::text, 'forgotten'::text])))
  CREATE INDEX kept_cards_to_ask ON public.kept_cards USING btree (ask_at) WHERE (ask_at IS NOT NULL)
  CREATE INDEX kept_cards_to_warn ON public.kept_cards USING btree (warn_at) WHERE ((warn_at IS NOT NULL) AND (state = 'kept'::text))

table ledger_day_marks
  account_id text not null
  seal_no integer not null
  constraint ledger_day_marks_pkey PRIMARY KEY (account_id)

table ledger_days
  account_id text not null
  ledger_account smallint not null
  day date not null
  kind text not null
  debits bigint not null
  debit bigint not null
  credits bigint not null
  credit bigint not null
  constraint ledger_days_pkey PRIMARY KEY (account_id, ledger_account, day, kind)

table mails
  account_id text not null
  id bigint not null
  recipient text not null
  subject text not null
  body text not null
  link_kind text
  link_id bigint
  link_no smallint
  state text not null
  attempts smallint not null
  next_at timestamp with time zone not null
  mass boolean not null default false
  mailbox text
  paced boolean not null default false
  counted_at timestamp with time zone
  ended_at timestamp with time zone
  refusal text
  constraint mails_check CHECK ((num_nulls(link_kind, link_id, link_no) = ANY (ARRAY[0, 3])))
  constraint mails_check1 CHECK (((mailbox IS NOT NULL) OR ((NOT paced) AND (counted_at IS NULL))))
  constraint mails_pkey PRIMARY KEY (account_id, id)
  constraint mails_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
  CREATE INDEX mails_counted ON public.mails USING btree (account_id, counted_at) WHERE (counted_at IS NOT NULL)
  CREATE INDEX mails_counted_by_mailbox ON public.mails USING btree (account_id, mailbox, counted_at) WHERE (counted_at IS NOT NULL)
  CREATE INDEX mails_ended ON public.mails USING btree (next_at) WHERE (state = ANY (ARRAY['sent'::text, 'dropped'::text]))
  CREATE INDEX mails_failed ON public.mails USING btree (account_id, id) WHERE (state = 'failed'::text)
  CREATE INDEX mails_paced ON public.mails USING btree (account_id, mailbox) WHERE paced
  CREATE INDEX mails_to_send ON public.mails USING btree (account_id, paced, mass, next_at, id) WHERE (state = 'waiting'::text)

table mandate_instruments
  account_id text not null
  kind text not null
  mandate_id bigint not null
  no smallint not null
  cbu text
  card_key_id text
  card_ciphertext bytea
  replaced_at timestamp with time zone not null
  constraint mandate_instruments_check CHECK (((card_ciphertext IS NULL) = (card_key_id IS NULL)))
  constraint mandate_instruments_check1 CHECK (((cbu IS NULL) OR (card_ciphertext IS NULL)))
  constraint mandate_instruments_pkey PRIMARY KEY (account_id, kind, mandate_id, no)
  CREATE INDEX mandate_instruments_by_card_key ON public.mandate_instruments USING btree (card_key_id) WHERE (card_key_id IS NOT NULL)
  revoke delete, truncate from owner

table mandates
  account_id text not null
  kind text not null
  id bigint not null
  state text not null
  state_comment text
  version integer not null
  created_at timestamp with time zone not null
  sign_before timestamp with time zone not null
  signed_at timestamp with time zone
  canceled_at timestamp with time zone
  link_no smallint not null default 1
  evidence json
  reference text
  holder text not null
  email text not null
  description text not null
  payer text not null
  instrument_no smallint not null default 1
  cbu text
  card_key_id text
  card_ciphertext bytea
  keeps_card boolean not null default false
  card_erase_at timestamp with time zone
  card_erased_at timestamp with time zone
  details json not null
  place bigint not null
  constraint mandates_card_number CHECK (((kind <> 'card_adhesion'::text) OR keeps_card OR ((card_ciphertext IS NULL) = (card_erased_at IS NOT NULL))))
  constraint mandates_check CHECK (((kind = 'adhesion'::text) = (cbu IS NOT NULL)))
  constraint mandates_check1 CHECK (((kind = 'card_adhesion'::text) OR (card_ciphertext IS NULL)))
  constraint mandates_check2 CHECK (((card_ciphertext IS NULL) = (card_key_id IS NULL)))
  constraint mandates_check3 CHECK (((card_erased_at IS NULL) OR (state = 'canceled'::text)))
  constraint mandates_keeps_card CHECK (((NOT keeps_card) OR ((kind = 'card_adhesion'::text) AND (card_ciphertext IS NULL))))
  constraint mandates_kind_check CHECK ((kind = ANY (ARRAY['adhesion'::text, 'card_adhesion'::text])))
  constraint mandates_pkey PRIMARY KEY (account_id, kind, id)
  CREATE INDEX mandates_by_card_key ON public.mandates USING btree (card_key_id) WHERE (card_key_id IS NOT NULL)
  CREATE INDEX mandates_by_id ON public.mandates USING btree (kind, id)
  CREATE INDEX mandates_by_parts ON public.mandates USING gin (public.word_parts_of(account_id, ((((holder || ' '::text) || payer) || ' '::text) || COALESCE(reference, ''::text)))) WITH (gin_pending_list_limit='1024')
  CREATE INDEX mandates_by_place ON public.mandates USING btree (account_id, kind, place, id)
  CREATE INDEX mandates_by_words ON public.mandates USING gin (public.words_of(account_id, ((((holder || ' '::text) || payer) || ' '::text) || COALESCE(reference, ''::text)))) WITH (gin_pending_list_limit='1024')
  CREATE INDEX mandates_list_created ON public.mandates USING btree (account_id, kind, created_at, id)
  CREATE INDEX mandates_list_holder ON public.mandates USING btree (account_id, kind, public.folded(holder), id)
  CREATE INDEX mandates_list_reference ON public.mandates USING btree (account_id, kind, reference, id) WHERE (reference IS NOT NULL)
  CREATE INDEX mandates_list_state ON public.mandates USING btree (account_id, kind, state, id)
  CREATE INDEX mandates_to_erase ON public.mandates USING btree (card_erase_at) WHERE (card_ciphertext IS NOT NULL)
  CREATE INDEX mandates_to_sign ON public.mandates USING btree (sign_before) WHERE (state = 'pending_to_sign'::text)
  revoke delete, truncate from owner

table memberships
  account_id text not null
  user_id bigint not null
  role text not null
  state text not null
  notices text[] not null default '{}'::text[]
  created_at timestamp with time zone not null
  version integer not null default 1
  constraint memberships_notices_check CHECK ((notices <@ ARRAY['rejected_debits'::text, 'webhooks'::text, 'disputes'::text, 'payouts'::text, 'summary'::text]))
  constraint memberships_pkey PRIMARY KEY (account_id, user_id)
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'administrator'::text, 'collections'::text, 'treasury'::text, 'read_only'::text])))
  constraint memberships_state_check CHECK ((state = ANY (ARRAY['invited'::text, 'active'::text, 'ended'::text])))
  CREATE INDEX memberships_of_user ON public.memberships USING btree (user_id)

table migrations
  name text not null
  checksum text not null
  applied_at timestamp with time zone not null
  constraint migrations_pkey PRIMARY KEY (name)

table money_alarms
  id bigint not null
  kind text not null
  fact text not null
  message text not null
  connector text
  account_id text
  request_id bigint
  attempt_id bigint
  result_id bigint
  suspense_id bigint
  amount bigint
  raised_at timestamp with time zone not null
  closed_at timestamp with time zone
  closed_by text
  note text
  closing_stamp bytea
  constraint money_alarms_check CHECK ((((closed_at IS NULL) = (closed_by IS NULL)) AND ((closed_at IS NULL) = (note IS NULL))))
  constraint money_alarms_kind_fact_key UNIQUE (kind, fact)
  constraint money_alarms_pkey PRIMARY KEY (id)
  CREATE INDEX money_alarms_forged ON public.money_alarms USING btree (id) WHERE (kind = ANY (ARRAY['forged_journal'::text, 'forged_fact'::text]))
  CREATE INDEX money_alarms_open ON public.money_alarms USING btree (id) WHERE (closed_at IS NULL)
  revoke delete, truncate from owner

table moved_in
  account_id text not null
  kind text not null
  old_id text not null
  new_id bigint not null
  moved_at timestamp with time zone not null
  constraint moved_in_kind_check CHECK ((kind = ANY (ARRAY['payment_request'::text, 'debit_request'::text, 'adhesion'::text, 'qr'::text])))
  constraint moved_in_pkey PRIMARY KEY (account_id, kind, old_id)
  CREATE UNIQUE INDEX moved_in_by_new_id ON public.moved_in USING btree (account_id, kind, new_id)
  revoke delete, truncate from owner

table network_charges
  connector text not null
  trx text not null
  account_id text
  attempt_id bigint
  reversed_at timestamp with time zone
  stamp bytea
  constraint network_charges_check CHECK (((account_id IS NULL) = (attempt_id IS NULL)))
  constraint network_charges_pkey PRIMARY KEY (connector, trx)
  revoke delete, truncate from owner

table notice_marks
  account_id text not null
  look_at timestamp with time zone not null
  position bigint not null
  payouts bigint[] not null
  webhooks bigint[] not null
  summary_day date not null
  constraint notice_marks_pkey PRIMARY KEY (account_id)
  CREATE INDEX notice_marks_look_at ON public.notice_marks USING btree (look_at)

table operator_events
  account_id text not null default '00000000'::text
  id bigint not null
  entity text not null
  entity_id text not null
  type text not null
  at timestamp with time zone not null
  actor text not null
  data json not null
  xid bigint not null default ((pg_current_xact_id())::text)::bigint
  constraint operator_events_account_id_check CHECK ((account_id = '00000000'::text))
  constraint operator_events_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX operator_events_by_time ON public.operator_events USING btree (at, id)
  CREATE INDEX operator_events_by_xid ON public.operator_events USING brin (xid) WITH (autosummarize='on')
  CREATE INDEX operator_events_of_roles ON public.operator_events USING btree (entity_id, at) WHERE ((entity = 'user'::text) AND (type = ANY (ARRAY['user.created'::text, 'user.service_role_changed'::text])))
  CREATE INDEX operator_events_of_vault ON public.operator_events USING btree (entity_id, at) WHERE (entity = 'vault_key'::text)
  revoke delete, truncate, update from owner

table outbox
  account_id text not null
  entity text not null
  entity_id text not null
  version integer not null
  event_id bigint not null
  constraint outbox_pkey PRIMARY KEY (account_id, entity, entity_id, version)

table payer_mail_marks
  account_id text not null
  seal_no integer not null
  reminded_until date
  constraint payer_mail_marks_pkey PRIMARY KEY (account_id)

table payer_mail_settings
  account_id text not null
  sends_request boolean not null default false
  sends_reminder boolean not null default false
  sends_receipt boolean not null default false
  request_since timestamp with time zone
  receipt_since timestamp with time zone
  reminder_days smallint not null default 3
  languages text not null default 'es'::text
  attaches_coupon boolean not null default false
  constraint payer_mail_settings_check CHECK (((NOT sends_request) OR (request_since IS NOT NULL)))
  constraint payer_mail_settings_check1 CHECK (((NOT sends_receipt) OR (receipt_since IS NOT NULL)))
  constraint payer_mail_settings_languages_check CHECK ((languages = ANY (ARRAY['es'::text, 'en'::text, 'both'::text])))
  constraint payer_mail_settings_pkey PRIMARY KEY (account_id)
  constraint payer_mail_settings_reminder_days_check CHECK (((reminder_days >= 1) AND (reminder_days <= 30)))

table payer_mail_stops
  account_id text not null
  address text not null
  reason text not null
  at timestamp with time zone not null
  request_id bigint not null
  constraint payer_mail_stops_pkey PRIMARY KEY (account_id, address)
  constraint payer_mail_stops_reason_check CHECK ((reason = ANY (ARRAY['unsubscribed'::text, 'bounced'::text])))

table payer_mail_texts
  account_id text not null
  kind text not null
  lang text not null
  subject text not null
  body text not null
  constraint payer_mail_texts_kind_check CHECK ((kind = ANY (ARRAY['request'::text, 'reminder'::text, 'receipt'::text])))
  constraint payer_mail_texts_lang_check CHECK ((lang = ANY (ARRAY['es'::text, 'en'::text])))
  constraint payer_mail_texts_pkey PRIMARY KEY (account_id, kind, lang)

table payer_mails
  account_id text not null
  request_id bigint not null
  kind text not null
  no bigint not null
  copy smallint not null
  state text not null
  reason text
  at timestamp with time zone not null
  mail_id bigint
  bounced_at timestamp with time zone
  bounce text
  recipient text
  mail_state text
  ended_at timestamp with time zone
  constraint payer_mails_check CHECK (((state = 'queued'::text) = (mail_id IS NOT NULL)))
  constraint payer_mails_check1 CHECK (((bounced_at IS NULL) = (bounce IS NULL)))
  constraint payer_mails_kind_check CHECK ((kind = ANY (ARRAY['request'::text, 'reminder'::text, 'receipt'::text])))
  constraint payer_mails_mail_state_check CHECK ((mail_state = ANY (ARRAY['sent'::text, 'dropped'::text])))
  constraint payer_mails_pkey PRIMARY KEY (account_id, request_id, kind, no, copy)
  constraint payer_mails_state_check CHECK ((state = ANY (ARRAY['due'::text, 'queued'::text, 'skipped'::text])))
  CREATE INDEX payer_mails_by_mail ON public.payer_mails USING btree (account_id, mail_id) WHERE (mail_id IS NOT NULL)
  CREATE INDEX payer_mails_due ON public.payer_mails USING btree (account_id, at, request_id) WHERE (state = 'due'::text)

table payout_files
  id bigint not null
  reference text not null
  payouts integer not null
  total bigint not null
  made_at timestamp with time zone not null
  constraint payout_files_payouts_check CHECK ((payouts > 0))
  constraint payout_files_pkey PRIMARY KEY (id)
  CREATE INDEX payout_files_by_reference ON public.payout_files USING btree (reference, id)

table payout_transfers
  account_id text not null
  payout_id bigint not null
  file_id bigint
  holder text
  cuit text
  constraint payout_transfers_check CHECK (((file_id IS NULL) OR ((holder IS NOT NULL) AND (cuit IS NOT NULL))))
  constraint payout_transfers_pkey PRIMARY KEY (account_id, payout_id)
  CREATE INDEX payout_transfers_by_file ON public.payout_transfers USING btree (file_id) WHERE (file_id IS NOT NULL)
  CREATE INDEX payout_transfers_open ON public.payout_transfers USING btree (account_id, payout_id) WHERE (file_id IS NULL)

table payouts
  account_id text not null
  id bigint not null
  reference text not null
  state text not null
  amount bigint not null
  cbu text not null
  sent_at timestamp with time zone not null
  returned_at timestamp with time zone
  return_reason text
  ordered_by bigint
  stamp bytea
  constraint payouts_account_id_reference_key UNIQUE (account_id, reference)
  constraint payouts_amount_check CHECK ((amount > 0))
  constraint payouts_pkey PRIMARY KEY (account_id, id)
  constraint payouts_state_check CHECK ((state = ANY (ARRAY['sent'::text, 'returned'::text])))
  revoke delete, truncate from owner

table proposals
  account_id text not null
  id bigint not null
  kind text not null
  reference text not null
  request_id bigint
  amount bigint not null
  terms text not null
  state text not null
  proposed_by bigint not null
  proposed_at timestamp with time zone not null
  expires_at timestamp with time zone
  first_approved_by bigint
  first_approved_at timestamp with time zone
  decided_by bigint
  decided_at timestamp with time zone
  reason text
  outcome text
  constraint proposals_amount_check CHECK ((amount <> 0))
  constraint proposals_check CHECK (((state = ANY (ARRAY['waiting'::text, 'expired'::text])) = (decided_by IS NULL)))
  constraint proposals_check1 CHECK (((state <> 'approved'::text) OR (decided_by <> proposed_by)))
  constraint proposals_expired CHECK (((state <> 'expired'::text) OR (expires_at IS NOT NULL)))
  constraint proposals_kind_check CHECK ((kind = ANY (ARRAY['payout'::text, 'correction'::text, 'refund'::text])))
  constraint proposals_pkey PRIMARY KEY (account_id, id)
  constraint proposals_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'rejected'::text, 'expired'::text])))
  constraint proposals_two_operators CHECK ((((first_approved_by IS NULL) = (first_approved_at IS NULL)) AND ((first_approved_by IS NULL) OR (first_approved_by <> proposed_by)) AND ((first_approved_by IS NULL) OR (state <> 'approved'::text) OR (first_approved_by <> decided_by))))
  CREATE INDEX proposals_latest ON public.proposals USING btree (kind, id)
  CREATE INDEX proposals_of_account ON public.proposals USING btree (account_id, kind, id)
  CREATE INDEX proposals_of_request ON public.proposals USING btree (account_id, request_id, id) WHERE (request_id IS NOT NULL)
  CREATE INDEX proposals_to_expire ON public.proposals USING btree (expires_at) WHERE ((state = 'waiting'::text) AND (expires_at IS NOT NULL))
  CREATE INDEX proposals_waiting ON public.proposals USING btree (kind, id) WHERE (state = 'waiting'::text)
  CREATE INDEX proposals_waiting_of_account ON public.proposals USING btree (account_id, kind, id) WHERE (state = 'waiting'::text)
  CREATE UNIQUE INDEX proposals_once ON public.proposals USING btree (account_id, kind, reference) WHERE (state <> 'rejected'::text)
  CREATE UNIQUE INDEX proposals_payout_asked ON public.proposals USING btree (account_id) WHERE ((kind = 'payout'::text) AND (state = 'waiting'::text) AND (expires_at IS NOT NULL))
  revoke delete, truncate from owner

table rail_files
  id bigint not null
  rail text not null
  direction text not null
  name text not null
  file_date date not null
  sha256 bytea not null
  state text not null
  lines integer not null
  applied integer not null default 0
  total bigint not null
  summary json
  created_at timestamp with time zone not null
  constraint rail_files_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text])))
  constraint rail_files_pkey PRIMARY KEY (id)
  constraint rail_files_rail_direction_sha256_key UNIQUE (rail, direction, sha256)
  constraint rail_files_state_check CHECK ((state = ANY (ARRAY['importing'::text, 'imported'::text, 'exported'::text])))
  CREATE INDEX rail_files_by_day ON public.rail_files USING btree (rail, direction, file_date)
  revoke delete, truncate from owner

table rail_lines
  file_id bigint not null
  line integer not null
  outcome text not null
  remarks text[] not null
  account_id text
  request_id bigint
  code text not null
  amount bigint not null
  paid_at timestamp with time zone not null
  reject_code text
  note text
  constraint rail_lines_amount_check CHECK ((amount >= 0))
  constraint rail_lines_outcome_check CHECK ((outcome = ANY (ARRAY['collected'::text, 'suspense'::text, 'paid'::text, 'rejected'::text, 'retried'::text, 'in_process'::text, 'reversed'::text, 'mandate_closed'::text, 'instrument_changed'::text, 'known'::text, 'unmatched'::text, 'notice'::text])))
  constraint rail_lines_pkey PRIMARY KEY (file_id, line)
  revoke delete, truncate from owner

table rail_uploads
  id bigint not null
  rail text not null
  name text not null
  sha256 bytea not null
  key_id text not null
  ciphertext bytea not null
  uploaded_at timestamp with time zone not null
  constraint rail_uploads_pkey PRIMARY KEY (id)
  constraint rail_uploads_sha256_check CHECK ((octet_length(sha256) = 32))
  CREATE INDEX rail_uploads_by_age ON public.rail_uploads USING btree (uploaded_at)

table reconciliation_findings
  connector text not null
  day date not null
  no integer not null
  account_id text not null
  what text not null
  constraint reconciliation_findings_pkey PRIMARY KEY (connector, day, no)
  CREATE INDEX reconciliation_findings_of ON public.reconciliation_findings USING btree (account_id)

table reconciliations
  connector text not null
  day date not null
  at timestamp with time zone not null
  charges bigint not null
  transfers bigint not null
  recorded bigint not null
  unsettled_charges integer
  unsettled bigint
  constraint reconciliations_pkey PRIMARY KEY (connector, day)

table refunds
  account_id text not null
  id bigint not null
  request_id bigint not null
  result_id bigint not null
  reference text not null
  amount bigint not null
  state text not null
  way text not null
  cbu text
  held bigint not null
  held_unavailable bigint not null
  refunded_before bigint not null
  requested_at timestamp with time zone not null
  ask_at timestamp with time zone
  ended_at timestamp with time zone
  comment text
  asked_by bigint
  stamp bytea
  constraint refunds_account_id_reference_key UNIQUE (account_id, reference)
  constraint refunds_amount_check CHECK ((amount > 0))
  constraint refunds_check CHECK (((cbu IS NOT NULL) = (way = 'transfer'::text)))
  constraint refunds_check1 CHECK (((ask_at IS NULL) OR ((state = 'requested'::text) AND (way = 'channel'::text))))
  constraint refunds_check2 CHECK (((ended_at IS NULL) = (state = 'requested'::text)))
  constraint refunds_held_unavailable_check CHECK ((held_unavailable >= 0))
  constraint refunds_pkey PRIMARY KEY (account_id, id)
  constraint refunds_refunded_before_check CHECK ((refunded_before >= 0))
  constraint refunds_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'done'::text, 'failed'::text])))
  constraint refunds_way_check CHECK ((way = ANY (ARRAY['channel'::text, 'transfer'::text])))
  CREATE INDEX refunds_by_request ON public.refunds USING btree (account_id, request_id, id)
  CREATE INDEX refunds_to_ask ON public.refunds USING btree (ask_at) WHERE (ask_at IS NOT NULL)
  CREATE INDEX refunds_to_transfer ON public.refunds USING btree (account_id, id) WHERE ((state = 'requested'::text) AND (way = 'transfer'::text))
  revoke delete, truncate from owner

table registers
  sha256 bytea not null
  name text not null
  lines integer not null
  added integer not null
  changed integer not null
  imported_at timestamp with time zone not null
  constraint registers_pkey PRIMARY KEY (sha256)
  revoke delete, truncate from owner

table replica_marks
  one boolean not null default true
  born uuid not null default gen_random_uuid()
  no bigint not null default 0
  mark uuid not null default gen_random_uuid()
  at timestamp with time zone not null default clock_timestamp()
  settled bigint not null default 0
  constraint replica_marks_one_check CHECK (one)
  constraint replica_marks_pkey PRIMARY KEY (one)

table request_openings
  account_id text not null
  request_id bigint not null
  at timestamp with time zone not null
  constraint request_openings_pkey PRIMARY KEY (account_id, request_id)
  revoke delete, truncate, update from owner

table request_states
  account_id text not null
  id bigint not null
  kind text not null
  state text not null
  last_due date not null
  place bigint not null
  constraint request_states_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX request_states_list ON public.request_states USING btree (account_id, kind, state, id) WHERE (kind <> 'qr'::text)
  CREATE INDEX request_states_to_expire ON public.request_states USING btree (kind, last_due, account_id) WHERE ((state = 'pending'::text) AND (kind = ANY (ARRAY['payment_request'::text, 'qr'::text])))

table request_word_marks
  account_id text not null
  seal_no integer not null
  constraint request_word_marks_pkey PRIMARY KEY (account_id)

table request_words
  account_id text not null
  kind text not null
  id bigint not null
  words tsvector not null
  constraint request_words_kind_check CHECK ((kind = ANY (ARRAY['payment_request'::text, 'debit_request'::text, 'card_debit_request'::text, 'qr'::text])))
  constraint request_words_pkey PRIMARY KEY (account_id, kind, id)
  CREATE INDEX request_words_found ON public.request_words USING gin (words) WITH (gin_pending_list_limit='1024')

table requests
  account_id text not null
  id bigint not null
  kind text not null
  state text not null
  state_comment text
  version integer not null
  created_at timestamp with time zone not null
  reference text
  payer text not null
  description text not null
  due1 date not null
  total1 bigint not null
  due2 date
  total2 bigint
  last_due date not null
  code text
  mandate_id bigint
  details json not null
  place bigint not null
  constraint requests_pkey PRIMARY KEY (account_id, id)
  constraint requests_state_check CHECK (
CASE kind
    WHEN 'payment_request'::text THEN (state = ANY (ARRAY['pending'::text, 'paid'::text, 'expired'::text, 'reverted'::text, 'refunded'::text]))
    WHEN 'qr'::text THEN (state = ANY (ARRAY['pending'::text, 'paid'::text, 'expired'::text, 'deleted'::text, 'refunded'::text]))
    WHEN 'debit_request'::text THEN (state = ANY (ARRAY['pending'::text, 'in_process'::text, 'paid'::text, 'rejected'::text, 'canceled'::text, 'reverted'::text, 'refunded'::text]))
    WHEN 'card_debit_request'::text THEN (state = ANY (ARRAY['pending'::text, 'in_process'::text, 'paid'::text, 'rejected'::text, 'canceled'::text, 'reverted'::text, 'refunded'::text]))
    ELSE false
END)
  constraint requests_total1_check CHECK ((total1 > 0))
  CREATE INDEX requests_by_id ON public.requests USING btree (id)
  CREATE INDEX requests_by_mandate ON public.requests USING btree (account_id, mandate_id) WHERE (mandate_id IS NOT NULL)
  CREATE INDEX requests_by_place ON public.requests USING btree (account_id, kind, place, id)
  CREATE INDEX requests_by_second_due ON public.requests USING btree (account_id, last_due, id) WHERE ((due2 IS NOT NULL) AND (kind = 'payment_request'::text))
  CREATE INDEX requests_list_created ON public.requests USING btree (account_id, kind, created_at, id) WHERE (kind <> 'qr'::text)
  CREATE INDEX requests_list_due ON public.requests USING btree (account_id, kind, due1, id) WHERE (kind <> 'qr'::text)
  CREATE INDEX requests_list_payer ON public.requests USING btree (account_id, kind, public.folded(payer), id) WHERE (kind <> 'qr'::text)
  CREATE INDEX requests_list_reference ON public.requests USING btree (account_id, kind, reference, id) WHERE ((reference IS NOT NULL) AND (kind <> 'qr'::text))
  CREATE INDEX requests_list_second_total ON public.requests USING btree (account_id, kind, total2, id) WHERE ((total2 IS NOT NULL) AND (kind <> 'qr'::text))
  CREATE INDEX requests_list_total ON public.requests USING btree (account_id, kind, total1, id) WHERE (kind <> 'qr'::text)
  CREATE UNIQUE INDEX requests_by_code ON public.requests USING btree (account_id, code) WHERE (code IS NOT NULL)
  revoke delete, truncate from owner

table results
  account_id text not null
  id bigint not null
  request_id bigint not null
  kind text not null
  type text not null
  reverses_id bigint
  source text not null
  source_ref text not null
  channel text not null
  channel_label text not null
  amount bigint not null
  net_fee bigint not null default 0
  fee_iva bigint not null default 0
  withheld bigint not null default 0
  unreleased bigint not null default 0
  refunded bigint not null default 0
  refunding bigint not null default 0
  charged_back bigint not null default 0
  paid_at timestamp with time zone not null
  informed_at timestamp with time zone not null
  informed_on date not null
  available_on date
  released_on date
  promised_on date
  reference text
  payer text not null
  description text not null
  details json not null
  stamp bytea
  constraint results_amount_check CHECK ((amount > 0))
  constraint results_check CHECK (((refunded >= 0) AND (refunded <= amount)))
  constraint results_check1 CHECK (((charged_back = 0) OR (charged_back = amount)))
  constraint results_kind_check CHECK ((kind = ANY (ARRAY['payment_request'::text, 'debit_request'::text, 'card_debit_request'::text, 'qr'::text])))
  constraint results_pkey PRIMARY KEY (account_id, id)
  constraint results_promised_check CHECK (((promised_on IS NULL) OR ((available_on IS NOT NULL) AND (promised_on <> available_on))))
  constraint results_refunding_check CHECK ((refunding >= 0))
  constraint results_type_check CHECK ((type = ANY (ARRAY['collected'::text, 'rejected'::text, 'chargeback'::text, 'refund'::text])))
  CREATE INDEX results_by_channel ON public.results USING btree (account_id, kind, channel, request_id) WHERE (type = 'collected'::text)
  CREATE INDEX results_by_day ON public.results USING btree (account_id, informed_on, type, id)
  CREATE INDEX results_of_request ON public.results USING btree (account_id, request_id, informed_at)
  CREATE INDEX results_refused ON public.results USING btree (account_id, request_id, informed_at) WHERE ((type = 'rejected'::text) AND (source = 'attempt'::text))
  CREATE INDEX results_to_come ON public.results USING btree (account_id, available_on) INCLUDE (unreleased) WHERE ((type = 'collected'::text) AND (released_on IS NULL))
  CREATE INDEX results_to_release ON public.results USING btree (available_on) WHERE ((type = 'collected'::text) AND (released_on IS NULL))
  CREATE UNIQUE INDEX results_once ON public.results USING btree (account_id, source, source_ref)
  revoke delete, truncate from owner

table saved_filters
  account_id text not null
  user_id bigint not null
  list text not null
  name text not null
  query text not null
  created_at timestamp with time zone not null
  constraint saved_filters_list_check CHECK ((list = 'requests'::text))
  constraint saved_filters_pkey PRIMARY KEY (account_id, user_id, list, name)

table seal_keys
  id text not null
  vault_key_id text not null
  ciphertext bytea not null
  retired_at timestamp with time zone not null
  constraint seal_keys_pkey PRIMARY KEY (id)

table seal_links
  account_id text not null
  no integer not null
  key_id text not null
  sealed_at timestamp with time zone not null
  hash bytea not null
  constraint seal_links_pkey PRIMARY KEY (account_id, no)
  revoke delete, truncate, update from owner

table seal_marks
  account_id text not null
  next_xid bigint not null
  restored_id bigint not null default 0
  constraint seal_marks_pkey PRIMARY KEY (account_id)

table seals
  account_id text not null
  no integer not null
  kind text not null
  keys text[] not null
  digests bytea[] not null
  constraint seals_check CHECK ((cardinality(keys) = cardinality(digests)))
  constraint seals_pkey PRIMARY KEY (account_id, no)
  revoke delete, truncate, update from owner

table service_keys
  purpose text not null
  no integer not null
  vault_key_id text
  ciphertext bytea
  used_from timestamp with time zone not null
  replaced_at timestamp with time zone
  look_at timestamp with time zone
  retired_at timestamp with time zone
  constraint service_keys_check CHECK (((ciphertext IS NULL) = (retired_at IS NOT NULL)))
  constraint service_keys_check1 CHECK (((ciphertext IS NULL) = (vault_key_id IS NULL)))
  constraint service_keys_check2 CHECK (((look_at IS NULL) = ((replaced_at IS NULL) OR (retired_at IS NOT NULL))))
  constraint service_keys_no_check CHECK ((no > 0))
  constraint service_keys_pkey PRIMARY KEY (purpose, no)
  constraint service_keys_purpose_check CHECK ((purpose = ANY (ARRAY['links'::text, 'webhooks'::text])))

table settlement_lines
  connector text not null
  name text not null
  payout_id bigint not null
  kind text not null
  attempt text
  trx text
  account_id text
  attempt_id bigint
  is_part boolean not null
  gross bigint not null
  fee bigint not null
  net bigint not null
  constraint settlement_lines_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'refund'::text, 'chargeback'::text, 'returned'::text, 'other'::text])))
  constraint settlement_lines_pkey PRIMARY KEY (connector, name)
  CREATE INDEX settlement_lines_of_charges ON public.settlement_lines USING btree (connector, account_id, attempt_id) WHERE (attempt_id IS NOT NULL)
  CREATE INDEX settlement_lines_of_payments ON public.settlement_lines USING btree (connector, trx) WHERE ((trx IS NOT NULL) AND (attempt_id IS NULL))
  CREATE INDEX settlement_lines_of_payouts ON public.settlement_lines USING btree (payout_id, name)
  revoke delete, truncate from owner

table settlement_payouts
  id bigint not null
  connector text not null
  name text not null
  paid_on date not null
  net bigint not null
  heard_at timestamp with time zone not null
  compared_at timestamp with time zone
  lines integer not null default 0
  gross bigint not null default 0
  fee bigint not null default 0
  listed bigint not null default 0
  matched bigint not null default 0
  elsewhere bigint not null default 0
  faults integer not null default 0
  constraint settlement_payouts_connector_name_key UNIQUE (connector, name)
  constraint settlement_payouts_pkey PRIMARY KEY (id)
  revoke delete, truncate from owner

table simulated_charges
  account_id text not null
  attempt_id bigint not null
  amount bigint not null
  digest text not null
  token text
  outcome json not null
  answers_at timestamp with time zone not null
  reverses_at timestamp with time zone
  reversed boolean not null default false
  constraint simulated_charges_pkey PRIMARY KEY (account_id, attempt_id)
  CREATE INDEX simulated_charges_to_reverse ON public.simulated_charges USING btree (reverses_at) WHERE ((reverses_at IS NOT NULL) AND (NOT reversed))
  CREATE UNIQUE INDEX simulated_charges_token ON public.simulated_charges USING btree (account_id, token) WHERE (token IS NOT NULL)

table simulated_refunds
  account_id text not null
  refund_id bigint not null
  attempt_id bigint not null
  amount bigint not null
  digest text not null
  outcome json not null
  answers_at timestamp with time zone not null
  constraint simulated_refunds_pkey PRIMARY KEY (account_id, refund_id)
  CREATE INDEX simulated_refunds_of ON public.simulated_refunds USING btree (account_id, attempt_id)

table simulated_reversals
  account_id text not null
  source_ref text not null
  request_id bigint not null
  reverses_at timestamp with time zone not null
  reversed boolean not null default false
  constraint simulated_reversals_pkey PRIMARY KEY (account_id, source_ref)
  CREATE INDEX simulated_reversals_due ON public.simulated_reversals USING btree (reverses_at) WHERE (NOT reversed)

table static_qrs
  account_id text not null
  id text not null
  number bigint not null
  open_amount boolean not null
  multiple_payment boolean not null
  name text not null
  city text not null
  postal_code text
  description text not null
  payer text not null
  payload text not null
  created_at timestamp with time zone not null
  constraint static_qrs_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX static_qrs_by_number ON public.static_qrs USING btree (account_id, number)

table static_transactions
  account_id text not null
  id bigint not null
  static_id text not null
  expires_at timestamp with time zone not null
  open boolean not null
  constraint static_transactions_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX static_transactions_of ON public.static_transactions USING btree (account_id, static_id, expires_at)
  CREATE INDEX static_transactions_open ON public.static_transactions USING btree (account_id, static_id) WHERE open
  CREATE INDEX static_transactions_to_expire ON public.static_transactions USING btree (expires_at) WHERE open

table suspense
  account_id text not null
  id bigint not null
  state text not null
  reason text not null
  source text not null
  source_ref text not null
  channel text not null
  channel_label text not null
  code text not null
  amount bigint not null
  paid_at timestamp with time zone not null
  informed_at timestamp with time zone not null
  to_account_id text
  to_request_id bigint
  resolved_at timestamp with time zone
  note text
  stamp bytea
  constraint suspense_account_id_source_source_ref_key UNIQUE (account_id, source, source_ref)
  constraint suspense_amount_check CHECK ((amount > 0))
  constraint suspense_pkey PRIMARY KEY (account_id, id)
  constraint suspense_state_check CHECK ((state = ANY (ARRAY['open'::text, 'assigned'::text, 'returned'::text, 'reversed'::text])))
  CREATE INDEX suspense_open ON public.suspense USING btree (account_id, id) WHERE (state = 'open'::text)
  revoke delete, truncate from owner

table sweep_runs
  name text not null
  ran_at timestamp with time zone
  took_ms integer
  moved integer
  failed_at timestamp with time zone
  error text
  constraint sweep_runs_pkey PRIMARY KEY (name)

table transfer_accounts
  account_id text not null
  request_id bigint not null
  connector text not null
  cvu text not null
  opened_at timestamp with time zone not null
  constraint transfer_accounts_cvu_check CHECK ((cvu ~ '^[0-9]{22}$'::text))
  constraint transfer_accounts_pkey PRIMARY KEY (account_id, request_id, connector)
  CREATE UNIQUE INDEX transfer_accounts_cvu ON public.transfer_accounts USING btree (cvu)

table unwanted_approvals
  account_id text not null
  attempt_id bigint not null
  request_id bigint not null
  why text
  state text not null default 'noted'::text
  look_at timestamp with time zone
  stamp bytea
  constraint unwanted_approvals_check CHECK (((look_at IS NULL) = (state = ANY (ARRAY['returned'::text, 'kept'::text]))))
  constraint unwanted_approvals_pkey PRIMARY KEY (account_id, attempt_id)
  constraint unwanted_approvals_state_check CHECK ((state = ANY (ARRAY['noted'::text, 'returning'::text, 'returned'::text, 'kept'::text])))
  constraint unwanted_approvals_why_check CHECK ((why = ANY (ARRAY['late'::text, 'paid_otherwise'::text, 'excluded'::text])))
  CREATE INDEX unwanted_approvals_of_request ON public.unwanted_approvals USING btree (account_id, request_id)
  CREATE INDEX unwanted_approvals_to_look_at ON public.unwanted_approvals USING btree (look_at) WHERE (look_at IS NOT NULL)
  revoke delete, truncate from owner

table user_accesses
  id bigint not null
  fold bytea not null
  kind text not null
  account_id text
  user_id bigint
  address text not null
  detail text not null
  first_at timestamp with time zone not null
  last_at timestamp with time zone not null
  count integer not null
  constraint user_accesses_fold_key UNIQUE (fold)
  constraint user_accesses_kind_check CHECK ((kind = ANY (ARRAY['sign_in_failed'::text, 'sign_in_waits'::text, 'factor_failed'::text, 'act_refused'::text, 'file_taken'::text])))
  constraint user_accesses_pkey PRIMARY KEY (id)
  CREATE INDEX user_accesses_by_time ON public.user_accesses USING btree (last_at)
  CREATE INDEX user_accesses_of_account ON public.user_accesses USING btree (account_id, id) WHERE (account_id IS NOT NULL)
  CREATE INDEX user_accesses_of_user ON public.user_accesses USING btree (user_id, id) WHERE (user_id IS NOT NULL)

table user_challenges
  session_id bigint not null
  purpose text not null
  challenge bytea not null
  expires_at timestamp with time zone not null
  constraint user_challenges_pkey PRIMARY KEY (session_id, purpose)
  constraint user_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['add'::text, 'show'::text])))
  CREATE INDEX user_challenges_by_time ON public.user_challenges USING btree (expires_at)

table user_devices
  user_id bigint not null
  hash bytea not null
  created_at timestamp with time zone not null
  seen_at timestamp with time zone not null
  constraint user_devices_pkey PRIMARY KEY (user_id, hash)

table user_identities
  issuer text not null
  subject text not null
  user_id bigint not null
  linked_at timestamp with time zone not null
  constraint user_identities_pkey PRIMARY KEY (issuer, subject)
  constraint user_identities_user_id_issuer_key UNIQUE (user_id, issuer)

table user_links
  account_id text not null
  id bigint not null
  user_id bigint not null
  kind text not null
  created_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  used_at timestamp with time zone
  constraint user_links_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'reset'::text])))
  constraint user_links_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX user_links_invitations ON public.user_links USING btree (account_id, user_id, created_at) WHERE (kind = 'invitation'::text)
  CREATE INDEX user_links_of_user ON public.user_links USING btree (user_id, created_at)

table user_passkeys
  user_id bigint not null
  id bigint not null
  credential_id bytea not null
  public_key bytea not null
  counter bigint not null
  transports text[] not null
  name text not null
  created_at timestamp with time zone not null
  used_at timestamp with time zone
  constraint user_passkeys_credential_id_key UNIQUE (credential_id)
  constraint user_passkeys_pkey PRIMARY KEY (user_id, id)

table user_recovery_codes
  user_id bigint not null
  hash bytea not null
  used_at timestamp with time zone
  constraint user_recovery_codes_pkey PRIMARY KEY (user_id, hash)

table user_sessions
  hash bytea not null
  id bigint not null
  user_id bigint not null
  created_at timestamp with time zone not null
  seen_at timestamp with time zone not null
  proved_at timestamp with time zone not null
  factor_due boolean not null default false
  address text not null
  user_agent text not null
  provider_factor boolean not null default false
  constraint user_sessions_pkey PRIMARY KEY (hash)
  CREATE INDEX user_sessions_of_user ON public.user_sessions USING btree (user_id, created_at)

table user_tries
  subject bytea not null
  tries integer not null
  since timestamp with time zone not null
  person bytea
  constraint user_tries_pkey PRIMARY KEY (subject)
  CREATE INDEX user_tries_by_time ON public.user_tries USING btree (since)
  CREATE INDEX user_tries_of_person ON public.user_tries USING btree (person) WHERE (person IS NOT NULL)

table users
  id bigint not null
  email text not null
  email_key text not null
  name text not null
  lang text not null
  state text not null
  service_role text
  password_hash text
  former_hashes text[] not null default '{}'::text[]
  totp_key_id text
  totp_ciphertext bytea
  totp_since timestamp with time zone
  totp_step bigint not null default 0
  created_at timestamp with time zone not null
  version integer not null default 1
  constraint users_check CHECK ((num_nulls(totp_key_id, totp_ciphertext) = ANY (ARRAY[0, 2])))
  constraint users_check1 CHECK (((totp_since IS NULL) OR (totp_ciphertext IS NOT NULL)))
  constraint users_email_key_key UNIQUE (email_key)
  constraint users_lang_check CHECK ((lang = ANY (ARRAY['es'::text, 'en'::text])))
  constraint users_pkey PRIMARY KEY (id)
  constraint users_service_role_check CHECK ((service_role = ANY (ARRAY['operator'::text, 'operator_read_only'::text])))
  constraint users_state_check CHECK ((state = ANY (ARRAY['invited'::text, 'active'::text, 'suspended'::text])))

table webhooks
  account_id text not null
  id bigint not null
  url text not null
  event_types smallint[] not null
  only_entity text
  only_entity_id text
  secret_no integer not null default 1
  secret_key_no integer not null default 1
  previous_key_no integer
  rotated_at timestamp with time zone
  created_at timestamp with time zone not null
  deleted_at timestamp with time zone
  failures integer not null default 0
  pauses integer not null default 0
  paused_until timestamp with time zone
  held_at timestamp with time zone
  resumed_at timestamp with time zone
  holds integer not null default 0
  due_at timestamp with time zone
  constraint webhooks_check CHECK (((only_entity IS NULL) = (only_entity_id IS NULL)))
  constraint webhooks_event_types_check CHECK ((cardinality(event_types) > 0))
  constraint webhooks_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX webhooks_due ON public.webhooks USING btree (due_at) WHERE (due_at IS NOT NULL)
  CREATE INDEX webhooks_of_account ON public.webhooks USING btree (account_id) WHERE ((only_entity IS NULL) AND (deleted_at IS NULL))
  CREATE INDEX webhooks_to_forget ON public.webhooks USING btree (COALESCE(deleted_at, created_at)) WHERE ((only_entity IS NOT NULL) OR (deleted_at IS NOT NULL))
  CREATE UNIQUE INDEX webhooks_once ON public.webhooks USING btree (account_id, only_entity, only_entity_id) WHERE (only_entity IS NOT NULL)

table withholding_rates
  cuit text not null
  regime text not null
  jurisdiction text not null
  valid_from date not null
  valid_to date
  rate_ppm integer not null
  known_since timestamp with time zone not null default '-infinity'::timestamp with time zone
  constraint withholding_rates_pkey PRIMARY KEY (cuit, regime, jurisdiction, valid_from)
  constraint withholding_rates_rate_ppm_check CHECK (((rate_ppm >= 0) AND (rate_ppm <= 1000000)))

table withholdings
  account_id text not null
  result_id bigint not null
  no smallint not null
  request_id bigint not null
  regime text not null
  jurisdiction text not null
  base bigint not null
  rate_ppm integer not null
  amount bigint not null
  certificate text not null
  informed_on date not null
  constraint withholdings_pkey PRIMARY KEY (account_id, result_id, no)
  CREATE INDEX withholdings_by_day ON public.withholdings USING btree (account_id, informed_on, result_id, no)
  CREATE INDEX withholdings_by_request ON public.withholdings USING btree (account_id, request_id)
  revoke delete, truncate, update from owner
