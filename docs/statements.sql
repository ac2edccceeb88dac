-- Every statement of the source, by file; written by `npm run docs`.

-- src/accounts/account.ts

insert into accounts (id, name, cuit, city, created_at)
values (${account.id}, ${account.name}, ${account.cuit}, ${account.city},
  ${account.created_at}::timestamptz)
on conflict (id) do nothing returning id

select id, name, cuit, city, state, created_at, coalesce(look, '{}') as look
from accounts where id = ${id}

select id, name, cuit, city, state, created_at, coalesce(look, '{}') as look
from accounts order by created_at, id

-- src/accounts/appearance/asked.ts

select asked_look as asked from accounts where id = ${accountId}

select id as account_id, name, asked_look as asked from accounts
where asked_look is not null and state <> 'closed'
order by (asked_look->>'id')::bigint limit ${limit}

select content from account_logos where account_id = ${accountId} and hash = ${hash}

-- src/accounts/appearance/change.ts

insert into account_logos (account_id, hash, kind, content, shown)
values (${accountId}, ${hash}, ${picture.kind}, ${picture.content}, false)
on conflict do nothing

update account_logos set shown = true
where account_id = ${accountId} and hash = ${shown} and not shown

delete from account_logos where account_id = ${accountId} and not shown
and hash <> ${wanted}

delete from account_logos where account_id = ${accountId} and not shown

delete from account_logos where account_id = ${accountId} and shown
and hash <> all(${…}::text[])

select name, state, look, asked_look as asked from accounts
where id = ${accountId} for no key update

update accounts set name = ${name}, look = ${JSON.stringify(…)}::text::jsonb,
  asked_look = ${…}::text::jsonb, version = version + 1
where id = ${accountId} returning version

select content from account_logos where account_id = ${accountId} and hash = ${hash} and shown

-- src/accounts/authenticate.ts

select wanted.no::int as no, k.id, k.account_id, k.prefix, k.permissions, k.expires_at,
  k.revoked_at, a.state as account_state
from unnest(${hashes}::bytea[]) with ordinality as wanted (hash, no)
join api_keys k using (hash)
join accounts a on a.id = k.account_id

select wanted.no::int as no, k.id, k.account_id, k.prefix, k.permissions, k.expires_at,
  k.revoked_at
from unnest(${hashes}::bytea[]) with ordinality as wanted (hash, no)
join api_keys k using (hash)

select id, state from accounts where id = any(${owners}::text[])

update api_keys k set last_used_at = u.at
from unnest(
  ${seen.map(…)}::text[], ${seen.map(…)}::bigint[],
  ${seen.map(…)}::timestamptz[]
) as u (account_id, id, at)
where k.account_id = u.account_id and k.id = u.id
  and (k.last_used_at is null or k.last_used_at < u.at)

-- src/accounts/calls/find.ts

c.request_id = ${text}::uuid

position(lower(${text}) in lower(c.path)) > 0

c.status >= ${status} and c.status < ${…}

c.status = ${status}

c.method = ${f.method}

c.key_id = ${f.keyId}

c.at >= ${f.from}::timestamptz

c.at < ${f.before}::timestamptz

c.ms >= ${f.slowerThanMs}

(c.at, c.request_id) < (${after.at}::timestamptz, ${after.requestId}::uuid)

c.account_id = ${accountId}

select c.at, c.request_id, c.method, c.path, c.status, c.ms, c.key_id, k.name, k.prefix
from (
  select * from api_calls c where ${allOf(…)}
  order by c.at desc, c.request_id desc limit ${limit}
) as c
left join api_keys k on k.account_id = c.account_id and k.id = c.key_id
order by c.at desc, c.request_id desc

select coalesce(sum(calls), 0)::bigint as calls from api_calls_left_out
where account_id = ${accountId}
  ${…}
  ${…}

and at > ${from.subtract(…)}::timestamptz

and at < ${before}::timestamptz

-- src/accounts/calls/store.ts

copy api_calls (account_id, at, request_id, method, path, status, ms, key_id) from stdin

insert into api_calls_left_out as l (account_id, at, calls)
select account_id, ${minute}::timestamptz, calls
from unnest(${…}::text[], ${…}::bigint[])
  as one (account_id, calls) order by account_id
on conflict (account_id, at) do update set calls = l.calls + excluded.calls

delete from api_calls_left_out l using ${everyAccount(…)}
where l.account_id = a.account_id and l.at < ${moment}::timestamptz

delete from api_calls c using (
  select old.account_id, old.at, old.request_id from ${everyAccount(…)}
  cross join lateral (
    select account_id, at, request_id from api_calls
    where account_id = a.account_id and at < ${moment}::timestamptz
    order by at limit ${clearedAtOnce}
  ) as old limit ${clearedAtOnce}
) as old
where c.account_id = old.account_id and c.at = old.at and c.request_id = old.request_id

delete from api_calls where account_id = ${accountId} and (at, request_id) <= (
select at, request_id from api_calls where account_id = ${accountId}
order by at desc, request_id desc offset ${most} limit 1)

-- src/accounts/connector-settings.ts

select settings #>> array['connectors', ${connector}::text] as own
from accounts where id = ${accountId}

update accounts set version = version + 1,
  settings = jsonb_set(settings, '{connectors}', coalesce(settings->'connectors', '{}'::jsonb)
    || ${JSON.stringify(…)}::text::jsonb)
where id = ${accountId} returning version

-- src/accounts/find.ts

select 1 from accounts limit 2

state = ${state}

(id = ${text.toUpperCase(…)} or cuit = ${text.replaceAll(…)}
or position(folded(${text}) in folded(name)) > 0)

(lower(name), id) > (select lower(name), id from accounts where id = ${behind})

select id, name, cuit, city, state, created_at from accounts
where ${where} order by lower(name), id limit ${limit}

-- src/accounts/keys.ts

select state from accounts where id = ${accountId} for no key update

select count(*)::int as count from api_keys
where account_id = ${accountId} and revoked_at is null
  and (expires_at is null or expires_at > ${now}::timestamptz)

insert into api_keys (hash, account_id, id, name, prefix, permissions, created_at, expires_at)
values (${hashKey(…)}, ${input.accountId}, ${id}, ${input.name},
  ${key.slice(…)}, ${input.permissions}::text[], ${now}::timestamptz,
  ${input.expiresAt}::timestamptz)
on conflict do nothing returning id

select id, account_id, name, prefix, permissions, created_at, expires_at, revoked_at,
  last_used_at
from api_keys where account_id = ${accountId} order by id

select revoked_at from api_keys where account_id = ${accountId} and id = ${id} for update

update api_keys set revoked_at = ${acting.clocks.wall.now(…)}::timestamptz
where account_id = ${accountId} and id = ${id}

-- src/accounts/payout-cbu.ts

payout_cbu, next_payout_cbu, next_payout_cbu_at

select ${columns(…)} from accounts where id = ${accountId}

select state, ${columns(…)} from accounts where id = ${accountId} for no key update

update accounts set next_payout_cbu = ${cbu}, next_payout_cbu_at = ${at}::timestamptz,
  version = version + 1
where id = ${accountId} returning version

update accounts set next_payout_cbu = null, next_payout_cbu_at = null, version = version + 1
where id = ${accountId} returning version

select id from accounts where next_payout_cbu_at <= ${now}::timestamptz ${withinReach(…)}
order by next_payout_cbu_at limit ${atOnce}

update accounts set payout_cbu = next_payout_cbu, next_payout_cbu = null,
  next_payout_cbu_at = null, version = version + 1
where id = ${accountId} and next_payout_cbu_at <= ${now}::timestamptz
returning version, payout_cbu

-- src/accounts/relations.ts

join accounts a on a.id = ${sql(…)}.account_id
${…}

select cuit from accounts where id = ${accountId}

(select coalesce((settings->>'returns_late_approvals')::boolean, false)
from accounts where id = ${accountId})

(select id as account_id from accounts) as a

(select id as account_id from accounts where state = 'closed') as a

a.state = 'active'

update accounts set version = version + 1 where id = ${accountId} returning version

-- src/accounts/settings.ts

(settings->>'letters_a_day')::int as letters_a_day,
(settings->>'letters_a_minute')::int as letters_a_minute,
(settings->>'unsigned_mandates')::int as unsigned_mandates

select ${limitColumns(…)} from accounts where id = ${accountId}

select payout_cbu, coalesce((settings->>'returns_fees')::boolean, false) as returns_fees,
  coalesce((settings->>'refunds_below_zero')::boolean, false) as refunds_below_zero,
  coalesce((settings->>'returns_late_approvals')::boolean, false) as returns_late_approvals,
  (settings->>'refund_approval_above')::bigint as refund_approval_above,
  (settings->>'card_cut_day')::int as card_cut_day, ${limitColumns(…)}
from accounts where id = ${accountId}

select name from accounts where id = ${accountId}

update accounts set version = version + 1, name = ${name}, payout_cbu = ${after.payout_cbu},
  next_payout_cbu = case when ${keeps}::boolean then next_payout_cbu end,
  next_payout_cbu_at = case when ${keeps}::boolean then next_payout_cbu_at end,
  settings = jsonb_strip_nulls(settings || jsonb_build_object(
    'returns_fees', ${after.returns_fees}::boolean,
    'refunds_below_zero', ${after.refunds_below_zero}::boolean,
    'returns_late_approvals', ${after.returns_late_approvals}::boolean,
    'refund_approval_above', ${after.refund_approval_above}::bigint,
    'card_cut_day', ${after.card_cut_day}::int,
    'letters_a_day', ${after.letters_a_day}::int,
    'letters_a_minute', ${after.letters_a_minute}::int,
    'unsigned_mandates', ${after.unsigned_mandates}::int))
where id = ${accountId} returning version

select name from accounts where id = ${accountId} for no key update

update accounts set name = ${name}, version = version + 1 where id = ${accountId}
returning version

-- src/accounts/standing.ts

select state from accounts where id = ${accountId} for no key update

update accounts set state = ${to}, version = version + 1 where id = ${accountId}
returning version

select state, payout_cbu, settings from accounts where id = ${accountId} for no key update

select state from accounts where id = ${accountId}

-- src/audit/mistaken.ts

select ${accountId}::text, ${Number(…)}::bigint

-- src/calendar/store.ts

select day, kind from calendar_days order by day

insert into calendar_days (day, kind) values (${day}::date, ${kind})
on conflict (day) do update set kind = excluded.kind

delete from calendar_days where day = ${day}::date

select day from calendar_days
union
select entity_id::date from ${operatorEventsOf(…)}

select kind from calendar_days where day = ${day}::date

with last as (
  select distinct on (entity_id) entity_id::date as day, data->>'kind' as kind
  from ${operatorEventsOf(…)} order by entity_id, id desc
)
select day::text as day, d.kind, last.kind as told
from calendar_days d full join last using (day)
where d.kind is distinct from last.kind order by day limit 100

-- src/cli/doctor.ts

select format('%s:%s', nodename, nodeport) as node from run_command_on_workers('select 1')
where not success order by 1

-- src/composition/measures.ts

select 1

-- src/connectors/letters.ts

id, connector, body, fault, heard_at, state, decided_at, decided_by, note

select ${columns(…)} from connector_letters
where id > ${after} ${…} order by id limit ${limit}

and state = 'open'

select ${columns(…)} from connector_letters where id = ${id}

update connector_letters set state = ${state}, note = ${note},
  decided_at = ${clocks.business.now(…)}::timestamptz, decided_by = ${actorText(…)}
where id = ${id} and state = 'open' returning id

-- src/connectors/reconcile/store.ts

insert into reconciliations (connector, day, at, charges, transfers, recorded)
values (${connector}, ${day}::date, ${acting.clocks.business.now(…)}::timestamptz, ${charges},
  ${transfers}, ${recorded.length})
on conflict (connector, day) do update set at = excluded.at, charges = excluded.charges,
  transfers = excluded.transfers, recorded = excluded.recorded

delete from reconciliation_findings where connector = ${connector} and day = ${day}::date

insert into reconciliation_findings (connector, day, no, account_id, what)
select ${connector}, ${day}::date, no, account_id, what from unnest(
  ${findings.map(…)}::text[], ${findings.map(…)}::text[]
) with ordinality as finding (account_id, what, no)

-- src/connectors/reconciled.ts

select connector, day, what from reconciliation_findings where account_id = ${accountId}
order by day, connector, no limit 100

-- src/connectors/replay.ts

with kept as (
  insert into connector_letters (id, connector, digest, body, fault, heard_at, state)
  values (${id}, ${connector}, ${digest}, ${body}, ${fault},
    ${clocks.business.now(…)}::timestamptz, 'open')
  on conflict (connector, digest) do nothing returning id
),
${writeOperatorEvent(…)}
select id from kept

-- src/connectors/store.ts

insert into connector_alarms as a (connector, channel, kind, message, first_at, last_at,
  off_until)
values (${alarm.connector}, ${alarm.channel}, ${alarm.kind}, ${alarm.message},
  ${alarm.at}::timestamptz, ${alarm.at}::timestamptz, ${alarm.offUntil}::timestamptz)
on conflict (connector, channel, kind) do update set message = excluded.message,
  times = a.times + 1, last_at = greatest(a.last_at, excluded.last_at),
  off_until = greatest(a.off_until, excluded.off_until)

select connector, channel, kind, message, times, first_at, last_at, off_until
from connector_alarms order by last_at, connector, channel, kind

delete from connector_alarms where connector = ${connector} returning kind

select connector, channel, max(off_until) as off_until from connector_alarms
where off_until > ${now}::timestamptz group by connector, channel

with forgotten as (
  delete from connector_calls where (connector, id) in (
    select connector, id from connector_calls where until < ${now} limit 100
    for update skip locked)
)
insert into connector_calls (connector, id, until) values (${connector}, ${id}, ${until})
on conflict do nothing returning id

-- src/debit-requests/cancel.ts

with step as (
  select ${ctx.accountId}::text as account_id, ${id}::bigint as request_id,
    ${kind}::text as kind, ${eventId}::bigint as event_id, null::text as data,
    ${stepTerms(…)}
),
${moveRequests(…)}
select 1

-- src/debit-requests/erase-cards.ts

select count(*) filter (where r.state in ('pending', 'in_process'))::int as undecided,
  max(d.run_on) filter (where r.state = 'paid') as last_paid_run
from ${requestsOfKind(…)}
left join debit_runs d on d.account_id = r.account_id and d.request_id = r.id
  and d.state <> 'waiting'
where r.account_id = ${accountId} and r.mandate_id = ${id}

-- src/debit-requests/runs/abandon.ts

select second.account_id, second.request_id, second.no, first.code,
  m.state_comment as ended
from debit_runs second
join debit_runs first on first.account_id = second.account_id
  and first.request_id = second.request_id and first.no = 1
${joinRequests(…)} ${joinMandates(…)}
where m.state = 'canceled'
  and second.no = 2 and second.state = 'waiting' and second.submit_on <= ${today}::date
order by second.account_id, second.request_id limit ${atOnce}

-- src/debit-requests/runs/charge.ts

(select d.account_id, d.request_id, d.no, d.attempt_id, result.id is not null as is_told,
  d.orders, d.tried_on,
  result.details->'payment_metadata'->>'network_transaction_id' as network_id,
  case when d.attempt_id is null then d.look_at end as look_at, d.run_on
from debit_runs d
left join ${attemptsDone(…)} on attempt.account_id = d.account_id and attempt.id = d.attempt_id
left join ${resultFrom(…)}
where d.charged and d.state = 'submitted' and (d.attempt_id is null or attempt.id is not null)
) as due

update debit_runs set attempt_id = null, look_at = ${next}::timestamptz,
  orders = ${row.orders}, tried_on = ${day}::date
where account_id = ${row.account_id} and request_id = ${row.request_id} and no = ${row.no}
  and state = 'submitted' and attempt_id is not distinct from ${row.attempt_id}::bigint

update debit_runs set attempt_id = ${id}, look_at = null, orders = orders + 1,
  tried_on = coalesce(tried_on, ${today}::date)
where account_id = ${row.account_id} and request_id = ${row.request_id} and no = ${row.no}
  and state = 'submitted' and attempt_id is null and orders < ${mostOrders} returning 1

select account_id, request_id, no, attempt_id, is_told, orders, tried_on,
  network_id
from ${dueRuns(…)} where ${where}
order by account_id, request_id, no limit ${atOnce}

account_id = ${row.account_id} and request_id = ${row.request_id} and no = ${row.no}
and attempt_id is not null

select min(run_on) filter (where look_at is null) as on, min(look_at) as at
from ${dueRuns(…)}

run_on <= ${dayOf(…)}::date and (look_at is null or look_at <= ${now}::timestamptz)

-- src/debit-requests/runs/claim.ts

update debit_runs d set file_id = ${fileId}, instrument_no = m.instrument_no
from ${requestsOfKind(…)} ${joinMandates(…)}
where d.state = 'submitted' and d.file_id is null and d.code is null and d.kind = ${kind}
  and not d.charged
  and r.account_id = d.account_id and r.id = d.request_id and r.state = 'in_process'
  and (${wanted}::text[] is null or m.details->>'brand' = any(${wanted}::text[]))

update debit_runs d set file_id = null, instrument_no = null
from unnest(
  ${runs.map(…)}::bigint[], ${runs.map(…)}::smallint[]
) as released (request_id, no)
where d.file_id = ${fileId} and d.request_id = released.request_id and d.no = released.no

-- src/debit-requests/runs/days.ts

select state, amount from debit_runs
where account_id = ${accountId} and run_on = ${day} limit ${…}

select count(*)::int as runs, coalesce(sum(amount), 0)::bigint as amount,
  (count(*) filter (where state = 'waiting'))::int as waiting,
  (count(*) filter (where state = 'submitted'))::int as submitted,
  (count(*) filter (where state = 'done'))::int as done
from (${someOf(…)}) as counted

select run_on from debit_runs
where account_id = ${accountId} and run_on < ${day} order by run_on desc limit 1

with recursive days as (
  select first.run_on, 1 as no, of_day.*, of_day.runs as counted
  from (${dayBefore(…)}) as first
  cross join lateral (${counted(…)}) as of_day
  union all
  select earlier.run_on, days.no + 1, of_day.*, days.counted + of_day.runs
  from days
  cross join lateral (${dayBefore(…)}) as earlier
  cross join lateral (${counted(…)}) as of_day
  where days.no < ${limit} and days.counted < ${mostCounted}
)
select run_on as day, runs, amount, waiting, submitted, done, runs > ${mostCounted} as more
from days order by run_on desc

coalesce(${before}::date, 'infinity')

select 1 from debit_runs where account_id = ${accountId} and run_on = ${day}::date
offset ${than} limit 1

select r.state, count(*)::int as debits, sum(d.amount)::bigint as amount
from debit_runs d ${joinRequests(…)}
where d.account_id = ${accountId} and d.run_on = ${day}::date group by r.state

select distinct request_id from debit_runs
where account_id = ${accountId} and run_on = ${day}::date and request_id < ${…}
order by request_id desc limit ${most}

exists (
select from debit_runs d
where d.account_id = r.account_id and d.request_id = r.id and d.run_on = ${day}::date)

words_of('', r.id || ' ' || r.payer || ' ' || r.description || ' ' || coalesce(r.reference, ''))
@@ ${wordsOf(…).map(…).join(…)}::tsquery

select ${requestColumns(…)} from (
  select distinct account_id, request_id from debit_runs
  where account_id = ${accountId} and run_on = ${day}::date and kind = any(${…}::text[])
    and request_id < ${…}
) as d ${joinRequests(…)}
where ${…}
  and ${…}
order by r.id desc limit ${limit}

r.state = ${state}

select request_id, no, submit_on, run_on, amount, state, code, attempt_id from debit_runs
where account_id = ${accountId} and request_id = any(${…}::bigint[])
order by request_id, no

-- src/debit-requests/runs/evidence.ts

select d.request_id, d.no, d.state, coalesce(filed.id, charged.id) is not null as told
from debit_runs d
join requests q on q.account_id = d.account_id and q.id = d.request_id
left join results filed on filed.account_id = d.account_id
  and filed.source = ${runSource} and filed.source_ref = d.request_id || '/' || d.no
left join results charged on charged.account_id = d.account_id
  and charged.source = 'attempt' and charged.source_ref = d.attempt_id::text
left join debit_runs second
  on second.account_id = d.account_id and second.request_id = d.request_id and second.no > d.no
where d.account_id = ${accountId} and case d.state
  when 'done' then coalesce(filed.id, charged.id) is null and second.no is null
    and q.state not in ('canceled', 'paid', 'reverted', 'refunded')
  when 'waiting' then coalesce(filed.id, charged.id) is not null or second.no is not null or q.state = 'rejected'
  else d.state <> 'submitted' or second.no is not null or q.state not in ('in_process', 'paid', 'rejected', 'reverted', 'refunded')
end
order by d.request_id, d.no limit 100

select d.request_id, d.no from debit_runs d
left join (
  select request_id, count(*) as times from attempts
  where account_id = ${accountId} and channel = 'card_debit' group by request_id
) as charges on charges.request_id = d.request_id
where d.account_id = ${accountId} and (
  (d.orders > 0 and d.tried_on is null) or (d.tried_on is not null and not d.charged)
  or d.orders > coalesce(charges.times, 0))
order by d.request_id, d.no limit 100

select q.id, d.no from requests q
left join debit_runs d on d.account_id = q.account_id and d.request_id = q.id
where q.account_id = ${accountId} and q.kind in ('debit_request', 'card_debit_request')
  and (d.no is null or d.kind <> q.kind
    or d.amount is distinct from case d.no when 1 then q.total1 else q.total2 end
    or d.submit_on > d.run_on)
order by q.id, d.no limit 100

select d.request_id, d.no from debit_runs d
join requests q on q.account_id = d.account_id and q.id = d.request_id
left join mandates m on m.account_id = q.account_id and m.id = q.mandate_id
  and m.kind = case q.kind when 'debit_request' then 'adhesion' else 'card_adhesion' end
left join attempts a on a.account_id = d.account_id and a.id = d.attempt_id
where d.account_id = ${accountId} and (m.id is null
  or (d.charged and (not m.keeps_card or d.file_id is not null))
  or (d.attempt_id is not null and (not d.charged or a.request_id is distinct from d.request_id))
  or (d.file_id is null and d.instrument_no is not null)
  or d.instrument_no > m.instrument_no)
order by d.request_id, d.no limit 100

-- src/debit-requests/runs/relations.ts

(select * from debit_runs where state = 'submitted' and file_id is null
and not charged) as d

select d.account_id, d.request_id, d.no, greatest(d.run_on, ${date}::date) as run_on,
  d.amount, r.mandate_id, r.description, m.details->>'short_description' as short_description,
  m.details->>'holder_id_number' as document, ${instrumentColumns(…)}
from debit_runs d ${joinRequests(…)}
${joinMandates(…)} ${joinInstruments(…)}
where ${…}
order by d.account_id, d.request_id, d.no

d.state = 'submitted' and d.file_id is null and d.code is null and d.kind = ${kind}
and not d.charged

d.file_id = ${fileId}

select key.place::int as place, r.id, r.state, r.due2, r.total2, d.no, d.state as run_state,
  d.amount, d.instrument_no as put_to, ${namedMandateColumns(…)}
from unnest(
  ${named.map(…)}::bigint[], ${named.map(…)}::smallint[]
) with ordinality as key (request_id, no, place)
join ${requestsOfKind(…)} on r.id = key.request_id
join debit_runs d on d.account_id = r.account_id and d.request_id = r.id and d.no = key.no
${joinMandates(…)}

select d.account_id, d.no, d.kind,
  d.state = 'submitted' and d.file_id is null and d.code is null and not d.charged as waits
from debit_runs d ${joinRequests(…)}
where r.id = ${requestId} order by d.no desc limit 1

select kind, count(*)::int as debits, sum(amount)::bigint as total from debit_runs
where state = 'submitted' and file_id is null and code is null and not charged
group by kind order by kind

-- src/debit-requests/runs/runs.ts

select key.place::int as no, d.no as run_no, d.submit_on, d.run_on, d.amount as run_amount,
  d.state as run_state, d.instrument_no, ${requestColumns(…)}
from unnest(
  ${keys.map(…)}::text[], ${keys.map(…)}::bigint[],
  ${keys.map(…)}::smallint[]
) with ordinality as key (account_id, request_id, no, place)
join debit_runs d using (account_id, request_id, no)
${joinRequests(…)}

update debit_runs d set code = told.code
from unnest(
  ${told.map(…)}::text[], ${told.map(…)}::bigint[],
  ${told.map(…)}::smallint[], ${told.map(…)}::text[]
) as told (account_id, request_id, no, code)
where d.account_id = told.account_id and d.request_id = told.request_id and d.no = told.no
  and d.state = 'submitted'

select key.no::int as no, result.type, result.details->>'code' as code
from unnest(
  ${keys.map(…)}::text[],
  ${keys.map(…)}::text[]
) with ordinality as key (account_id, source_ref, no)
join ${resultFrom(…)}

select distinct on (key.no) key.no::int as no, result.id,
  result.charged_back = 0 as is_there
from unnest(
  ${keys.map(…)}::text[],
  ${keys.map(…)}::text[]
) with ordinality as key (account_id, source_ref, no)
join ${resultFrom(…)}
  and result.type = 'collected'
order by key.no, result.charged_back = 0 desc, result.source = ${runSource} desc

update debit_runs d set state = 'done'
from unnest(
  ${runs.map(…)}::text[], ${runs.map(…)}::bigint[],
  ${runs.map(…)}::smallint[]
) as ended (account_id, request_id, no)
where d.account_id = ended.account_id and d.request_id = ended.request_id and d.no = ended.no

with ended as (
  update debit_runs set state = 'done', code = ${code}
  where account_id = ${first.account_id} and request_id = ${first.request_id}
    and no = ${first.no} and state = 'submitted'
  returning account_id, request_id, kind
),
started as (
  insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state)
  select account_id, request_id, ${second.no}, kind, ${second.submit_on}::date,
    ${second.run_on}::date, ${second.amount}, 'waiting'
  from ended
)
${commentOnRequests(…)}

-- src/debit-requests/runs/submit.ts

with due as materialized (
  select ${accountId}::text as account_id, request_id, no, kind,
    (${ids}::bigint[])[row_number() over (order by request_id)] as event_id,
    null::text as data, ${stepTerms(…)}
  from (
    select request_id, no, kind from debit_runs
    where account_id = ${accountId} and state = 'waiting' and submit_on <= ${today}::date
    order by request_id limit ${most} for update skip locked
  ) as taken
),
${moveRequests(…)},
run as (
  update debit_runs d
  set state = case when moved.request_id is null then 'done' else 'submitted' end
  from due left join moved_requests moved using (request_id)
  where d.account_id = ${accountId} and d.request_id = due.request_id and d.no = due.no
)
select count(*)::int as due from due

select min(submit_on) as due from debit_runs where state = 'waiting' ${withinReach(…)}

select account_id, count(*)::int as due from debit_runs
where state = 'waiting' and submit_on <= ${dayOf(…)}::date ${withinReach(…)}
group by account_id limit 1000

-- src/debit-requests/runs/waiting.ts

select distinct account_id from debit_runs
where state = 'waiting' and submit_on between ${from}::date and ${to}::date
order by account_id

select d.account_id, d.request_id, d.no, d.kind, d.submit_on, d.run_on, d.amount, d.state,
  r.due1, r.due2, (r.details->>'month')::int as month, (r.details->>'year')::int as year,
  (r.details->>'cut_day')::int as cut_day, r.reference, r.state_comment
from debit_runs d ${joinRequests(…)}
where d.account_id = ${accountId} and d.state = 'waiting'
  and d.submit_on between ${from}::date and ${to}::date
  and r.state in ('pending', 'in_process')
  and (d.request_id, d.no) > (${after.request}::bigint, ${after.no}::smallint)
order by d.request_id, d.no limit ${atOnce}

with change as materialized (
  select * from unnest(
    ${runs.map(…)}::bigint[], ${runs.map(…)}::smallint[],
    ${runs.map(…)}::date[], ${runs.map(…)}::date[],
    ${shifts.map(…)}::date[], ${shifts.map(…)}::date[],
    ${runs.map(…)}::text[], ${ids}::bigint[],
    ${shifts.map(…)}::text[], ${shifts.map(…)}::text[]
  ) with ordinality as change (request_id, run_no, submit_on, run_on, to_submit, to_run, what,
    event_id, data, comment, no)
),
taken as materialized (
  select * from (
    select d.account_id, d.request_id, d.no as run_no
    from debit_runs d join change on change.request_id = d.request_id and change.run_no = d.no
    where d.account_id = ${accountId} and d.state = 'waiting'
      and d.submit_on = change.submit_on and d.run_on = change.run_on
    order by d.request_id, d.no for update of d skip locked
  ) as held
),
${lockRequests(…)},
moved as (
  update debit_runs d set submit_on = change.to_submit, run_on = change.to_run
  from change join taken using (request_id, run_no)
  join held_requests held on held.request_id = change.request_id
  where d.account_id = ${accountId} and d.request_id = change.request_id
    and d.no = change.run_no
  returning d.request_id, d.no as run_no, d.kind
),
fact as (
  select ${accountId}::text as account_id, change.request_id, moved.kind, change.no,
    change.event_id, change.what, ${clocks.business.now(…)}::timestamptz as at,
    ${actorText(…)}::text as actor, change.data, false as is_money, change.comment,
    -- A debit in process says when it runs again; its state stays.
    case when change.comment is not null then '{in_process}' end as move_from,
    case when change.comment is not null then 'in_process' end as move_to
  from change join moved using (request_id, run_no)
),
${noteOnRequests(…)}
select no::int as place from fact

-- src/debit-requests/store.ts

insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state,
  charged)
select run.account_id, run.request_id, run.no, run.kind, run.submit_on, run.run_on, run.amount,
  'waiting', run.charged
from unnest(
  ${runs.map(…)}::text[], ${runs.map(…)}::bigint[],
  ${runs.map(…)}::smallint[], ${runs.map(…)}::text[],
  ${runs.map(…)}::date[], ${runs.map(…)}::date[],
  ${runs.map(…)}::bigint[],
  ${runs.map(…)}::boolean[]
) as run (account_id, request_id, no, kind, submit_on, run_on, amount, charged)
join fresh on fresh.account_id = run.account_id and fresh.id = run.request_id

run as (${insertRuns(…)})

-- src/events/changers.ts

select distinct actor, data->>'user_id' as user_id from events
where account_id = ${accountId} and at >= ${since}::timestamptz and ${logged(…)}
  and (actor like 'user:%' or actor like 'operator:%')
  and (type = any(${guarded}::text[]) or (type = 'account.changed'
    and (data->>'payout_cbu' is distinct from data->'before'->>'payout_cbu'
      or data->>'next_payout_cbu_dropped' is not null)))

select 1 from operator_events
where entity = 'user' and type in ('user.created', 'user.service_role_changed')
  and at >= ${since}::timestamptz and data->>'service_role' is not null
  and ((entity_id = ${String(…)} and actor = ${…})
    or (entity_id = ${String(…)} and actor = ${…}))
limit 1

-- src/events/feed.ts

with picked as materialized (
  select ctid as row, account_id, entity, entity_id, version from outbox
  where (account_id, entity, entity_id, version)
    > (${after.accountId}, ${after.entity}, ${after.entityId}, ${after.version}::int)
  order by account_id, entity, entity_id, version limit ${placedAtOnce}
),
placed as materialized (select picked.*, nextval('event_positions') as position from picked),
removed as (
  delete from outbox where ctid = any(array(select row from placed))
),
positioned as (
  update events e set position = p.position
  from (
    select placed.position, found.row from placed cross join lateral (
      select f.ctid as row from events f
      where f.account_id = placed.account_id and f.entity = placed.entity
        and f.entity_id = placed.entity_id and f.version = placed.version offset 0
    ) as found
  ) as p
  where e.ctid = p.row
)
select account_id, entity, entity_id, version, position from placed order by position

select account_id, entity, entity_id, version from outbox where account_id = ${accountId}
order by entity, entity_id, version limit ${placedAtOnce} for update

select nextval('event_positions') as position from generate_series(1, ${rows.length}::int)
order by position

unnest(${placed.map(…)}::text[],
${placed.map(…)}::text[],
${placed.map(…)}::int[],
${placed.map(…)}::bigint[])
as p (entity, entity_id, version, position)

delete from outbox o using ${relation} where o.account_id = ${accountId}
and o.entity = p.entity and o.entity_id = p.entity_id and o.version = p.version

update events e set position = p.position from ${relation} where e.account_id = ${accountId}
and e.entity = p.entity and e.entity_id = p.entity_id and e.version = p.version

select account_id from outbox where true ${withinReach(…)} group by account_id limit ${most}

select 1 from outbox limit 1

select 1 from outbox

(select * from events where account_id = any(${accounts}::text[])
and position between ${first}::bigint and ${last}::bigint) as e

(select * from events
where account_id = ${accountId} and id = ${id} and position is not null) as e

cross join lateral (
  select e.type, e.at, e.data from events e
  where e.account_id = ${accountId} and e.entity = ${sql(…)}.entity
    and e.entity_id = ${sql(…)}.entity_id and e.version = ${sql(…)}.version offset 0
) as event

cross join lateral (
  select e.entity, e.entity_id, e.version, e.type from events e
  where e.account_id = ${accountId} and e.id = ${sql(…)}.event_id and e.position is not null
  offset 0
) as event

account_id = ${accountId} and position > ${page.after}

type = ${f.type.name}

entity = ${f.entity_name}

entity_id = ${f.entity_id}

at >= ${f.from}::timestamptz

at < ${f.before}::timestamptz

select feed.last, page.* from (
  select coalesce(max(position), 0) as last from events
  where account_id = ${accountId} and position is not null
) as feed
left join (
  select id, position, entity, entity_id, version, type, at, data from events
  where ${where} order by position limit ${page.limit}
) as page on true
order by page.position

select id, position, entity, entity_id, version, type, at, data
from ${eventOfFeed(…)}

coalesce((
  select e.position from events e where e.account_id = ${accountId} and e.position is not null
  order by e.position desc limit 1
), 0)

select ${lastTold(…)} as position

select (data->>'request_result_id')::bigint as id from events
where account_id = ${accountId} and position > ${after}::bigint
  and position <= ${until}::bigint and type = ${type}
  and data->>'request_result_id' is not null
order by position limit ${mostResults}

select type, count(*)::int as count from events
where account_id = ${accountId} and position > ${after}::bigint
  and position <= ${until}::bigint and type = any(${…}::text[])
group by type

-- src/events/log.ts

(
entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
  'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
or actor like 'user:%' or actor like 'operator:%')

actor = ${actor}

type = ${type}

at >= ${from}::timestamptz

at < ${before}::timestamptz

(at, id) < (${behind.at}::timestamptz, ${behind.id}::bigint)

account_id, id, entity, entity_id, type, at, actor, data

account_id = ${accountId}

select * from (
  (select ${columns(…)} from events
    where ${allOf(…)}
    order by at desc, id desc limit ${limit})
  union all
  (select ${columns(…)} from operator_events
    where ${allOf(…)}
    order by at desc, id desc limit ${limit})
) as log
order by at desc, id desc limit ${limit}

account_id = ${accountId} and entity = ${entity} and entity_id = ${entityId}

select ${columns(…)} from events where ${allOf(…)}
order by at desc, id desc limit ${limit}

-- src/events/operator.ts

noted as (
  insert into operator_events (id, entity, entity_id, type, at, actor, data)
  select ${eventId}::bigint, ${entity}, ${entityId}, ${type},
    ${clocks.business.now(…)}::timestamptz, ${actorText(…)},
    ${JSON.stringify(…)}::text::json
  from ${sql(…)} limit 1
)

with done as (select 1), ${writeOperatorEvent(…)}
select 1

(select * from operator_events where entity = ${entity}) as o

select id, entity, entity_id, type, at, actor, data from operator_events
where id > ${after} order by id limit ${limit}

select min(at) as at from operator_events
where entity = 'vault_key' and entity_id = ${keyId}

-- src/events/store.ts

${sql(…)} as (
  insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
  select account_id, entity, entity_id, version, id, type, at, actor, data::json
  from ${sql(…)}
  returning account_id, id, entity, entity_id, version, type
),
${sql(…)} as (
  insert into outbox (account_id, event_id, entity, entity_id, version)
  select account_id, id, entity, entity_id, version from ${sql(…)}
  where type = any(${eventTypes.map(…)}::text[])
)

(select * from events where account_id = ${accountId} and entity = ${entity}) as e

account_id = ${of.accountId} and entity = ${of.entity} and entity_id = ${of.entityId}

select version, type, at, actor, data from events
where ${mine} and (version = 1
  or version > (select max(version) from events where ${mine}) - ${most}::int)
order by version

with new_events as (
  select * from unnest(
    ${drafts.map(…)}::text[],
    ${drafts.map(…)}::text[],
    ${drafts.map(…)}::text[],
    ${drafts.map(…)}::int[],
    ${drafts.map(…)}::bigint[],
    ${drafts.map(…)}::text[],
    ${drafts.map(…)}::timestamptz[],
    ${drafts.map(…)}::text[],
    ${drafts.map(…)}::text[]
  ) as e (account_id, entity, entity_id, version, id, type, at, actor, data)
), ${writeEvents(…)}
select 1

-- src/imports/store-files.ts

insert into import_files (account_id, import_id, no, bytes)
values (${accountId}, ${id}, ${no}, ${piece})

select bytes from import_files
where account_id = ${accountId} and import_id = ${id} and no = ${pieces.length}

delete from import_files where account_id = ${accountId} and import_id = ${id}

-- src/imports/store-pages.ts

select no, rows, faults, existing, outcomes, withdrawn from import_pages
where account_id = ${accountId} and import_id = ${id} and no = ${no}

select no, rows, faults, existing, outcomes, withdrawn from import_pages
where account_id = ${accountId} and import_id = ${id} and no >= ${from}
  and (faults <> '[]' or existing <> '[]')
order by no limit ${most}

update import_pages p set faults = told.faults, existing = told.existing
from unnest(${texts.map(…)}::text[],
  ${texts.map(…)}::text[])
  with ordinality as told (faults, existing, no)
where p.account_id = ${accountId} and p.import_id = ${id}
  and p.no = ${from}::int + told.no - 1

update imports set next_page = next_page + 1, look_at = ${until}::timestamptz, tries = 0
where account_id = ${one.account_id} and id = ${one.id} and state = 'running'
  and next_page = ${no}
returning id

delete from import_pages where account_id = ${accountId} and import_id = ${id}

with counted as (
  update imports set created = created + ${counts.created},
    rejected = rejected + ${counts.rejected}, skipped = skipped + ${counts.skipped}
  where account_id = ${accountId} and id = ${id}
)
update import_pages set outcomes = ${JSON.stringify(…)}
where account_id = ${accountId} and import_id = ${id} and no = ${no}

update imports set undone_page = undone_page + 1, look_at = ${until}::timestamptz, tries = 0
where account_id = ${one.account_id} and id = ${one.id} and state = 'undoing'
  and undone_page = ${no}
returning id

with counted as (
  update imports set withdrawn = withdrawn + ${ids.length}
  where account_id = ${accountId} and id = ${id}
)
update import_pages set withdrawn = ${JSON.stringify(…)}
where account_id = ${accountId} and import_id = ${id} and no = ${no}

-- src/imports/store.ts

account_id, id, kind, state, version, created_at, file_name, sha256, columns, notes, way, matched,
row_count, page_count, faulty_count, existing_count, repeats_too, actor, comment, next_page,
undone_page, created, rejected, skipped, withdrawn, error, tries

insert into imports (account_id, id, kind, state, version, created_at, file_name, sha256,
  columns, notes, way, matched, row_count, page_count)
values (${one.account_id}, ${one.id}, ${one.kind}, 'draft', 1, ${one.created_at}::timestamptz,
  ${one.file_name}, ${one.sha256}, ${JSON.stringify(…)},
  ${JSON.stringify(…)}, ${JSON.stringify(…)}, '{}', ${one.row_count}, ${pages.length})
on conflict (account_id, kind, sha256) where state = 'draft' do nothing
returning ${importColumns(…)}

insert into import_pages (account_id, import_id, no, rows)
select ${accountId}, ${id}, ${from}::int + no - 1, rows
from unnest(${pages.slice(…)}::text[]) with ordinality as page (rows, no)

select ${importColumns(…)} from imports where account_id = ${accountId} and id = ${id}

select ${importColumns(…)} from imports
where account_id = ${account_id} and sha256 = ${sha256} and kind = ${kind} and id <> ${id}
  and state <> all('{discarded,undone}'::text[])
order by id desc limit 100

select ${importColumns(…)} from imports
where account_id = ${accountId} and id < ${before} and state <> 'discarded'
order by id desc limit ${limit}

select count(*)::int as count from imports
where account_id = ${accountId} and state = 'draft'

update imports set state = ${to}, version = version + 1 ${…}
where account_id = ${accountId} and id = ${id} and state = any(${…}::text[])
  ${…}
returning ${importColumns(…)}

and version = ${seen}

, columns = ${JSON.stringify(…)}, notes = ${JSON.stringify(…)},
way = ${JSON.stringify(…)}, matched = '{}', row_count = ${count},
page_count = ${pages.length}, faulty_count = null, existing_count = null

, matched = ${JSON.stringify(…)}, faulty_count = ${…}::int,
existing_count = ${…}::int

, repeats_too = ${repeatsToo}, actor = ${actorText(…)}, look_at = ${now}::timestamptz,
tries = 0, error = null

, comment = ${comment}, actor = ${actorText(…)}, look_at = ${now}::timestamptz, tries = 0,
error = null

, look_at = null, tries = 0, error = ${error}

select account_id, id from imports where look_at <= ${now}::timestamptz ${withinReach(…)}
order by look_at limit ${dueAtOnce}

update imports set look_at = ${until}::timestamptz, tries = tries + 1
where account_id = ${accountId} and id = ${id} and look_at <= ${now}::timestamptz
returning ${importColumns(…)}

update imports set look_at = ${at}::timestamptz, tries = case when ${done} then 0 else tries end
where account_id = ${account_id} and id = ${id} and state = ${state} and look_at is not null

select heading, field from import_headings
where account_id = ${accountId} and kind = ${kind}

insert into import_headings (account_id, kind, heading, field)
select ${accountId}, ${kind}, heading, field
from unnest(${…}::text[], ${…}::text[])
  as told (heading, field)
order by heading
on conflict (account_id, kind, heading) do update set field = excluded.field

-- src/mandates/audit.ts

with told as (
  select entity, entity_id, count(*)::int as events from events
  where account_id = ${accountId} and entity in ('adhesion', 'card_adhesion')
  group by entity, entity_id
)
select m.kind, m.id, m.version, coalesce(told.events, 0) as events, m.state,
  coalesce(last.data->>'state', 'none') as told
from mandates m
left join told on told.entity = m.kind and told.entity_id = m.id::text
left join events last on last.account_id = m.account_id and last.entity = m.kind
  and last.entity_id = m.id::text and last.version = m.version
where m.account_id = ${accountId}
  and (coalesce(told.events, 0) <> m.version or m.state is distinct from coalesce(last.data->>'state', m.state))
order by m.kind, m.id limit 100

-- src/mandates/card/erase.ts

with before as (
  update mandate_instruments set card_key_id = null, card_ciphertext = null
  where account_id = ${accountId} and kind = ${kind} and mandate_id = ${id}
    and exists (select 1 from mandates m where m.account_id = ${accountId}
      and m.kind = ${kind} and m.id = ${id} and m.state = 'canceled')
)
update mandates m set card_key_id = null, card_ciphertext = null, card_erase_at = null,
  card_erased_at = ${now}::timestamptz, version = m.version + 1
where m.account_id = ${accountId} and m.kind = ${kind} and m.id = ${id}
  and m.kind = 'card_adhesion' and m.state = 'canceled' and m.card_ciphertext is not null
returning m.version, m.reference

select account_id, id from mandates
where card_ciphertext is not null and card_erase_at <= ${now}::timestamptz
order by card_erase_at limit ${atOnce}

select min(card_erase_at) as due from mandates where card_ciphertext is not null

update mandates set card_erase_at = ${at}::timestamptz
where account_id = ${accountId} and kind = ${kind} and id = ${id}

-- src/mandates/card/kept-changes.ts

update mandates set details = ${JSON.stringify(…)}::text::json, version = version + 1
where account_id = ${accountId} and kind = ${kind} and id = ${id} returning version

-- src/mandates/card/kept-store.ts

account_id, mandate_id, no, connector, channel, state, reference, bin, network_transaction_id,
signing

select ${columns(…)} from kept_cards
where account_id = ${account_id} and mandate_id = ${mandate_id}

insert into kept_cards as k (account_id, mandate_id, no, connector, channel, state, signing,
  ask_at)
values (${account_id}, ${mandate_id}, 1, ${connector}, ${channel}, 'sent',
  ${JSON.stringify(…)}::text::json, ${askAt}::timestamptz)
on conflict (account_id, mandate_id) do update set no = k.no + 1,
  connector = excluded.connector, channel = excluded.channel, state = 'sent',
  signing = excluded.signing, ask_at = excluded.ask_at
returning ${columns(…)}

update kept_cards set state = ${to.state}, reference = ${reference}, bin = ${bin},
  network_transaction_id = ${networkTransactionId}, signing = null,
  ask_at = ${askAt}::timestamptz, warn_at = ${warnAt}::timestamptz
where account_id = ${account_id} and mandate_id = ${mandate_id}

update kept_cards set ask_at = ${at}::timestamptz
where account_id = ${account_id} and mandate_id = ${mandate_id} and ask_at is not null

select ${columns(…)} from kept_cards where ask_at <= ${now}::timestamptz ${withinReach(…)}
order by ask_at limit 100

select min(ask_at) as due from kept_cards where ask_at is not null ${withinReach(…)}

forgotten_cards as (
  update kept_cards k set state = 'forgetting', ask_at = ${now}::timestamptz
  from ${sql(…)} m
  where m.kind = 'card_adhesion' and k.account_id = m.account_id and k.mandate_id = m.id
    and k.state in ('kept', 'closed')
)

update kept_cards set state = ${to.state}, reference = coalesce(${reference}, reference),
  bin = case when ${to.state} = 'kept' then ${bin}::text else bin end,
  network_transaction_id = coalesce(${networkTransactionId}, network_transaction_id),
  warn_at = case when ${…}::boolean then warn_at
    else ${…}::timestamptz end
where account_id = ${account_id} and mandate_id = ${mandate_id}

update kept_cards set network_transaction_id = ${networkTransactionId}
where account_id = ${account_id} and mandate_id = ${mandate_id}
  and network_transaction_id is null and state in ('kept', 'closed')

select account_id, mandate_id from kept_cards
where warn_at <= ${now}::timestamptz and state = 'kept' ${withinReach(…)}
order by warn_at limit 100

select min(warn_at) as due from kept_cards
where warn_at is not null and state = 'kept' ${withinReach(…)}

update kept_cards set warn_at = null
where account_id = ${account_id} and mandate_id = ${mandate_id} and state = 'kept'
  and warn_at <= ${now}::timestamptz returning 1

-- src/mandates/card/rewrap-replaced.ts

select account_id, mandate_id as id, no, card_key_id, card_ciphertext from mandate_instruments
where kind = 'card_adhesion' and card_key_id <> ${keyId}
order by account_id, mandate_id, no limit ${atOnce}

with changed as (
update mandate_instruments m set card_key_id = fresh.key_id,
  card_ciphertext = fresh.ciphertext
from unnest(
  ${old.map(…)}::text[], ${old.map(…)}::bigint[],
  ${old.map(…)}::smallint[], ${encrypted.map(…)}::text[],
  ${encrypted.map(…)}::bytea[],
  ${old.map(…)}::bytea[]
) as fresh (account_id, mandate_id, no, key_id, ciphertext, old)
where m.account_id = fresh.account_id and m.kind = 'card_adhesion'
  and m.mandate_id = fresh.mandate_id and m.no = fresh.no
  and m.card_ciphertext = fresh.old
returning 1
), ${writeOperatorEvent(…)}
select 1

-- src/mandates/card/rewrap.ts

select account_id, id, card_key_id, card_ciphertext from mandates
where kind = 'card_adhesion' and card_key_id <> ${keyId}
  and (account_id, id) > (${…}, ${…})
order by account_id, id limit ${atOnce}

with changed as (
update mandates m set card_key_id = fresh.key_id, card_ciphertext = fresh.ciphertext
from unnest(
  ${fresh.map(…)}::text[], ${fresh.map(…)}::bigint[],
  ${fresh.map(…)}::text[],
  ${fresh.map(…)}::bytea[],
  ${old.map(…)}::bytea[]
) as fresh (account_id, id, key_id, ciphertext, old)
where m.account_id = fresh.account_id and m.kind = 'card_adhesion' and m.id = fresh.id
  and m.card_ciphertext = fresh.old
returning 1
), ${writeOperatorEvent(…)}
select count(*)::int as count from changed

-- src/mandates/card/transport-key-store.ts

select account_id, no, vault_key_id, ciphertext, made_at from card_transport_keys
where account_id = ${accountId} and made_at > ${madeAfter}::timestamptz order by no desc

with forgotten as (
  delete from card_transport_keys
  where account_id = ${row.account_id} and made_at <= ${forgetUntil}::timestamptz
    and no < ${row.no}
),
made as (
insert into card_transport_keys (account_id, no, vault_key_id, ciphertext, made_at)
values (${row.account_id}, ${row.no}, ${row.vault_key_id}, ${row.ciphertext},
  ${row.made_at}::timestamptz)
on conflict (account_id, no) do nothing
returning account_id, no, made_at
),
new_events as (
  select account_id, 'card_transport_key' as entity, no::text as entity_id, 1 as version,
    ${eventId}::bigint as id, 'card_transport_key.created' as type, made_at as at,
    ${actorText(…)} as actor, '{}' as data
  from made
), ${writeEvents(…)}
select 1

select coalesce(max(no), 0) as no from card_transport_keys where account_id = ${accountId}

select account_id, no, vault_key_id, ciphertext, made_at from card_transport_keys
where vault_key_id <> ${vault.keyId(…)} order by account_id, no limit ${atOnce}

with changed as (
update card_transport_keys k set vault_key_id = fresh.key_id, ciphertext = fresh.ciphertext
from unnest(
  ${old.map(…)}::text[], ${old.map(…)}::int[],
  ${fresh.map(…)}::text[],
  ${fresh.map(…)}::bytea[]
) as fresh (account_id, no, key_id, ciphertext)
where k.account_id = fresh.account_id and k.no = fresh.no
returning 1
), ${writeOperatorEvent(…)}
select 1

-- src/mandates/card/under-other-keys.ts

(select 1 from mandates where card_key_id < ${keyId} limit ${most})
union all (select 1 from mandates where card_key_id > ${keyId} limit ${most})
union all (select 1 from mandate_instruments where card_key_id < ${keyId} limit ${most})
union all (select 1 from mandate_instruments where card_key_id > ${keyId} limit ${most})
union all (select 1 from card_transport_keys where vault_key_id <> ${keyId} limit ${most})

-- src/mandates/closed.ts

select a.account_id from ${closedAccounts(…)}
where ${accountId}::text is null or a.account_id = ${accountId}

select account_id, kind, id from mandates
where account_id = any(${closed.map(…)}::text[])
  and kind = any(${kinds}::text[])
  and state = any(${…}::text[])
limit ${most}

-- src/mandates/expire.ts

select min(sign_before) as due from mandates
where state = 'pending_to_sign' ${withinReach(…)}

select account_id, kind, id from mandates
where state = 'pending_to_sign' and sign_before <= ${now}::timestamptz
  ${withinReach(…)} order by sign_before limit ${atOnce}

-- src/mandates/move.ts

with ended as (
  update mandates m set state = ${to}, version = m.version + 1,
    canceled_at = ${now}::timestamptz, state_comment = ${comment},
    card_erase_at = case when m.kind = 'card_adhesion' then ${now}::timestamptz end,
    evidence = case when m.evidence is null or ${proof}::text is null
      then coalesce(${proof}::text::json, m.evidence)
      else (m.evidence::jsonb || ${beside}::text::jsonb)::json end
  where m.account_id = ${key.accountId} and m.kind = ${key.kind} and m.id = ${key.id}
    and m.state = any(${…}::text[])
    and m.instrument_no = coalesce(${…}::smallint, m.instrument_no)
    -- Its link may have been renewed since it was found to have run out.
    and (not ${…}::boolean or m.sign_before <= ${now}::timestamptz)
  returning ${mandateColumns(…)}
),
${forgetWith(…)},
step as (
  select r.account_id, r.id as request_id, r.kind,
    (${ids.debits}::bigint[])[row_number() over (order by r.id)] as event_id,
    null::text as data,
    ${stepTerms(…)}
  from ${requestsOfKind(…)}
  join ended on r.account_id = ended.account_id and r.mandate_id = ended.id
  where r.state = any(${…}::text[])
),
${moveRequests(…)},
new_events as (
  select account_id, kind as entity, id::text as entity_id, version,
    ${ids.mandate}::bigint as id, kind || '.canceled' as type, ${now}::timestamptz as at,
    ${actorText(…)}::text as actor,
    json_strip_nulls(json_build_object('state', state, 'external_reference', reference,
      'state_comment', state_comment))::text as data
  from ended
),
${tellHolder(…)}
${writeEvents(…)}
select * from ended

told as (select account_id, ${mail.id}::bigint as mail_id from ${sql(…)}),
${queueMails(…)},

with signed as (
  update mandates m set state = ${to}, version = m.version + 1,
    signed_at = ${now}::timestamptz, evidence = ${JSON.stringify(…)}::text::json,
    details = coalesce(${changed}::text::json, m.details)
  where m.account_id = ${key.accountId} and m.kind = ${key.kind} and m.id = ${key.id}
    and m.state = any(${…}::text[])
    and (not m.keeps_card or ${changed}::text is not null) and m.sign_before > ${now}::timestamptz
  returning ${mandateColumns(…)}
),
new_events as (
  select account_id, kind as entity, id::text as entity_id, version, ${eventId}::bigint as id,
    kind || '.signed' as type, ${now}::timestamptz as at, ${actorText(…)}::text as actor,
    json_strip_nulls(json_build_object('state', state, 'external_reference', reference))::text
      as data
  from signed
),
${tellHolder(…)}
${writeEvents(…)}
select * from signed

select count(*)::int as count from ${requestsOfKind(…)}
where account_id = ${accountId} and mandate_id = ${id} and state = 'pending'

-- src/mandates/newest.ts

words_of(m.account_id, m.holder || ' ' || m.payer || ' ' || coalesce(m.reference, ''))

${words(…)} @@ ${prefixes.map(…).join(…)}::tsquery

m.state >= ${state} and m.state <= ${state}

m.account_id = ${accountId} and m.kind = ${kind} and m.id < ${behind}

m.id desc

${mine(…)} and ${stateIs(…)}

m.state desc, m.id desc

select ${mandateColumns(…)} from mandates m where ${where} order by ${order} limit ${limit}

select ${mandateColumns(…)} from (
  select * from mandates m where ${mine(…)} order by m.id desc limit ${mostNear}
) as m
where ${fits} order by m.id desc limit ${sought.limit}

select id from mandates m where ${mine(…)} order by m.id desc offset ${mostNear} limit 1

and m.state = ${state}

(${matched} or m.id = ${named})

${fits} ${inState}

with found as materialized (select kind, id from mandates m where ${matched} limit ${…})
select (select count(*) from found) > ${mostSorted} as many,
  array(select id from found where kind = ${kind}) as ids

m.id = any(${ids}::bigint[])

select ${mandateColumns(…)} from mandates m
where ${mine(…)} and ${which} ${inState}
order by m.id desc limit ${limit}

-- src/mandates/relations.ts

join mandates m on m.account_id = ${sql(…)}.account_id and m.kind = ${kind}
and m.id = ${sql(…)}.mandate_id

left join mandate_instruments old on old.account_id = m.account_id and old.kind = m.kind
and old.mandate_id = m.id and old.no = ${sql(…)}.instrument_no

coalesce(old.cbu, m.cbu) as cbu, coalesce(old.card_key_id, m.card_key_id) as card_key_id,
coalesce(old.card_ciphertext, m.card_ciphertext) as card_ciphertext

(select * from mandates
where state = 'pending_to_sign' and sign_before > ${now}::timestamptz) as m

m.account_id, m.id as mandate_id, m.state as mandate_state, m.details->>'brand_name' as brand,
m.cbu, m.card_key_id, m.card_ciphertext, m.instrument_no

select ${namedMandateColumns(…)} from mandates m
where m.kind = ${kind} and m.id = any(${ids}::bigint[])

-- src/mandates/replace.ts

with before as (
  insert into mandate_instruments (account_id, kind, mandate_id, no, cbu, card_key_id,
    card_ciphertext, replaced_at)
  select account_id, kind, id, instrument_no, cbu, card_key_id, card_ciphertext,
    ${now}::timestamptz
  from mandates where account_id = ${accountId} and kind = ${kind} and id = ${id}
)
update mandates m set cbu = ${written.cbu}, card_key_id = ${written.card_key_id},
  card_ciphertext = ${written.card_ciphertext},
  details = coalesce(${details}::text::json, m.details),
  instrument_no = m.instrument_no + 1, version = m.version + 1
where m.account_id = ${accountId} and m.kind = ${kind} and m.id = ${id}
returning m.version

-- src/mandates/search.ts

(position(folded(${name}) in folded(m.payer)) > 0
or position(folded(${name}) in folded(m.holder)) > 0)

select m.* from unnest(${owners}::text[]) as account (id)
cross join lateral (
  select ${mandateColumns(…)} from mandates m
  where m.account_id = account.id ${alsoOwnedBy(…)} and m.id > ${after}
    ${…}
    ${…}
    ${…}
    ${…}
    ${…}
    ${…}
  order by m.id limit ${limit}
) m
order by m.id, m.kind limit ${limit}

and m.kind = ${kind}

and m.id = ${id}

and m.reference = ${reference}

and ${named}

and m.details->>'holder_id_number' = ${idNumber}

and m.state = ${state}

id = ${f.id}

state = ${f.state}

reference = ${f.external_reference}

folded(holder) = folded(${f.holder})

created_at >= ${f.createdFrom}::timestamptz

created_at < ${f.createdBefore}::timestamptz

mandates m

account_id = ${accountId} and kind = ${kind}

select wanted.reference, found.id
from unnest(${…}::text[]) as wanted (reference)
cross join lateral (
  select id from mandates
  where account_id = ${accountId} and kind = ${kind} and reference = wanted.reference
  order by id desc limit 1
) as found

-- src/mandates/store.ts

m.account_id, m.kind, m.id, m.state, m.version, m.created_at, m.sign_before, m.reference,
m.holder, m.email, m.description, m.payer, m.cbu, m.card_key_id, m.card_ciphertext, m.details,
m.signed_at, m.canceled_at, m.state_comment, m.link_no, m.keeps_card

select * from unnest(
  ${rows.map(…)}::text[], ${rows.map(…)}::text[],
  ${rows.map(…)}::bigint[], ${rows.map(…)}::timestamptz[],
  ${rows.map(…)}::timestamptz[],
  ${rows.map(…)}::text[], ${rows.map(…)}::text[],
  ${rows.map(…)}::text[], ${rows.map(…)}::text[],
  ${rows.map(…)}::text[],
  ${rows.map(…)}::text[],
  ${cards.map(…)}::text[],
  ${cards.map(…)}::bytea[],
  ${cards.map(…)}::boolean[],
  ${rows.map(…)}::text[],
  ${news.map(…)}::bigint[], ${news.map(…)}::bigint[],
  ${news.map(…)}::text[]
) as n (account_id, kind, id, created_at, sign_before, reference, holder, email, description,
  payer, cbu, card_key_id, card_ciphertext, keeps_card, details, mail_id, event_id, actor)

with new_mandate as materialized (${newRows(…)}),
${claims},
${freshRows(…)},
created as (
  insert into mandates (account_id, kind, id, state, version, created_at, sign_before,
    reference, holder, email, description, payer, cbu, card_key_id, card_ciphertext, keeps_card,
    details, place)
  select account_id, kind, id, 'pending_to_sign', 1, created_at, sign_before, reference,
    holder, email, description, payer, cbu, card_key_id, card_ciphertext, keeps_card,
    details::json, ${takePlace(…)}
  from fresh
),
${queueMails(…)},
new_events as (
  select account_id, kind as entity, id::text as entity_id, 1 as version, event_id as id,
    kind || '.created' as type, created_at as at, actor,
    json_strip_nulls(json_build_object('state', 'pending_to_sign', 'external_reference',
      reference))::text as data
  from fresh
),
${writeEvents(…)}
select id from fresh

select most from unnest(${…}::text[], ${…}::int[]) as a (account_id, most)
where most > 0 and most < (
  select count(*) from (
    select from mandates m
    where m.account_id = ${owner} and m.kind = any('{adhesion,card_adhesion}')
      and m.state = 'pending_to_sign'
    limit ${limit} + 1) as waiting)
limit 1

select asked.no::int as no, m.state <> 'canceled' and m.link_no = asked.link_no
  and (m.state <> 'pending_to_sign' or m.sign_before > ${business.now(…)}::timestamptz) as asks
from unnest(
  ${links.map(…)}::text[],
  ${links.map(…)}::bigint[],
  ${links.map(…)}::smallint[]
) with ordinality as asked (kind, id, link_no, no)
join mandates m on m.account_id = ${accountId} and m.kind = asked.kind and m.id = asked.id

select wanted.no::int as no, ${mandateColumns(…)}
from unnest(
  ${keys.map(…)}::text[], ${keys.map(…)}::text[],
  ${keys.map(…)}::bigint[]
) with ordinality as wanted (account_id, kind, id, no)
join mandates m using (account_id, kind, id)

select ${mandateColumns(…)} from mandates m
where m.account_id = ${key.accountId} and m.kind = ${key.kind} and m.id = ${key.id}
for update

select evidence from mandates
where account_id = ${accountId} and kind = ${kind} and id = ${id}

with letter as (select ${mail.accountId}::text as account_id, ${mail.id}::bigint as mail_id),
${queueMails(…)}
select 1

update mandates m set version = m.version + 1,
  link_no = m.link_no + ${…},
  sign_before = coalesce(${until}::timestamptz, m.sign_before)
where m.account_id = ${accountId} and m.kind = ${kind} and m.id = ${id}
returning ${mandateColumns(…)}

select m.account_id || ' ' || m.kind || ' ' || m.id as name, m.state
from mandates m
where m.account_id = any(${…}::text[])
  and (m.account_id, m.kind, m.id) in (
  select * from unnest(
    ${keys.map(…)}::text[], ${keys.map(…)}::text[],
    ${keys.map(…)}::bigint[])
)
order by m.account_id, m.kind, m.id for share

select max(sign_before) as sign_before from mandates
where created_at <= ${madeBefore}::timestamptz

select 1 from mandates
where state = 'signed' and created_at <= ${madeBefore}::timestamptz limit 1

-- src/mandates/unsigned.ts

select 1 from mandates
where account_id = ${accountId} and kind in ('adhesion', 'card_adhesion')
  and state = 'pending_to_sign' and sign_before <= ${before}::timestamptz

-- src/money/alarms/close.ts

update money_alarms set closed_at = ${clocks.business.now(…)}::timestamptz,
  closed_by = ${actorText(…)}, note = ${note}
where id = ${id} and closed_at is null returning id

-- src/money/alarms/forged.ts

select 1 from money_alarms
where kind in ('forged_journal', 'forged_fact') and account_id = ${accountId}
  and closed_at is null limit 1

-- src/money/alarms/list.ts

id, kind, fact, message, connector, account_id, request_id, attempt_id, result_id, suspense_id,
amount, raised_at, closed_at, closed_by, note

select ${columns(…)} from money_alarms
where id > ${after} ${…} order by id limit ${limit}

and closed_at is null

select ${columns(…)} from money_alarms where id = ${id}

select kind, count(*)::int as count from money_alarms where closed_at is null
group by kind order by kind

-- src/money/alarms/raise.ts

with raised as (
  insert into money_alarms (id, kind, fact, message, connector, account_id, request_id,
    attempt_id, result_id, suspense_id, amount, raised_at)
  values (${id}, ${kind}, ${fact}, ${message}, ${…}, ${…},
    ${…}, ${…}, ${…}, ${…},
    ${…}, ${clocks.business.now(…)}::timestamptz)
  on conflict (kind, fact) do nothing returning id
),
${writeOperatorEvent(…)}
select id from raised

-- src/money/channels/card-kinds.ts

select prefix, kind from card_bins order by prefix

delete from card_bins

insert into card_bins (prefix, kind)
select * from unnest(
  ${bins.map(…)}::text[], ${bins.map(…)}::text[])

-- src/money/charges/attempt.ts

with payable as (${lockPayable(…)}),
pause as materialized (${pauseOf(…)}),
-- Refusals were counted before the hold: one that came meanwhile raised the version.
held as (
  select payable.*, pause.*, pause.is_typed and seen_version <> payable.version as moved
  from payable cross join pause
),
started as (
  insert into attempts (account_id, id, request_id, lane, channel, connector, amount, state,
    details, started_at, ask_at, reference, stamp)
  select account_id, ${attempt.id}, id,
    case when details->>'multiple_payment' = 'true' then ${attempt.id} else 0 end,
    ${attempt.channel}, ${attempt.connector}, ${attempt.amount}, 'started',
    ${JSON.stringify(…)}::text::json, ${attempt.started_at}::timestamptz,
    ${askAt}::timestamptz, ${attempt.reference}, ${stamp}
  from held
  where asked = ${attempt.amount} and not moved and not is_spent
    and (paused_until is null or paused_until <= ${attempt.started_at}::timestamptz)
  on conflict do nothing
  returning id
)
select held.*, asked = ${attempt.amount} as is_asked, exists (select from started) as started
from held

-- src/money/charges/audit.ts

select r.id, r.source_ref as attempt from results r
left join attempts a on a.account_id = r.account_id and a.id::text = split_part(r.source_ref, ' ', 1)
where r.account_id = ${accountId} and r.source = 'attempt' and r.type in ('collected', 'rejected')
  and (a.id is null or a.request_id <> r.request_id or a.state <> 'done')
order by r.id limit 100

select a.id from attempts a
left join requests q on q.account_id = a.account_id and q.id = a.request_id
where a.account_id = ${accountId} and (q.id is null or a.lane not in (0, a.id)
  -- A QR that is not being paid may be edited to take many payments, or one.
  or (a.state <> 'done' and (a.lane = a.id) <> (a.details->>'asked' is not null
    and a.lane = a.id or coalesce(q.details->>'multiple_payment', '') = 'true')))
order by a.id limit 100

-- src/money/charges/debit.ts

insert into attempts (account_id, id, request_id, lane, channel, connector, amount, state,
  details, started_at, ask_at, stamp)
values (${attempt.account_id}, ${id}, ${request.id}, 0, ${attempt.channel},
  ${attempt.connector}, ${amount}, 'started', ${JSON.stringify(…)}::text::json,
  ${startedAt}::timestamptz, ${firstAskAt(…)}::timestamptz,
  ${stamp})

-- src/money/charges/forged.ts

t.account_id = ${accountId} and t.id = ${id}

select ${stampColumns(…)} from attempts t where ${where}

t.connector = ${connector} and t.trx = ${trx}

-- src/money/charges/relations.ts

(select account_id, id from attempts where state = 'done') as attempt

-- src/money/charges/stamp.ts

t.id > ${lastId}::bigint and t.started_at > ${at}::timestamptz

t.attempt_id > ${lastId}::bigint

-- src/money/charges/store-listed.ts

t.account_id, t.id, t.request_id, t.channel, t.started_at, result.amount, result.refunded,
result.refunding, result.charged_back,
case when result.id is not null then ${restoredSum(…)} end as restored

t.id || ' approved'

left join lateral (
  (select result.* from (select 1) as one join ${collectedOf(…)}
    and result.type = 'collected')
  union all
  (select result.* from (select 1) as one join ${collectedOf(…)}
    and result.type = 'collected')
  limit 1
) as result on true

select ${columns(…)}
from unnest(
  ${keys.map(…)}::text[],
  ${keys.map(…)}::bigint[]
) as key (account_id, id)
join attempts t on t.account_id = key.account_id and t.id = key.id
  and t.connector = ${connector}
${joined(…)}

select ${columns(…)}
from attempts t ${joined(…)}
where t.connector = ${connector} and t.connector <> 'simulator'
  and (t.started_at, t.id) >
    (${…}::timestamptz, ${…}::bigint)
  and t.started_at < ${until}::timestamptz
order by t.started_at, t.id limit 1000

-- src/money/charges/store-network.ts

insert into network_charges (connector, trx, account_id, attempt_id, stamp)
values (${connector}, ${trx}, ${…}, ${…}, ${stamp})
on conflict (connector, trx) do nothing returning trx

select t.whose, t.attempt_id, t.reversed_at is not null as reversed,
  ${stampColumns(…)}
from ${sql.unsafe(…)} t
where t.connector = ${connector} and t.trx = ${trx}

insert into network_charges as n (connector, trx, reversed_at)
values (${connector}, ${trx}, ${at}::timestamptz)
on conflict (connector, trx) do update
  set reversed_at = coalesce(n.reversed_at, excluded.reversed_at)

insert into attempts (account_id, id, request_id, lane, channel, connector, amount, state,
  details, started_at, ask_at, stamp)
values (${attempt.account_id}, ${attempt.id}, ${attempt.request_id}, ${attempt.id},
  ${attempt.channel}, ${attempt.connector}, ${attempt.amount}, 'started',
  ${JSON.stringify(…)}::text::json, ${attempt.started_at}::timestamptz,
  ${askAt}::timestamptz, ${stamp})

-- src/money/charges/store.ts

account_id, id, request_id, channel, connector, amount, started_at, unheard_at, details,
reference, (action->>'until')::timestamptz as action_until

select request_id from attempts
where account_id = ${accountId} and request_id = any(${requestIds}::bigint[])
  and state <> 'done'

select count(*)::int as count from attempts
where account_id = ${accountId} and state <> 'done'

select a.request_id, a.state <> 'done' as is_open, result.id as result_id, result.type,
  result.details
from attempts a
left join ${resultFrom(…)}
where a.account_id = ${accountId} and a.reference = ${reference}

id, details->>'label' as label, amount, started_at, details->>'actor' as actor

select ${shown} from attempts
where account_id = ${accountId} and id = any(${…}::bigint[]) and state = 'done'
union all
select ${shown} from attempts
where account_id = ${accountId} and request_id = ${id} and state <> 'done'
order by started_at, id

select ${columns(…)}, state <> 'done' as open from attempts
where account_id = ${account_id} and id = ${id}

select ${columns(…)} from attempts
where state <> 'done' and ask_at <= ${now}::timestamptz ${withinReach(…)} order by ask_at limit ${most}

select bool_or(result.type = 'collected') as is_paid from attempts a
left join ${resultFrom(…)}
where a.account_id = ${account_id} and a.id = ${id} and a.state = 'done'
group by a.id

any (array[a.id::text, a.id || ' approved'])

select min(ask_at) as due from attempts where state <> 'done' ${withinReach(…)}

update attempts set state = 'unknown', ask_at = ${moment}::timestamptz,
  unheard_at = coalesce(unheard_at, ${unheardAt}::timestamptz)
where account_id = ${account_id} and id = ${id} and state <> 'done'

update attempts set state = 'unknown', ask_at = ${askAt}::timestamptz,
  action = ${JSON.stringify(…)}::text::json
where account_id = ${account_id} and id = ${id} and state <> 'done'

select id, connector, channel, action from attempts
where account_id = ${accountId} and request_id = ${requestId} and state <> 'done'
order by id desc limit 1

update attempts set ask_at = ${until}::timestamptz
where account_id = ${account_id} and id = ${id} and state <> 'done'
  and ask_at <= ${now}::timestamptz

update attempts set state = 'done'
where account_id = ${account_id} and id = ${id} and state <> 'done'

insert into charge_references (connector, reference, account_id, attempt_id, stamp)
values (${connector}, ${reference}, ${account_id}, ${id}, ${stamp})
on conflict (connector, reference) do nothing

select account_id = ${account_id} and attempt_id = ${id} as mine from charge_references
where connector = ${connector} and reference = ${reference}

-- src/money/charges/tries.ts

select is_typed, is_typed and in_all >= ${perRequest} as is_spent,
  case when is_typed then greatest(
    case when of_day >= ${free} then last_at + make_interval(
      secs => least(${pauseSeconds} * power(2, least(of_day - ${free}, 20)), 86400)) end,
    case when of_day >= ${perDay} then times_of_day[${perDay}::int] + interval '24 hours' end
  ) end as paused_until,
  (${versionOf(…)}) as seen_version
from (
  select ${typed.includes(…)}::boolean as is_typed, count(*)::int as in_all,
    max(informed_at) as last_at,
    count(*) filter (where informed_at > ${dayBefore(…)}::timestamptz)::int as of_day,
    array_agg(informed_at order by informed_at desc) as times_of_day
  from ${refusedAttempts(…)}
) as refusals

-- src/money/charges/velocity.ts

delete from card_tries where subject in (
select subject from card_tries where since < ${before}::timestamptz
order by since limit ${mostForgotten} for update skip locked)

insert into card_tries as t (subject, tries, since)
select subject, 1, ${now}::timestamptz
from unnest(${buckets.map(…)}::bytea[]) as s (subject)
on conflict (subject) do update set
  tries = case when t.since < ${start}::timestamptz then 1 else t.tries + 1 end,
  unanswered = case when t.since < ${start}::timestamptz then 0 else t.unanswered end,
  since = case when t.since < ${start}::timestamptz then excluded.since else t.since end
returning subject, tries, unanswered, since

with mine as (
  select subject from card_tries where subject = any(${subjects}::bytea[])
  order by subject for update
)
update card_tries t set tries = greatest(0, t.tries + ${tries}::int),
  unanswered = greatest(0, t.unanswered + ${unanswered}::int)
from mine where t.subject = mine.subject

-- src/money/collections/audit/events.ts

with told as (
  select data->>'request_result_id' as id, type, coalesce(data->>'request_id', entity_id)
    as request
  from events
  where account_id = ${accountId} and entity = any(${requestKinds}::text[])
    and type <> all(${others}::text[]) and data->>'request_result_id' is not null
),
pair as (
  select * from unnest(${pairs.map(…)}::text[],
    ${pairs.map(…)}::text[], ${pairs.map(…)}::text[])
    as p (kind, type, event)
)
select coalesce(told.id, r.id::text) as id, r.id is not null as there,
  told.id is not null as told
from (
  select id, id::text as name, request_id, kind, type from results
  where account_id = ${accountId}
) as r
full join told on told.id = r.name
where r.id is null or told.id is null or told.request <> r.request_id::text
  or (r.kind, r.type, told.type) not in (select kind, type, event from pair)
order by 1 limit 100

-- src/money/collections/audit/journals.ts

coalesce(j.amounts[array_position(j.accounts, (${account})::smallint)], 0)

case when r.source = 'refund' then ${clearingPayouts}::int end

select * from unnest(${Object.keys(…)}::text[],
${Object.values(…).map(…)}::int[]) as c (channel, account)

with clearing as (${clearings(…)})
select r.id, count(j.id)::int as found from results r
left join clearing c on c.channel = r.channel
left join journals j on j.account_id = r.account_id and j.result_id = r.id
  and j.kind = case r.type when 'collected' then 'collection' else r.type end
  and j.request_id = r.request_id and j.on_date = r.informed_on and j.at = r.informed_at
  and ${on(…)} + ${on(…)} = case r.type when 'collected' then r.amount else -r.amount end
  and ${on(…)} = -r.net_fee and ${on(…)} = -r.fee_iva
  and ${on(…)} = -r.withheld
  and ${on(…)} + ${on(…)}
    + ${on(…)}
    = case r.type when 'collected' then -r.amount else r.amount end
      + r.net_fee + r.fee_iva + r.withheld
  and (r.type <> 'collected' or ${on(…)} = 0)
where r.account_id = ${accountId} and r.type <> 'rejected'
group by r.id having count(j.id) <> 1 order by r.id limit 100

select j.id, r.id is not null as there from journals j
left join results r on r.account_id = j.account_id and r.id = j.result_id
where j.account_id = ${accountId} and j.result_id is not null
  and (r.id is null or r.request_id is distinct from j.request_id)
order by j.id limit 100

-- src/money/collections/audit/late-releases.ts

with told as (
  select (one->>'id')::bigint as id, (one->>'available_on')::date as available_on,
    ${localDay(…)} as released_on
  from events, json_array_elements(data->'results') as one
  where account_id = ${accountId} and entity = ${lateRelease}
)
select r.available_on, r.released_on, min(r.id) as id, count(*)::int as count
from results r
where r.account_id = ${accountId} and r.type = 'collected' and r.released_on > r.available_on + 1
  and exists (select from told where told.id = r.id and told.available_on = r.available_on
    and told.released_on = r.released_on) = ${told}::boolean
group by 1, 2 order by 1, 2 limit 100

-- src/money/collections/audit/reversals.ts

with part as (
  select r.id, r.net_fee, r.fee_iva, o.net_fee as whole_fee, o.fee_iva as whole_iva,
    o.amount::numeric as whole,
    case r.type when 'refund' then r.amount else o.amount - o.refunded end as gone
  from results r
  left join results o on o.account_id = r.account_id and o.id = r.reverses_id
    and o.type = 'collected' and o.request_id = r.request_id and o.channel = r.channel
  where r.account_id = ${accountId} and r.type in ('chargeback', 'refund')
)
select id from part
where whole is null or (net_fee, fee_iva) <> (0, 0) and (
  abs(net_fee * whole + whole_fee * gone::numeric) > whole
  or abs(fee_iva * whole + whole_iva * gone::numeric) > whole)
order by id limit 100

with back as (
  select r.reverses_id as result_id, w.regime, w.jurisdiction, sum(w.amount) as amount
  from withholdings w
  join results r on r.account_id = w.account_id and r.id = w.result_id
    and r.reverses_id is not null
  where w.account_id = ${accountId} group by 1, 2, 3
),
taken as (
  select w.result_id, w.regime, w.jurisdiction, w.amount, o.amount::numeric as whole,
    case when o.charged_back > 0 then o.amount else o.refunded end as gone
  from withholdings w
  join results o on o.account_id = w.account_id and o.id = w.result_id
    and o.type = 'collected'
  where w.account_id = ${accountId}
)
select distinct result_id as id
from taken full join back using (result_id, regime, jurisdiction)
where coalesce(-back.amount, 0)
  is distinct from div(2 * taken.amount * gone + whole, 2 * nullif(whole, 0))
order by 1 limit 100

select * from (
  select r.id, array_remove(array[
    case when whole.type is distinct from 'collected' then 'reverses_id' end,
    case when whole.request_id <> r.request_id then 'request_id' end,
    case when (whole.channel, whole.channel_label) <> (r.channel, r.channel_label)
      then 'channel' end,
    case when r.paid_at <> r.informed_at then 'paid_at' end
  ], null) as wrong
  from results r
  left join results whole on whole.account_id = r.account_id and whole.id = r.reverses_id
  where r.account_id = ${accountId} and r.type in ('refund', 'chargeback')
) as looked where wrong <> '{}' order by id limit 100

-- src/money/collections/audit/sums.ts

with line as (
  select l.account, l.amount from journals, unnest(accounts, amounts) as l (account, amount)
  where account_id = ${accountId}
)
select
  (select coalesce(sum(net_fee + fee_iva), 0) from results where account_id = ${accountId}
    and type <> 'rejected')::bigint
    + (select coalesce(sum(amount), 0) from line where account = any(${…}::smallint[]))::bigint as fees,
  (select coalesce(sum(amount), 0) from withholdings where account_id = ${accountId})::bigint
    + (select coalesce(sum(amount), 0) from line where account = ${ledgerAccounts.withholdingsPayable})::bigint as withheld,
  (select coalesce(sum(unreleased), 0) from results where account_id = ${accountId})::bigint
    + (select coalesce(sum(amount), 0) from line where account = ${ledgerAccounts.holderUnavailable})::bigint as unreleased

with paid as (
  select request_id, bool_or(charged_back = 0 and refunded < amount) as live from results
  where account_id = ${accountId} and type = 'collected' group by request_id
)
select r.id, r.state, coalesce(paid.live, false) as live from requests r
left join paid on paid.request_id = r.id
where r.account_id = ${accountId} and (r.state = 'paid') <> (coalesce(paid.live, false)
  and coalesce(r.details->>'multiple_payment', 'false') = 'false')
order by r.id limit 100

with back as (
  select reverses_id as id, coalesce(sum(amount) filter (where type = 'refund'), 0) as refunded,
    coalesce(sum(amount) filter (where type = 'chargeback'), 0) as charged_back
  from results where account_id = ${accountId} and reverses_id is not null group by 1
),
left_over as (
  select coalesce(r.reverses_id, r.id) as id, -sum(line.amount) as unreleased
  from journals j
  join results r on r.account_id = j.account_id and r.id = j.result_id,
    unnest(j.accounts, j.amounts) as line (account, amount)
  where j.account_id = ${accountId} and line.account = ${ledgerAccounts.holderUnavailable} group by 1
),
released as (
  select result_id as id, count(*) as times, min(on_date) as day from journals
  where account_id = ${accountId} and kind = 'release' group by 1
),
held as (
  select result_id as id, sum(amount) as amount,
    bool_or(w.amount <> floor((w.base * w.rate_ppm + 500000) / 1000000.0)) as misrated,
    min(base) as least, max(base) as most
  from withholdings w where account_id = ${accountId} group by 1
),
looked as (
  select r.id, array_remove(array[
    case when r.refunded <> coalesce(back.refunded, 0) then 'refunded' end,
    case when r.charged_back <> coalesce(back.charged_back, 0) then 'charged_back' end,
    case when r.type = 'collected' and r.unreleased <> coalesce(left_over.unreleased, 0)
      then 'unreleased' end,
    case when released.day is not null
      and (released.times > 1 or released.day is distinct from r.released_on)
      or r.released_on is not null and r.unreleased <> 0
      then 'released_on' end,
    case when r.released_on < r.available_on then 'released before its day' end,
    case when (r.available_on is null) <> (r.type <> 'collected') then 'available_on' end,
    case when r.available_on < r.informed_on then 'available before it was informed' end,
    case when r.type = 'collected'
      and r.fee_iva <> floor((r.net_fee * 210000 + 500000) / 1000000.0) then 'fee_iva' end,
    case when r.withheld <> coalesce(held.amount, 0) then 'withheld' end,
    case when r.type = 'collected' and (held.misrated or held.least <> r.amount
      or held.most <> r.amount) then 'withholdings' end,
    case when r.informed_on <> ${localDay(…)}
      then 'informed_on' end
  ], null) as wrong
  from results r
  left join back using (id) left join left_over using (id) left join released using (id)
  left join held using (id)
  where r.account_id = ${accountId}
)
select id, wrong from looked where wrong <> '{}' order by id limit 100

-- src/money/collections/audit/terms.ts

select channel, ${paidOn(…)} as paid_on, informed_on, available_on, promised_on,
  count(*)::int as count, min(id) as id
from results
where account_id = ${accountId} and type = 'collected' and available_on is not null
group by 1, 2, 3, 4, 5 order by 2

with term as materialized (
  select channel, paid_on, coalesce(since, '-infinity') as since,
    coalesce(until, 'infinity') as until, percentage_ppm, fixed, minimum
  from unnest(
    ${rows.map(…)}::text[], ${rows.map(…)}::date[],
    ${rows.map(…)}::timestamptz[],
    ${rows.map(…)}::timestamptz[],
    ${rows.map(…)}::int[],
    ${rows.map(…)}::bigint[],
    ${rows.map(…)}::bigint[]
  ) as t (channel, paid_on, since, until, percentage_ppm, fixed, minimum)
)
select r.id from results r
where r.account_id = ${accountId} and r.type = 'collected'
  and r.details->>'restores' is null and not exists (
  select from term t
  where t.channel = r.channel and t.paid_on = ${paidOn(…)}
    and r.informed_at >= t.since and r.informed_at < t.until
    and r.net_fee = greatest(t.minimum, t.fixed
      + div(r.amount::numeric * t.percentage_ppm + 500000, 1000000)))
order by r.id limit 100

select regime, jurisdiction, paid_on, coalesce(since, '-infinity') as since,
  coalesce(until, 'infinity') as until, rate_ppm
from unnest(
  ${rows.map(…)}::text[],
  ${rows.map(…)}::text[],
  ${rows.map(…)}::date[], ${rows.map(…)}::timestamptz[],
  ${rows.map(…)}::timestamptz[],
  ${rows.map(…)}::int[]
) as t (regime, jurisdiction, paid_on, since, until, rate_ppm)

with maybe as materialized (${ratesOf(…)}),
surely as materialized (${ratesOf(…)}),
wrong as (
  select w.result_id as id, true as more
  from withholdings w
  join results r on r.account_id = w.account_id and r.id = w.result_id and r.type = 'collected'
  where w.account_id = ${accountId} and r.details->>'restores' is null and not exists (
      select from maybe t
      where t.regime = w.regime and t.jurisdiction = w.jurisdiction
        and t.paid_on = ${paidOn(…)} and t.rate_ppm = w.rate_ppm
        and r.informed_at >= t.since and r.informed_at < t.until)
  union all
  select r.id, false
  from results r
  join surely t on t.paid_on = ${paidOn(…)}
    and r.informed_at >= t.since and r.informed_at < t.until
    and r.amount::numeric * t.rate_ppm >= 500000
  where r.account_id = ${accountId} and r.type = 'collected'
    and r.details->>'restores' is null and not exists (
      select from withholdings w
      where w.account_id = ${accountId} and w.result_id = r.id and w.regime = t.regime
        and w.jurisdiction = t.jurisdiction)
)
select distinct id, more from wrong order by id limit 100

-- src/money/collections/daily/store.ts

sum(amount)::bigint as amount, sum(net_fee)::bigint as net_fee, sum(fee_iva)::bigint as fee_iva,
sum(withheld)::bigint as withheld

select informed_on as day, channel, type, count(*) as results, ${sums(…)}
from ${from} group by informed_on, channel, type

results where account_id = ${accountId}
and id = any(array(${resultsOfJournals(…)}))

select m.seal_no from daily_total_marks m where m.account_id = ${accountId}

insert into daily_total_marks (account_id, seal_no)

insert into daily_totals as t (account_id, day, channel, type, results, amount, net_fee,
  fee_iva, withheld)
select ${accountId}, day, channel, type, results, amount, net_fee, fee_iva, withheld
from (${totalsOf(…)}) as sums
on conflict (account_id, day, channel, type) do update set
  results = t.results + excluded.results, amount = t.amount + excluded.amount,
  net_fee = t.net_fee + excluded.net_fee, fee_iva = t.fee_iva + excluded.fee_iva,
  withheld = t.withheld + excluded.withheld

select day, channel, type, sum(results)::bigint as results, ${sums(…)}
from (
  select day, channel, type, results, amount, net_fee, fee_iva, withheld from daily_totals
  where account_id = ${accountId} and ${days(…)}
  union all
  select * from (${totalsOf(…)}) as late
  where ${days(…)}
) as parts
group by day, channel, type

${day} between ${from}::date and ${to}::date

${allTotals(…)} order by day, channel, type

results where account_id = ${accountId} and type <> 'rejected'

select day, channel, type
from (${totalsOf(…)}) as counted
full join (${allTotals(…)}) as told using (day, channel, type)
where row(counted.results, counted.amount, counted.net_fee, counted.fee_iva, counted.withheld)
  is distinct from row(told.results, told.amount, told.net_fee, told.fee_iva, told.withheld)
order by 1, 2, 3 limit 100

-- src/money/collections/rejected.ts

select 1 from results
where account_id = ${accountId} and informed_on >= ${from}::date and type = 'rejected'
  and kind in ('debit_request', 'card_debit_request')

select 1 from results
where account_id = ${accountId} and informed_on >= ${from}::date and type = 'chargeback'

select count(*)::int as count from results
where account_id = ${accountId} and id = any(${…}::bigint[]) and type = 'chargeback'

-- src/money/collections/relations.ts

results result on result.account_id = ${sql(…)}.account_id 
and result.source = any(${sources}::text[]) and result.source_ref = ${ref}

(
  select coalesce(sum(back.amount), 0)::bigint from results back
  where back.account_id = result.account_id and back.request_id = result.request_id
    and back.type = 'collected' and back.details->>'restores' = result.id::text
)

join results result on result.account_id = ${sql(…)}.account_id and result.id = ${sql(…)}.${sql(…)}

cross join lateral (
  select * from results
  where account_id = ${sql(…)}.account_id and id = ${sql(…)}.${sql(…)} limit 1
) as result

left join lateral (
  select (count(*) filter (where type = 'collected'))::int as payments,
    max(paid_at) filter (where type = 'collected') as paid_at,
    max(paid_at) filter (where type in ('refund', 'chargeback')) as refunded_at,
    max(informed_at) as informed_at
  from results x where ${when} and x.account_id = r.account_id and x.request_id = r.id
    ${alsoOwnedBy(…)}
) as money on true

(select informed_at from results
  where account_id = ${request.account_id} and request_id = ${request.request_id}
    and type = 'rejected' and source = 'attempt' and channel = any(${…}::text[])
) as refused

(select p.account_id, p.request_id from ${everyAccount(…)}
  join results p on p.account_id = a.account_id and p.informed_on >= ${day}::date
    and p.type = 'collected'
  where not exists (
    select from results before
    where before.account_id = p.account_id and before.request_id = p.request_id
      and before.type = 'collected' and before.informed_on < ${day}::date)
) as paid

select distinct request_id from results
where account_id = ${accountId} and kind = ${kind} and channel = ${channel}
  and type = 'collected' and request_id < ${…}
order by request_id desc limit ${most}

exists (select from results x
where x.account_id = r.account_id and x.request_id = r.id and x.type = 'collected'
  and x.channel = ${channel})

-- src/money/collections/release.ts

select id, request_id, unreleased, available_on from results
where account_id = ${accountId} and type = 'collected' and released_on is null
  and available_on <= ${today}::date
order by available_on, id limit ${most} for update skip locked

with released as (
  update results set released_on = ${today}::date, unreleased = 0
  where account_id = ${accountId} and id = any(${due.map(…)}::bigint[])
),
new_journals as (
  select ${accountId}::text as account_id, id, 'release' as kind, result_id, request_id,
    null::text as cause, ${now}::timestamptz as at, ${today}::date as on_date, accounts, amounts,
    stamp
  from unnest(
    ${journalIds}::bigint[], ${due.map(…)}::bigint[],
    ${due.map(…)}::bigint[],
    ${entries.map(…)}::text[],
    ${entries.map(…)}::text[], ${stamps}::bytea[]
  ) as journal (id, result_id, request_id, accounts, amounts, stamp)
),
${postJournals(…)}
select 1

select min(available_on) as due from results
where type = 'collected' and released_on is null ${withinReach(…)}

select account_id, count(*)::int as due from results
where type = 'collected' and released_on is null and available_on <= ${dayOf(…)}::date
  ${withinReach(…)} group by account_id limit 1000

-- src/money/collections/sources.ts

select type from results where account_id = ${request.account_id} and source = ${source}
and source_ref = ${sourceRef}

select r.account_id, r.id, r.request_id, r.amount, r.refunded, r.charged_back from ${everyAccount(…)}
join results r on r.account_id = a.account_id and r.source = ${source} and r.source_ref = ${sourceRef}
limit 1

select r.account_id, r.source_ref, r.amount from ${everyAccount(…)}
join results r on r.account_id = a.account_id and r.source = ${source}
  and starts_with(r.source_ref, ${begins}) and r.type = 'collected'
  and r.paid_at >= ${from}::timestamptz and r.paid_at < ${until}::timestamptz
order by r.paid_at, r.id

-- src/money/collections/store-promises.ts

type = 'collected' and released_on is null and available_on >= ${from}::date
and paid_at < ${midnightOf(…)}::timestamptz

select distinct account_id from results where ${concerned(…)} order by account_id

select id, request_id, kind, channel, amount, unreleased, paid_at, informed_at, informed_on,
  reference, available_on
from results
where account_id = ${accountId} and id > ${after}::bigint and ${concerned(…)}
order by id limit ${atOnce}

with change as materialized (
  select ${accountId}::text as account_id, change.* from unnest(
    ${rows.map(…)}::bigint[], ${rows.map(…)}::bigint[],
    ${rows.map(…)}::text[], ${rows.map(…)}::date[],
    ${shifts.map(…)}::date[], ${ids}::bigint[],
    ${shifts.map(…)}::text[],
    ${shifts.map(…)}::text[]
  ) with ordinality as change (result_id, request_id, kind, from_day, to_day, event_id, what,
    data, no)
),
${lockRequests(…)},
moved as (
  update results r set available_on = change.to_day,
    promised_on = nullif(coalesce(r.promised_on, r.available_on), change.to_day)
  from change join held_requests held using (account_id, request_id)
  where r.account_id = ${accountId} and r.id = change.result_id and r.released_on is null
    and r.available_on = change.from_day
  returning r.id as result_id
),
fact as (
  select change.account_id, change.request_id, change.kind, change.no, change.event_id,
    change.what, ${clocks.business.now(…)}::timestamptz as at, ${actorText(…)}::text as actor,
    change.data, false as is_money, null::text as comment, null::text as move_from,
    null::text as move_to
  from change join moved using (result_id)
),
${noteOnRequests(…)}
select no::int as place from fact

-- src/money/collections/store.ts

join results r on r.account_id = wanted.account_id and r.request_id = wanted.request_id
${alsoOwnedBy(…)}

cross join lateral (
  select * from results
  where account_id = wanted.account_id and request_id = wanted.request_id offset 0
) as r

select r.account_id, r.id, r.request_id, r.kind, r.type, r.channel, r.channel_label, r.amount,
  r.net_fee, r.fee_iva, r.withheld, r.unreleased, r.refunded, r.charged_back, r.refunding, r.paid_at,
  r.informed_at, r.informed_on, r.available_on, r.released_on, r.reverses_id, r.source,
  r.source_ref, r.reference, r.payer, r.description, r.details
from (
  select distinct account_id, request_id from unnest(
    ${accountIds}::text[], ${keys.map(…)}::bigint[]
  ) as key (account_id, request_id)
) as wanted
${lookUpOfRequest(…)}
order by r.informed_at, r.id

select 1 from results where account_id = ${key.accountId} and request_id = ${key.id}
order by id for update

update results o set refunding = o.refunding + f.amount,
  unreleased = o.unreleased - f.unavailable
from ${sql(…)} f where o.account_id = f.account_id and o.id = f.result_id

select distinct request_id from results
where account_id = ${accountId} and request_id = any(${requestIds}::bigint[])
  and type = 'collected'

select result_id, regime, jurisdiction, base, rate_ppm, amount, certificate from withholdings
where account_id = ${result.account_id} and result_id = ${result.id} order by no

select result_id, regime, jurisdiction, base, rate_ppm, amount, certificate from withholdings
where account_id = ${key.accountId} and request_id = ${key.id} order by result_id, no

-- src/money/collections/to-come.ts

select available_on as day, sum(unreleased)::bigint as amount, count(*) as payments
from results
where account_id = ${accountId} and type = 'collected' and released_on is null
group by available_on order by available_on

-- src/money/collections/write.ts

select * from unnest(
  ${column(…)}, ${column(…)},
  ${column(…)}, ${column(…)},
  ${column(…)}, ${column(…)},
  ${column(…)}, ${column(…)},
  ${column(…)}, ${column(…)},
  ${column(…)}, ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)}, ${column(…)},
  ${column(…)}, ${column(…)},
  ${column(…)}, ${column(…)},
  ${column(…)}, ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)},
  ${column(…)}
) with ordinality as fact (account_id, id, request_id, kind, type, channel, channel_label,
  amount, net_fee, fee_iva, withheld, unreleased, paid_at, informed_at, informed_on,
  available_on, reverses_id, source, source_ref, reference, payer, description, details,
  journal_id, journal_kind, accounts, amounts, stamp, own_stamp, event_id, what, actor, data, move_to, move_from,
  comment, attempt_id, back_refunded, back_charged_back, back_refunding,
  back_unreleased, no)

select * from unnest(
  ${lines.map(…)}::text[], ${lines.map(…)}::bigint[],
  ${lines.map(…)}::smallint[], ${lines.map(…)}::bigint[],
  ${lines.map(…)}::text[],
  ${lines.map(…)}::text[],
  ${lines.map(…)}::bigint[], ${lines.map(…)}::int[],
  ${lines.map(…)}::bigint[],
  ${lines.map(…)}::text[],
  ${lines.map(…)}::date[]
) as line (account_id, result_id, no, request_id, regime, jurisdiction, base, rate_ppm, amount,
  certificate, informed_on)

reversed as (
  update results o /* sees what was written */ set refunded = o.refunded + kept.back_refunded,
    charged_back = o.charged_back + kept.back_charged_back,
    refunding = o.refunding - kept.back_refunding,
    unreleased = o.unreleased - kept.back_unreleased
  from kept where kept.reverses_id is not null and o.account_id = any(${accountIds}::text[])
    and o.account_id = kept.account_id and o.id = kept.reverses_id
),

closed as (
  update attempts a set state = 'done' from fact
  where fact.attempt_id is not null and a.account_id = any(${accountIds}::text[])
    and a.account_id = fact.account_id and a.id = fact.attempt_id
),

with fact as materialized (${facts(…)}),
${lockRequests(…)},
result as (
  insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
    net_fee, fee_iva, withheld, unreleased, paid_at, informed_at, informed_on, available_on,
    reverses_id, source, source_ref, reference, payer, description, details, stamp)
  select account_id, id, request_id, kind, type, channel, channel_label, amount, net_fee,
    fee_iva, withheld, unreleased, paid_at, informed_at, informed_on, available_on, reverses_id,
    source, source_ref, reference, payer, description, details::json, own_stamp
  from fact join held_requests using (account_id, request_id)
  order by account_id, source, source_ref
  on conflict (account_id, source, source_ref) do nothing
  returning account_id, id
),
kept as (
  select fact.*, informed_at as at, type = 'collected' as is_money
  from fact join result using (account_id, id)
),
${…}
withheld_line as (
  insert into withholdings (account_id, result_id, no, request_id, regime, jurisdiction, base,
    rate_ppm, amount, certificate, informed_on)
  select line.* from (${withheldLines(…)}) as line
  join result on result.account_id = line.account_id and result.id = line.result_id
),
${…}
${noteOnRequests(…)},
new_journals as (
  select account_id, journal_id as id, journal_kind as kind, id as result_id, request_id,
    null::text as cause, informed_at as at, informed_on as on_date, accounts, amounts, stamp
  from kept where journal_id is not null
),
${postJournals(…)}
select id from result

-- src/money/corrections/corrections.ts

select id, reference, amount, note, posted_at from corrections
where account_id = ${accountId} and id > ${after} order by id limit ${limit}

select amount from corrections where account_id = ${accountId} and reference = ${reference}

insert into corrections (account_id, id, reference, amount, note, posted_at, stamp)
values (${accountId}, ${id}, ${reference}, ${amount}, ${note}, ${at}::timestamptz, ${stamp})
on conflict (account_id, reference) do nothing returning id

select 1 from corrections where account_id = ${account_id} and reference = ${reference}

-- src/money/corrections/evidence.ts

select 'correction:' || id, 'correction', -amount from corrections
where account_id = ${accountId}

-- src/money/disputes/evidence.ts

with restored as (
  select details->>'restores' as id, sum(amount) as amount, sum(net_fee) as fee,
    sum(fee_iva) as iva, sum(withheld) as withheld
  from results where account_id = ${accountId} and type = 'collected'
    and details->>'restores' is not null
  group by 1
),
taken as (
  select coalesce(whole.details->>'restores', whole.id::text) as id, sum(r.amount) as amount,
    -sum(r.net_fee) as fee, -sum(r.fee_iva) as iva, -sum(r.withheld) as withheld
  from results r
  join results whole on whole.account_id = r.account_id and whole.id = r.reverses_id
  where r.account_id = ${accountId} and starts_with(r.source_ref, 'dispute ')
  group by 1
)
select id from restored left join taken using (id)
where restored.amount > coalesce(taken.amount, 0) or restored.fee > coalesce(taken.fee, 0)
  or restored.iva > coalesce(taken.iva, 0) or restored.withheld > coalesce(taken.withheld, 0)
order by id limit 100

-- src/money/disputes/store.ts

account_id, id, request_id, attempt_id, connector, name, state, revision, amount, taken, reason,
evidence_due_at, opened_at, changed_at

select ${columns(…)} from disputes
where account_id = ${account_id} and connector = ${connector} and name = ${name}

select ${columns(…)} from disputes
where account_id = ${accountId} and request_id = ${id} order by id limit 1000

select ${columns(…)} from disputes
where id > ${after} ${…}
  ${…}
order by id limit ${limit}

and account_id = ${accountId}

and state = any(${undecidedStates}::text[])

with stored as (
  insert into disputes (account_id, id, request_id, attempt_id, connector, name, state,
    revision, amount, taken, reason, evidence_due_at, opened_at, changed_at)
  values (${row.account_id}, ${row.id}, ${row.request_id}, ${row.attempt_id},
    ${row.connector}, ${row.name}, ${row.state}, ${row.revision}, ${row.amount},
    ${row.taken}, ${row.reason}, ${row.evidence_due_at}::timestamptz,
    ${row.opened_at}::timestamptz, ${row.changed_at}::timestamptz)
  on conflict (account_id, connector, name) do update set state = excluded.state,
    revision = excluded.revision, amount = excluded.amount, taken = excluded.taken,
    reason = excluded.reason, evidence_due_at = excluded.evidence_due_at,
    changed_at = excluded.changed_at
),
fact as (
  select ${row.account_id}::text as account_id, ${row.request_id}::bigint as request_id,
    ${event.kind}::text as kind, 1 as no, false as is_money, null::text as move_to,
    null::text as move_from, null::text as comment, ${event.id}::bigint as event_id,
    ${eventOf(…)}::text as what, ${event.at}::timestamptz as at,
    ${actorText(…)}::text as actor, ${JSON.stringify(…)}::text as data
),
${noteOnRequests(…)}
select 1

-- src/money/fees/fees.ts

select account_id, channel, valid_from, valid_to, percentage_ppm, fixed, minimum,
  available_after_days
from fees
where account_id = any(${accountIds}::text[]) and channel = any(${Object.keys(…)}::text[])
order by account_id, channel, valid_from desc

-- src/money/fees/history.ts

select type, at, data->>'channel' as channel, (data->>'from')::date as valid_from,
  coalesce(round((data->>'percentage')::numeric * 10000), 0)::int as percentage_ppm,
  coalesce(round((data->>'fixed')::numeric * 100), 0)::bigint as fixed,
  coalesce(round((data->>'minimum')::numeric * 100), 0)::bigint as minimum,
  coalesce((data->>'days')::int, 0) as days
from ${eventsOfEntity(…)} where data->>'from' is not null
order by at, xid

select type, at, actor, data->>'channel' as channel, (data->>'from')::date as valid_from,
  coalesce(round((data->>'percentage')::numeric * 10000), 0)::int as percentage_ppm,
  coalesce(round((data->>'fixed')::numeric * 100), 0)::bigint as fixed,
  coalesce(round((data->>'minimum')::numeric * 100), 0)::bigint as minimum,
  coalesce((data->>'days')::int, 0) as days
from ${eventsOfEntity(…)} where data->>'from' is not null
order by at desc, xid desc limit ${limit}

-- src/money/fees/terms.ts

insert into fees (account_id, channel, valid_from, percentage_ppm, fixed, minimum,
  available_after_days)
values (${accountId}, ${channel}, ${from}::date, ${terms.percentagePpm}, ${terms.fixed},
  ${terms.minimum}, ${terms.availableAfterDays})
on conflict (account_id, channel, valid_from) do update set valid_to = null,
  percentage_ppm = excluded.percentage_ppm, fixed = excluded.fixed,
  minimum = excluded.minimum, available_after_days = excluded.available_after_days

delete from fees where account_id = ${accountId} and channel = ${channel}
and valid_from >= ${from}::date returning valid_from

update fees set valid_to = ${from.subtract(…)}::date
where account_id = ${accountId} and channel = ${channel}
  and valid_from = (select max(valid_from) from fees
    where account_id = ${accountId} and channel = ${channel})
  and coalesce(valid_to >= ${from}::date, true)
returning valid_from

-- src/money/ledger/audit.ts

select id from journals where account_id = ${accountId} and sum_of(amounts) <> 0
order by id limit 100

select line.account, sum(line.amount)::bigint as amount
from journals, unnest(accounts, amounts) as line (account, amount)
where account_id = ${accountId} group by line.account

with covered as (
  select id, count(*)::int as times from (
    select unnest(keys)::bigint as id from seals
    where account_id = ${accountId} and kind = ${journalEvidence.kind}
    union all
    select unnest(journal_ids) from balance_deltas where account_id = ${accountId}
  ) as ids group by id
)
select coalesce(j.id, c.id) as id, coalesce(c.times, 0) as covered, j.id is not null as exists
from (select id from journals where account_id = ${accountId}) j
full join covered c on c.id = j.id
where j.id is null or c.times is distinct from 1
order by 1 limit 100

-- src/money/ledger/causes.ts

with wanted as (
  select cause, kind, amount from (${wanted}) as told (cause, kind, amount)
),
found as (
  select cause, kind, (
    select coalesce(sum(line.amount), 0)::bigint from unnest(accounts, amounts)
      as line (account, amount) where line.account = any(${…}::smallint[])
  ) as amount
  from journals where account_id = ${accountId} and starts_with(cause, ${…})
)
select cause, kind, amount, sum(wanted)::int as wanted, sum(found)::int as found
from (
  select cause, kind, amount, 1 as wanted, 0 as found from wanted
  union all
  select cause, kind, amount, 0, 1 from found
) as either
group by cause, kind, amount having sum(wanted) <> sum(found)
order by cause, kind, amount limit 100

-- src/money/ledger/days/days.ts

day between ${from}::date and ${to}::date
and (${…} or ledger_account = any(${…}::smallint[]))
and (${…} or kind = any(${…}::text[]))

select ledger_account, day, kind, sum(debits)::bigint as debits, sum(debit)::bigint as debit,
  sum(credits)::bigint as credits, sum(credit)::bigint as credit
from (${daysOf(…)}) as parts
group by ledger_account, day, kind order by day, ledger_account, kind

-- src/money/ledger/days/side.ts

select id, kind, request_id, cause, at, on_date,
  (select sum(line.amount)::bigint from unnest(accounts, amounts) as line (account, amount)
    where line.account = any(${sides})) as amount
from journals
where account_id = ${accountId} and kind = ${kind} and accounts && ${sides}
  and on_date = any(${days}::date[])
  and (on_date, id) < (${day}::date, ${id}::bigint)
order by on_date desc, id desc limit ${limit}

-- src/money/ledger/days/statement.ts

day <= ${to}::date
and (day >= ${from}::date or ledger_account = any(${…}::smallint[]))

select day < ${from}::date as before, ledger_account, kind,
  sum(credit - debit)::bigint as owed, sum(debits + credits)::bigint as journals
from (${daysOf(…)}) as parts
group by 1, ledger_account, kind order by kind, ledger_account

-- src/money/ledger/days/store.ts

select line.account as ledger_account, on_date as day, kind,
  count(*) filter (where line.amount > 0) as debits,
  coalesce(sum(line.amount) filter (where line.amount > 0), 0)::bigint as debit,
  count(*) filter (where line.amount < 0) as credits,
  coalesce(-sum(line.amount) filter (where line.amount < 0), 0)::bigint as credit
from journals, unnest(accounts, amounts) as line (account, amount)
where account_id = ${accountId} and id = any(array(${of}))
group by line.account, on_date, kind

select m.seal_no from ledger_day_marks m where m.account_id = ${accountId}

insert into ledger_day_marks (account_id, seal_no)

insert into ledger_days as d (account_id, ledger_account, day, kind, debits, debit, credits,
  credit)
select ${accountId}, ledger_account, day, kind, debits, debit, credits, credit
from (${sumsOf(…)}) as sums
on conflict (account_id, ledger_account, day, kind) do update set
  debits = d.debits + excluded.debits, debit = d.debit + excluded.debit,
  credits = d.credits + excluded.credits, credit = d.credit + excluded.credit

select ledger_account, day, kind, debits, debit, credits, credit from ledger_days
where account_id = ${accountId} and ${wanted}
union all
select * from (${sumsOf(…)}) as late where ${wanted}

select id from journals where account_id = ${accountId}

sum(debits)::bigint as debits, sum(debit)::bigint as debit,
sum(credits)::bigint as credits, sum(credit)::bigint as credit

select ledger_account, day, kind
from (${sumsOf(…)}) as counted
full join (
  select ledger_account, day, kind, ${sums}
  from (${daysOf(…)}) as parts group by ledger_account, day, kind
) as told using (ledger_account, day, kind)
where row(counted.debits, counted.debit, counted.credits, counted.credit)
  is distinct from row(told.debits, told.debit, told.credits, told.credit)
order by 1, 2, 3 limit 100

-- src/money/ledger/folding.ts

coalesce((${folding.mark(…)}), 0)

select id from (${journalsOfSeals(…)}) as sealed
union all ${journalsWaiting(…)}

with taken as materialized (${journalsOfSeals(…)}),
folded as (${folding.add(…)}),
marked as (
  ${folding.intoMarks(…)} select ${accountId}, max(no) from taken having count(*) > 0
  on conflict (account_id) do update set seal_no = excluded.seal_no
)
select count(distinct no)::int as seals from taken

select id from taken

select a.account_id from ${folding.accounts(…)}
where ${hasSealedJournals(…)} order by a.account_id

-- src/money/ledger/forged.ts

select named.place, line.account, sum(line.amount)::bigint as amount
from unnest(${named.map(…)}::int[],
  ${named.map(…)}::text[], ${named.map(…)}::bigint[])
  as named (place, account_id, id)
join journals j on j.account_id = any(${accountIds}::text[])
  and j.account_id = named.account_id and j.id = named.id,
unnest(j.accounts, j.amounts) as line (account, amount)
group by named.place, line.account

with named as materialized (
  select named.account_id, named.id, j.at
  from unnest(${named.map(…)}::text[],
    ${named.map(…)}::bigint[]) as named (account_id, id)
  join journals j on j.account_id = any(${accountIds}::text[])
    and j.account_id = named.account_id and j.id = named.id
),
since as (
  select account_id, least(min(at), now()) - ${skew}::interval as at from named
  group by account_id
),
sealed as (${keysSealedLater(…)})
select named.account_id, named.id from named
join sealed on sealed.account_id = named.account_id and sealed.key = named.id::text

select * from since

select * from unnest(${named.map(…)}::text[],
${named.map(…)}::bigint[])

select account_id, id, accounts, amounts, journal_ids from balance_deltas
where account_id = ${accountId} order by id

-- src/money/ledger/movements.ts

${sql.unsafe(…)} = any (accounts)

(on_date, id) < (${day}::date, ${id}::bigint) order by on_date desc, id desc

id < ${id}::bigint order by id desc

select id, kind, request_id, cause, at, on_date,
  (select sum(line.amount)::bigint from unnest(accounts, amounts) as line (account, amount)
    where line.account = ${account}::smallint) as owed
from journals
where account_id = ${accountId} and ${moves} and ${behindIt} limit ${limit}

select id, kind, request_id, cause, at, on_date, accounts, amounts
from journals where account_id = ${accountId} and id = ${id}::bigint

-- src/money/ledger/open-day.ts

select set_config('lock_timeout', ${closingWaits}, true)

select from closed_books where through >= ${day}::date

select close_books(${through}::date)

-- src/money/ledger/relations.ts

select no, key::bigint as id
from (${sealedKeys(…)}) as sealed

select unnest(journal_ids) as id from balance_deltas where account_id = ${accountId}

select result_id from journals
where account_id = ${accountId} and id = any(array(${of})) and kind = any(${…}::text[])

-- src/money/ledger/seal.ts

delete from balance_deltas where account_id = ${accountId} and id = any(array(
  select id from (
    select id, sum(journals) over (order by id) - journals as before
    from (
      select id, cardinality(journal_ids) as journals from balance_deltas
      where account_id = ${accountId} order by id limit ${deltasPerSeal}
    ) as waiting
  ) as counted where before < ${journalsPerSeal}))
returning account_id, id, accounts, amounts, journal_ids

delete from balance_deltas where account_id = any(${accountIds}::text[])
returning account_id, id, accounts, amounts, journal_ids

with taken as (${take(…)}),
folded as (
  insert into balances (account_id, ledger_account, amount)
  select account_id, line.account, sum(line.amount)::bigint
  from taken, unnest(accounts, amounts) as line (account, amount)
  group by account_id, line.account
  on conflict (account_id, ledger_account)
  do update set amount = balances.amount + excluded.amount
)
select account_id, id, accounts, amounts, journal_ids from taken

select * from unnest(${owners}::text[],
${taken.flatMap(…)}::bigint[])

select count(*) as waiting from balance_deltas where account_id = ${accountId}

select account_id, count(*)::int as deltas, sum(cardinality(journal_ids))::int as journals
from balance_deltas group by account_id order by min(id) limit ${accountsAtOnce}

-- src/money/ledger/stamp.ts

(
t.id::text in (${keysSealedSince(…)})
or t.id in (select unnest(journal_ids) from balance_deltas where account_id = ${accountId}))

select t.account_id, t.id, t.stamp,
  sha256(convert_to(${sql.unsafe(…)}, 'UTF8')) as digest
from (${named}) as named (account_id, id)
join journals t on t.account_id = named.account_id and t.id = named.id

-- src/money/ledger/store.ts

posting_day as materialized (
  select on_date, post_on(on_date) as open_day
  from (select distinct on_date from ${sql(…)}) as days
),
posted as (
  insert into journals (account_id, id, kind, result_id, request_id, cause, at, on_date,
    accounts, amounts, stamp)
  select account_id, id, kind, result_id, request_id, cause, at, open_day, accounts::smallint[],
    amounts::bigint[], stamp
  from ${sql(…)} join posting_day using (on_date)
  where accounts <> '{}'
  returning account_id, id, accounts, amounts
),
posted_sums as (
  select account_id, line.account, sum(line.amount)::bigint as amount
  from posted, unnest(accounts, amounts) as line (account, amount)
  group by account_id, line.account
),
posted_deltas as (
  insert into balance_deltas (account_id, id, accounts, amounts, journal_ids)
  select journal.account_id, journal.ids[1], sums.accounts, sums.amounts, journal.ids
  from (select account_id, array_agg(id order by id) as ids from posted group by account_id)
    as journal
  join (
    select account_id, array_agg(account) as accounts, array_agg(amount) as amounts
    from posted_sums group by account_id
  ) as sums using (account_id)
)

with new_journals as (
  select ${accountId}::text as account_id, ${id}::bigint as id, ${kind}::text as kind,
    null::bigint as result_id, null::bigint as request_id, ${cause}::text as cause,
    ${at}::timestamptz as at, ${dayOf(…)}::date as on_date,
    ${arrayText(…)}::text as accounts,
    ${arrayText(…)}::text as amounts, ${…}::bytea as stamp
),
${postJournals(…)}
select 1

select ledger_account, sum(amount)::bigint as amount
from (
  select ledger_account, amount from balances where account_id = ${accountId}
  union all
  select line.account, line.amount
  from balance_deltas, unnest(accounts, amounts) as line (account, amount)
  where account_id = ${accountId}
) as parts
group by ledger_account

select account_id, (-sum(amount))::bigint as amount
from (
  select account_id, amount from balances
  where ledger_account = ${ledgerAccounts.holderAvailable}
  union all
  select account_id, line.amount
  from balance_deltas, unnest(accounts, amounts) as line (account, amount)
  where line.account = ${ledgerAccounts.holderAvailable}
) as parts
group by account_id having sum(amount) <> 0

-- src/money/payouts/audit.ts

select id, reference, payouts, total from payout_files

select t.file_id as id, p.reference, count(*)::int as payouts, sum(p.amount)::bigint as total
from payout_transfers t
join payouts p on p.account_id = t.account_id and p.id = t.payout_id
where t.file_id is not null group by t.file_id, p.reference

select coalesce(p.id, t.payout_id) as id
from (select * from payouts where account_id = ${accountId}) p
full join (select * from payout_transfers where account_id = ${accountId}) t
  on t.payout_id = p.id
where p.id is null or t.payout_id is null
order by 1 limit 100

-- src/money/payouts/evidence.ts

select 'payout:' || id, 'payout', amount from payouts where account_id = ${accountId}
union all
select 'payout:' || id, 'payout_return', -amount from payouts
where account_id = ${accountId} and state = 'returned'

-- src/money/payouts/payouts.ts

account_id, id, reference, state, amount, cbu, sent_at, returned_at, return_reason, ordered_by

select ${columns(…)} from payouts
where account_id = ${accountId} and id > ${after} order by id limit ${limit}

select ${columns(…)} from payouts
where account_id = ${accountId} and sent_at >= ${moment}::timestamptz and state = 'sent'
order by sent_at, id limit 1

insert into payouts (account_id, id, reference, state, amount, cbu, sent_at, ordered_by, stamp)
values (${row.account_id}, ${row.id}, ${row.reference}, ${row.state}, ${row.amount}, ${row.cbu},
  ${row.sent_at}::timestamptz, ${row.ordered_by}, ${stamp})

select ${columns(…)} from payouts
where account_id = ${accountId} and reference = ${reference}

select coalesce(sum(amount), 0)::bigint as paid from payouts
where account_id = ${accountId} and sent_at >= ${moment}::timestamptz
  and (${by}::bigint is null or ordered_by is null or ordered_by = ${by}::bigint
    ${…})

or reference in ${letGoBy(…)}

update payouts set state = 'returned', returned_at = ${now}::timestamptz,
  return_reason = ${reason}
where account_id = ${accountId} and id = ${id} and state = 'sent'
returning ${columns(…)}

select 1 from payouts where account_id = ${accountId} and id = ${id}

select ${columns(…)} from payouts
where account_id = ${accountId} and id < ${…}::bigint
order by id desc limit ${limit}

-- src/money/payouts/transfers.ts

insert into payout_transfers (account_id, payout_id) values (${account_id}, ${id})

select p.reference, count(*)::int as payouts, sum(p.amount)::bigint as total
from payout_transfers t
join payouts p on p.account_id = t.account_id and p.id = t.payout_id
where t.file_id is null and p.state = 'sent'
group by p.reference order by min(p.id) limit 200

id, reference, payouts, total, made_at

select ${fileColumns(…)} from payout_files
where id < ${…}::bigint order by id desc limit ${limit}

select ${fileColumns(…)} from payout_files where reference = ${reference} order by id

with open as (
  select p.account_id, p.id, p.amount, a.name, a.cuit
  from payout_transfers t
  join payouts p on p.account_id = t.account_id and p.id = t.payout_id
    ${alsoOwnedBy(…)}
  ${joinAccounts(…)}
  where t.file_id is null and p.reference = ${reference} and p.state = 'sent'
    ${alsoOwnedBy(…)}
  order by p.account_id, p.id for share of p
)
update payout_transfers t set file_id = ${id}, holder = open.name, cuit = open.cuit
from open where t.account_id = open.account_id and t.payout_id = open.id
  ${alsoOwnedBy(…)}
returning open.amount

select account_id from payout_transfers where file_id is null
group by account_id order by account_id

insert into payout_files (id, reference, payouts, total, made_at)
values (${id}, ${reference}, ${file.payouts}, ${file.total}, ${file.made_at}::timestamptz)

select p.account_id, p.id, p.reference, p.amount, p.cbu, t.holder, t.cuit
from payout_transfers t
join payouts p on p.account_id = t.account_id and p.id = t.payout_id
where t.file_id = ${id} order by p.id

account_id = ${payout.account_id} and payout_id = ${payout.id}

select file_id from payout_transfers where ${transfer}

select ${fileColumns(…)} from payout_files where id = ${queued.file_id}

select 1 from ${operatorEventsOf(…)}
where o.entity_id = ${String(…)} and o.type = 'payout_file.handed_over' limit 1

update payout_transfers set file_id = null where ${transfer}

delete from payout_files where id = ${file.id}

update payout_files set payouts = ${left.payouts}, total = ${left.total}
where id = ${file.id}

-- src/money/plans/account-plans.ts

select p.brand, a.brand is not null as chosen,
  coalesce(array_agg(p.installments order by p.installments)
    filter (where a.brand is null or p.installments = any(a.installments)), '{}')
    as installments
from installment_plans p
left join account_plans a on a.account_id = ${accountId} and a.brand = p.brand
group by p.brand, a.brand

select installments from installment_plans where brand = ${brand} order by installments

select installments from account_plans
where account_id = ${accountId} and brand = ${brand}

delete from account_plans where account_id = ${accountId} and brand = ${brand}

insert into account_plans (account_id, brand, installments)
values (${accountId}, ${brand}, ${counts}::smallint[])
on conflict (account_id, brand) do update set installments = excluded.installments

-- src/money/plans/plans.ts

select p.brand, p.installments, p.coefficient_ppm from installment_plans p
left join account_plans a on a.account_id = ${accountId} and a.brand = p.brand
where a.brand is null or p.installments = any(a.installments)
order by p.installments

-- src/money/proposals/evidence.ts

select p.id, p.kind from proposals p
where p.account_id = ${accountId} and p.state = 'approved' and (
  p.decided_by in (p.proposed_by, p.first_approved_by)
  or (p.kind = 'payout' and not exists (
    select from payouts o where o.account_id = p.account_id and o.reference = p.reference
      and o.amount = p.amount))
  or (p.kind = 'correction' and not exists (
    select from corrections c where c.account_id = p.account_id
      and c.reference = p.reference and c.amount = p.amount))
  or (p.kind = 'refund' and not exists (
    select from refunds r where r.account_id = p.account_id
      and r.reference = p.reference and r.amount = p.amount))
)
order by p.id limit 100

-- src/money/proposals/store.ts

account_id, id, kind, reference, request_id, amount, terms::json as terms, state, proposed_by,
proposed_at, first_approved_by, first_approved_at, decided_by, decided_at, reason,
outcome::json as outcome, expires_at

select ${columns(…)} from proposals where kind = ${kind} and id = ${id}

select ${columns(…)} from proposals
where account_id = ${accountId} and kind = ${kind} and reference = ${reference}
  and state <> 'rejected'

select ${columns(…)} from proposals where kind = ${kind} and state = 'waiting'
order by id limit ${limit}

select ${columns(…)} from proposals
where kind = ${kind} and id < ${…}::bigint
order by id desc limit ${limit}

insert into proposals (account_id, id, kind, reference, request_id, amount, terms, state,
  proposed_by, proposed_at, expires_at)
values (${row.account_id}, ${row.id}, ${row.kind}, ${row.reference}, ${row.request_id},
  ${row.amount}, ${JSON.stringify(…)}::text, 'waiting', ${row.proposed_by},
  ${row.proposed_at}::timestamptz, ${row.expires_at}::timestamptz)
on conflict (account_id, kind, reference) where state <> 'rejected' do nothing returning id

update proposals set state = ${state}, decided_by = ${by}, decided_at = ${at}::timestamptz,
  reason = ${reason}
where account_id = ${accountId} and id = ${id} and kind = ${kind} and state = 'waiting'
  and (expires_at is null or expires_at > ${at}::timestamptz)
  and (${state} <> 'approved'
    or (proposed_by <> ${by} and first_approved_by is distinct from ${by}::bigint))
returning ${columns(…)}

update proposals set first_approved_by = ${by}, first_approved_at = ${at}::timestamptz
where account_id = ${accountId} and id = ${id} and state = 'waiting'
  and (expires_at is null or expires_at > ${at}::timestamptz)
  and first_approved_by is null and proposed_by <> ${by}
returning ${columns(…)}

(
select reference from proposals
where account_id = ${accountId} and kind = 'payout' and state = 'approved'
  and expires_at is not null and first_approved_by is null and decided_by = ${by}::bigint)

update proposals set outcome = ${JSON.stringify(…)}::text
where account_id = ${account_id} and id = ${id}

select ${columns(…)} from proposals
where account_id = ${accountId} and kind = ${kind} and reference = ${reference}
order by id desc limit 1

select ${columns(…)} from proposals
where account_id = ${accountId} and kind = ${kind} and state = 'waiting'
  and expires_at > ${at}::timestamptz
order by id limit ${limit}

select ${columns(…)} from proposals
where account_id = ${accountId} and kind = ${kind} and state <> 'waiting'
  and expires_at is not null and id < ${…}::bigint
order by id desc limit ${limit}

select ${columns(…)} from proposals
where account_id = ${accountId} and request_id = ${id} order by id desc limit 100

select ${columns(…)} from proposals
where account_id = ${accountId} and request_id = ${id} and state = 'waiting'
  and expires_at > ${at}::timestamptz

select ${columns(…)} from proposals
where account_id = ${accountId} and kind = 'payout' and state = 'waiting'
  and expires_at is not null

update proposals set state = 'expired', decided_at = ${at}::timestamptz
where account_id = ${account_id} and id = ${id} and state = 'waiting'
  and expires_at <= ${at}::timestamptz
returning 1

select ${columns(…)} from proposals
where state = 'waiting' and expires_at <= ${now}::timestamptz ${withinReach(…)}
order by expires_at limit 100

select min(expires_at) as due from proposals
where state = 'waiting' and expires_at is not null ${withinReach(…)}

-- src/money/refunds/evidence.ts

with asked as (
  select result_id as id, sum(held) as held,
    coalesce(sum(held) filter (where state = 'failed'), 0) as undone
  from refunds where account_id = ${accountId} group by 1
),
posted as (
  select result_id as id, -sum(line.amount) filter (where kind = 'refund_hold') as held,
    coalesce(sum(line.amount) filter (where kind = 'refund_undone'), 0) as undone
  from journals, unnest(accounts, amounts) as line (account, amount)
  where account_id = ${accountId} and kind in ('refund_hold', 'refund_undone')
    and line.account = ${ledgerAccounts.refundsInProgress}
  group by 1
)
select id from asked full join posted using (id)
where coalesce(asked.held, 0) <> coalesce(posted.held, 0)
  or coalesce(asked.undone, 0) <> coalesce(posted.undone, 0)
order by id limit 100

select f.id, f.state, count(r.id)::int as found from refunds f
left join results r on r.account_id = f.account_id and r.source = 'refund'
  and r.source_ref = f.id::text and r.type = 'refund' and r.amount = f.amount
  and r.reverses_id = f.result_id and r.request_id = f.request_id
where f.account_id = ${accountId}
group by f.id, f.state having count(r.id) <> case f.state when 'done' then 1 else 0 end
order by f.id limit 100

select r.id from results r
left join (
  select result_id as id, sum(amount) as amount from refunds
  where account_id = ${accountId} and state = 'requested' group by 1
) as asked using (id)
where r.account_id = ${accountId} and r.refunding <> coalesce(asked.amount, 0)
order by r.id limit 100

-- src/money/refunds/store.ts

account_id, id, request_id, result_id, reference, amount, state, way, cbu, held,
held_unavailable, refunded_before, requested_at, ask_at, ended_at, comment, asked_by

select ${columns(…)} from refunds where account_id = ${accountId} and id = ${id}

select ${columns(…)} from refunds
where account_id = ${accountId} and reference = ${reference}

select ${columns(…)} from refunds
where account_id = ${accountId} and request_id = ${id} order by id limit 1000

select coalesce(sum(amount), 0)::bigint as asked from refunds
where account_id = ${accountId} and request_id = ${id} and result_id = ${resultId}
  and asked_by is not null and state <> 'failed'

select count(*)::int as open from refunds
where account_id = ${accountId} and state = 'requested'

select ${columns(…)} from refunds
where state = 'requested' and way = 'transfer'
  and account_id = coalesce(${accountId}::text, account_id)
order by account_id, id limit ${limit}

select ${columns(…)} from refunds where ask_at <= ${now}::timestamptz ${withinReach(…)}
order by ask_at limit 100

select min(ask_at) as due from refunds where ask_at is not null ${withinReach(…)}

update refunds set ask_at = ${at}::timestamptz
where account_id = ${account_id} and id = ${id} and state = 'requested'

moved_aside as (
  select ${row.account_id}::text as account_id, ${row.result_id}::bigint as result_id,
    ${aside.amount}::bigint as amount, ${aside.unavailable}::bigint as unavailable
),
aside as (${putAside(…)}),
fact as (
  select ${row.account_id}::text as account_id, ${row.request_id}::bigint as request_id,
    ${event.kind}::text as kind, 1 as no, false as is_money, null::text as move_to,
    null::text as move_from, null::text as comment, ${event.id}::bigint as event_id,
    ${eventOf(…)}::text as what, ${event.at}::timestamptz as at,
    ${actorText(…)}::text as actor, ${JSON.stringify(…)}::text as data
),
${noteOnRequests(…)},
new_journals as (
  select ${row.account_id}::text as account_id, ${aside.journalId}::bigint as id,
    ${aside.kind}::text as kind, ${row.result_id}::bigint as result_id,
    ${row.request_id}::bigint as request_id, null::text as cause,
    ${event.at}::timestamptz as at, ${dayOf(…)}::date as on_date,
    ${arrayText(…)}::text as accounts,
    ${arrayText(…)}::text as amounts, ${stamp}::bytea as stamp
),
${postJournals(…)}

with asked as (
  insert into refunds (account_id, id, request_id, result_id, reference, amount, state, way,
    cbu, held, held_unavailable, refunded_before, requested_at, ask_at, asked_by, stamp)
  values (${row.account_id}, ${row.id}, ${row.request_id}, ${row.result_id}, ${row.reference},
    ${row.amount}, ${row.state}, ${row.way}, ${row.cbu}, ${row.held}, ${row.held_unavailable},
    ${row.refunded_before}, ${row.requested_at}::timestamptz, ${row.ask_at}::timestamptz,
    ${row.asked_by}, ${stamp})
),
${setAside(…)}
select 1

with ${setAside(…)} select 1

update refunds set state = ${state}, ended_at = ${at}::timestamptz, ask_at = null,
  comment = ${comment}
where account_id = ${account_id} and id = ${id} and state = 'requested' returning 1

-- src/money/suspense/evidence.ts

select 'suspense:' || id, 'suspense', -amount from suspense where account_id = ${accountId}
union all
select 'suspense:' || id, 'suspense_' || state, amount from suspense
where account_id = ${accountId} and state <> 'open'

with assigned as materialized (
  select id, to_account_id, to_request_id, source, source_ref, amount from suspense
  where account_id = ${accountId} and state = 'assigned'
),
matched as materialized (
  select s.id from assigned s
  join results r on r.account_id = s.to_account_id and r.source = s.source
    and r.source_ref = s.source_ref
  where r.request_id = s.to_request_id and r.type = 'collected' and r.amount = s.amount
)
select id from assigned where id not in (select id from matched) order by id limit 100

-- src/money/suspense/resolve.ts

id, state, reason, channel, channel_label, code, amount, paid_at, source, source_ref, informed_at,
to_account_id, to_request_id, resolved_at, note

select ${columns(…)} from suspense
where account_id = ${operatorBooks} and id > ${after} ${…}
order by id limit ${limit}

and state = 'open'

select count(*)::int as count, coalesce(sum(amount), 0)::bigint as total from suspense
where account_id = ${operatorBooks} and state = 'open'

select ${columns(…)} from suspense where account_id = ${operatorBooks} and id = ${id}

update suspense set state = ${state}, to_account_id = ${…},
  to_request_id = ${…}, note = ${note}, resolved_at = ${now}::timestamptz
where account_id = ${operatorBooks} and id = ${row.id} and state = 'open' returning id

select ${columns(…)} from suspense where account_id = ${operatorBooks}
and source = ${source} and source_ref = ${sourceRef}

-- src/money/suspense/suspend.ts

select * from unnest(
  ${ids.map(…)}::bigint[], ${ids.map(…)}::bigint[],
  ${ids.map(…)}::bigint[], ${money.map(…)}::text[],
  ${money.map(…)}::text[], ${money.map(…)}::text[],
  ${money.map(…)}::text[], ${money.map(…)}::bigint[],
  ${money.map(…)}::timestamptz[], ${money.map(…)}::text[],
  ${money.map(…)}::text[],
  ${entries.map(…)}::text[],
  ${entries.map(…)}::text[],
  ${data.map(…)}::text[], ${stamps}::bytea[], ${own}::bytea[]
) as money (id, journal_id, event_id, reason, channel, channel_label, code, amount, paid_at,
  source, source_ref, accounts, amounts, data, stamp, own_stamp)

with money as materialized (${suspended(…)}),
kept_row as (
  insert into suspense (account_id, id, state, reason, channel, channel_label, code, amount,
    paid_at, source, source_ref, informed_at, stamp)
  select ${operatorBooks}, id, 'open', reason, channel, channel_label, code, amount, paid_at,
    source, source_ref, ${now}::timestamptz, own_stamp
  from money order by source, source_ref
  on conflict (account_id, source, source_ref) do nothing
  returning id
),
kept as (
  select ${operatorBooks}::text as account_id, money.*, ${now}::timestamptz as at
  from money join kept_row using (id)
),
new_events as (
  select account_id, 'suspense' as entity, id::text as entity_id, 1 as version,
    event_id as id, 'suspense.opened' as type, at, ${actorText(…)} as actor, data
  from kept
),
${writeEvents(…)},
new_journals as (
  select account_id, journal_id as id, 'suspense' as kind, null::bigint as result_id,
    null::bigint as request_id, 'suspense:' || id as cause, at,
    ${dayOf(…)}::date as on_date, accounts, amounts, stamp
  from kept
),
${postJournals(…)}
select id from kept_row

-- src/money/unwanted/audit.ts

select u.attempt_id as id from unwanted_approvals u
where not exists (select from accounts a where a.id = u.account_id)
order by u.attempt_id limit 100

select u.attempt_id as id from unwanted_approvals u
left join attempts a on a.account_id = u.account_id and a.id = u.attempt_id
left join results r on r.account_id = u.account_id and r.source = 'attempt'
  and r.source_ref in (u.attempt_id::text, u.attempt_id || ' approved')
  and r.type = 'collected'
where u.account_id = ${accountId} and (a.id is null or a.request_id <> u.request_id
  or (u.state = 'returned' and r.refunded = 0 and r.charged_back = 0))
order by u.attempt_id limit 100

-- src/money/unwanted/store.ts

t.attempt_id > ${lastId}::bigint

account_id, attempt_id, request_id, why, state

insert into unwanted_approvals (account_id, attempt_id, request_id, why, look_at, stamp)
select ${account_id}::text, ${attempt_id}::bigint, ${request_id}::bigint, ${why}::text,
  ${lookAt}::timestamptz, ${stamp}::bytea
where ${…}::boolean or ${returnsLateApprovals(…)}
on conflict (account_id, attempt_id) do update set request_id = excluded.request_id
returning attempt_id

select ${columns(…)}, ${stampColumns(…)} from unwanted_approvals t
where account_id = ${account_id} and request_id = ${request_id}

t.account_id = ${row.account_id} and t.attempt_id = ${row.attempt_id}

select ${columns(…)} from unwanted_approvals
where look_at <= ${now}::timestamptz ${withinReach(…)}
order by look_at limit 100

select min(look_at) as due from unwanted_approvals
where look_at is not null ${withinReach(…)}

update unwanted_approvals set look_at = ${at}::timestamptz
where account_id = ${account_id} and attempt_id = ${attempt_id} and look_at is not null

update unwanted_approvals set state = 'returning', why = ${why}, stamp = ${stamp}
where account_id = ${row.account_id} and attempt_id = ${row.attempt_id} and state = 'noted'

update unwanted_approvals set state = ${state}, look_at = null, stamp = ${stamp}
where account_id = ${row.account_id} and attempt_id = ${row.attempt_id}
  and state in ('noted', 'returning')

-- src/money/withholdings/history.ts

select regime, jurisdiction, rate_ppm, valid_from, valid_to,
  nullif(known_since, '-infinity') as since, until
from (
  select cuit, regime, jurisdiction, rate_ppm, valid_from, valid_to, known_since,
    null::timestamptz as until
  from withholding_rates
  union all
  select cuit, regime, jurisdiction, rate_ppm, valid_from, valid_to, known_since, known_until
  from former_withholding_rates
) as rates
where cuit = (${cuitOf(…)})

-- src/money/withholdings/import.ts

(w.rate_ppm, w.valid_to) is distinct from (l.rate_ppm, l.valid_to)

select l.regime, l.jurisdiction, count(*) filter (where w.cuit is null)::int as added,
  count(*) filter (where w.cuit is not null and ${differs(…)})::int as changed,
  count(*) filter (where w.cuit is not null and not ${differs(…)})::int as unchanged
from taxpayer_rate_lines l
left join withholding_rates w using (cuit, regime, jurisdiction, valid_from)
group by l.regime, l.jurisdiction order by l.regime, l.jurisdiction

with former as (
  insert into former_withholding_rates (cuit, regime, jurisdiction, valid_from, valid_to,
    rate_ppm, known_since, known_until)
  select w.cuit, w.regime, w.jurisdiction, w.valid_from, w.valid_to, w.rate_ppm, w.known_since,
    ${at}::timestamptz
  from taxpayer_rate_lines l
  join withholding_rates w using (cuit, regime, jurisdiction, valid_from)
  where ${differs(…)}
  on conflict do nothing
)
insert into withholding_rates as w (cuit, regime, jurisdiction, valid_from, valid_to, rate_ppm,
  known_since)
select l.cuit, l.regime, l.jurisdiction, l.valid_from, l.valid_to, l.rate_ppm,
  ${at}::timestamptz
from taxpayer_rate_lines l
left join withholding_rates w using (cuit, regime, jurisdiction, valid_from)
where w.cuit is null or ${differs(…)}
order by l.cuit, l.regime, l.jurisdiction, l.valid_from
on conflict (cuit, regime, jurisdiction, valid_from)
do update set valid_to = excluded.valid_to, rate_ppm = excluded.rate_ppm,
  known_since = excluded.known_since

select 1 from registers where sha256 = ${sha256}

insert into registers (sha256, name, lines, added, changed, imported_at)
values (${sha256}, ${basename(…)}, ${lines}, ${total(…)},
  ${total(…)}, ${clocks.business.now(…)}::timestamptz)

select name, lines, added, changed, imported_at from registers
order by imported_at desc, name limit ${limit}

-- src/money/withholdings/stage.ts

select max(line) as line, min(line) as first, cuit from taxpayer_rate_lines
group by cuit, regime, jurisdiction, valid_from having count(*) > 1
order by 1 limit ${mostFaults}

create temporary table taxpayer_rate_lines (line integer, cuit text, regime text, jurisdiction text,
rate_ppm integer, valid_from date, valid_to date) on commit drop

copy taxpayer_rate_lines from stdin

analyze taxpayer_rate_lines

-- src/money/withholdings/withholdings.ts

select a.id as account_id, w.regime, w.jurisdiction, w.rate_ppm, w.valid_from, w.valid_to
from unnest(${accountIds}::text[]) as wanted (account_id) ${joinAccounts(…)}
join withholding_rates w on w.cuit = a.cuit
order by w.regime, w.jurisdiction, w.valid_from

-- src/payment-requests/cvu/store.ts

select cvu from transfer_accounts
where account_id = ${accountId} and request_id = ${id} and connector = ${connector}

select account_id, request_id from transfer_accounts where cvu = ${cvu}

select connector from transfer_accounts where cvu = ${cvu}

insert into transfer_accounts (account_id, request_id, connector, cvu, opened_at)
values (${key.accountId}, ${key.id}, ${connector}, ${cvu}, ${at}::timestamptz)
on conflict do nothing returning cvu

-- src/payment-requests/mails/bounces/book.ts

select m.request_id, coalesce(mail.recipient, m.recipient) as recipient, m.bounced_at
from payer_mails m ${joinMails(…)}
where m.account_id = ${accountId} and m.mail_id = ${mailId}
  and coalesce(mail.state, m.mail_state) = 'sent'
for update of m

update payer_mails set bounced_at = ${now}::timestamptz, bounce = ${bounce.words}
where account_id = ${accountId} and mail_id = ${mailId}

insert into payer_mail_stops (account_id, address, reason, at, request_id)
values (${accountId}, ${addressOf(…)}, 'bounced', ${now}::timestamptz,
  ${mail.request_id})
on conflict do nothing

-- src/payment-requests/mails/follow.ts

select account_id from (
  select account_id, m.seal_no from payer_mail_settings s join payer_mail_marks m using (account_id)
  where s.sends_request or s.sends_receipt
) as a
where ${isSealedAfter(…)}
  or ${isSealedAfter(…)}
order by account_id

(select distinct ${accountId}::text as account_id, key::bigint as key_id
from (${sealedKeys(…)})
  as s where no <= ${until}) as named

insert into payer_mails (account_id, request_id, kind, no, copy, state, at)
select r.account_id, r.id, 'request', 0, 0, 'due', ${window.now}::timestamptz
from ${keysOf(…)}
${lookUpRequests(…)}
join payer_mail_settings s on s.account_id = r.account_id and s.sends_request
where r.kind = 'payment_request' and r.state = 'pending' and r.created_at >= s.request_since
  and r.details->>'payer_email' is not null
order by r.account_id, r.id
on conflict do nothing

insert into payer_mails (account_id, request_id, kind, no, copy, state, at)
select r.account_id, r.id, 'receipt', result.id, 0, 'due', ${window.now}::timestamptz
from ${keysOf(…)}
${lookUpResults(…)}
${lookUpRequests(…)}
join payer_mail_settings s on s.account_id = r.account_id and s.sends_receipt
where r.kind = 'payment_request' and result.type = 'collected'
  and result.informed_at >= s.receipt_since and r.details->>'payer_email' is not null
order by r.account_id, r.id, result.id
on conflict do nothing

select seal_no as from, ${lastSealNo(…)} as last from payer_mail_marks
where account_id = ${accountId} for update skip locked

update payer_mail_marks set seal_no = ${until} where account_id = ${accountId}

-- src/payment-requests/mails/remind.ts

payer_mail_settings s join payer_mail_marks m using (account_id)
${joinAccounts(…)} where s.sends_reminder and ${isActive(…)}

r.due1 >= ${dayOf(…)}::date and r.due1 > ${after}::date and r.due1 <= ${until}::date

r.due2 is not null and r.last_due >= ${dayOf(…)}::date and r.last_due <= ${until}::date
and greatest(r.due2, r.due1 + 1 + ${days}::int) > ${after}::date
and greatest(r.due2, r.due1 + 1 + ${days}::int) <= ${until}::date

with chosen as (
  select r.id, r.${tx(…)} as day from ${requestsOfKind(…)}
  join payer_mail_settings s on s.account_id = r.account_id
  where r.account_id = ${accountId} and r.state = 'pending' and ${isDue(…)}
    and (r.${tx(…)}, r.id) > (${day}::date, ${id}::bigint)
    and r.details->>'payer_email' is not null
    and (not s.sends_request or r.created_at < ${midnightOf(…)}::timestamptz)
    and not exists (
      select from payer_mails p where p.account_id = r.account_id and p.request_id = r.id
        and p.kind = 'reminder' and p.no = ${no} and p.copy = 0)
  order by r.${tx(…)}, r.id limit ${notedAtOnce}
), noted as (
  insert into payer_mails (account_id, request_id, kind, no, copy, state, at)
  select ${accountId}, id, 'reminder', ${no}, 0, 'due', ${now}::timestamptz from chosen
  on conflict do nothing returning request_id
)
select day, id, (select count(*)::int from noted) as noted,
  (select count(*)::int from chosen) as chosen
from chosen order by day desc, id desc limit 1

select from payer_mail_marks m join payer_mail_settings s using (account_id)
where account_id = ${accountId} and s.sends_reminder and s.reminder_days = ${days}
for update of m skip locked

update payer_mail_marks set reminded_until = greatest(reminded_until, ${window.until}::date)
where account_id = ${window.accountId}

select min(m.reminded_until - s.reminder_days) as done from ${reminding(…)}

select account_id, m.reminded_until as after, s.reminder_days as days
from ${reminding(…)} and m.reminded_until - s.reminder_days < ${today}::date
order by account_id

-- src/payment-requests/mails/resend.ts

select copy, at from payer_mails
where account_id = ${accountId} and request_id = ${id} and copy > 0
order by copy desc limit ${mostADay}

delete from payer_mail_stops
where account_id = ${accountId} and address = ${addressOf(…)} and reason = 'bounced'

with named as (
  insert into payer_mails (account_id, request_id, kind, no, copy, state, at, mail_id)
  values (${key.accountId}, ${key.id}, ${kind}, ${no}, ${copy}, 'queued', ${at}::timestamptz,
    ${mailId})
  returning account_id, mail_id
),
${queueMails(…)}
select 1

-- src/payment-requests/mails/settings.ts

select sends_request as request, sends_reminder as reminder, sends_receipt as receipt,
  reminder_days, languages, attaches_coupon
from payer_mail_settings where account_id = ${accountId}

select ${lastSealNo(…)} as no

insert into payer_mail_marks as m (account_id, seal_no, reminded_until)
values (${accountId}, ${…}, ${…}::date)
on conflict (account_id) do update set
  seal_no = case when ${…}::boolean then m.seal_no
    else excluded.seal_no end,
  reminded_until = case when excluded.reminded_until is null then m.reminded_until
    when ${before.reminder}::boolean then least(m.reminded_until, excluded.reminded_until)
    else excluded.reminded_until end

insert into payer_mail_settings as s (account_id, sends_request, sends_reminder, sends_receipt,
  request_since, receipt_since, reminder_days, languages, attaches_coupon)
values (${accountId}, ${request}, ${reminder}, ${receipt},
  case when ${request} then ${now}::timestamptz end,
  case when ${receipt} then ${now}::timestamptz end,
  ${reminderDays}, ${languages}, ${attachesCoupon})
on conflict (account_id) do update set
  sends_request = excluded.sends_request, sends_reminder = excluded.sends_reminder,
  sends_receipt = excluded.sends_receipt,
  request_since = case when s.sends_request and excluded.sends_request then s.request_since
    else excluded.request_since end,
  receipt_since = case when s.sends_receipt and excluded.sends_receipt then s.receipt_since
    else excluded.receipt_since end,
  reminder_days = excluded.reminder_days, languages = excluded.languages,
  attaches_coupon = excluded.attaches_coupon

select kind, lang, subject, body from payer_mail_texts where account_id = ${accountId}

delete from payer_mail_texts
where account_id = ${accountId} and kind = ${kind} and lang = ${lang}

insert into payer_mail_texts (account_id, kind, lang, subject, body)
values (${accountId}, ${kind}, ${lang}, ${text.subject}, ${text.body})
on conflict (account_id, kind, lang)
do update set subject = excluded.subject, body = excluded.body

-- src/payment-requests/mails/stops.ts

select address, reason from payer_mail_stops
where account_id = ${accountId} and address = any(${emails.map(…)}::text[])

select reason, count(*)::int as count from payer_mail_stops where account_id = ${accountId}
group by reason

with named as (select ${key.accountId}::text as account_id, ${key.id}::bigint as request_id),
${lockRequests(…)},
fact as (
  select account_id, request_id, 'payment_request' as kind, 1 as no, false as is_money,
    null::text as move_to, null::text as move_from, null::text as comment,
    ${eventId}::bigint as event_id, ${eventOf(…)}::text as what,
    ${at}::timestamptz as at, ${actorText(…)}::text as actor,
    ${JSON.stringify(…)}::text as data
  from held_requests
),
${noteOnRequests(…)}
select 1 from moved_requests

insert into payer_mail_stops as s (account_id, address, reason, at, request_id)
values (${key.accountId}, ${address}, 'unsubscribed', ${at}::timestamptz, ${key.id})
on conflict (account_id, address) do update
  set reason = 'unsubscribed', at = excluded.at, request_id = excluded.request_id
  where s.reason <> 'unsubscribed'
returning address

delete from payer_mail_stops
where account_id = ${key.accountId} and address = ${address} returning address

-- src/payment-requests/mails/store.ts

select s.account_id from payer_mail_settings s
where exists (select from payer_mails m where m.account_id = s.account_id and m.state = 'due')
order by s.account_id

select request_id, kind, no, copy from payer_mails
where account_id = ${accountId} and state = 'due'
order by at, request_id limit ${most} for update skip locked

update payer_mails m set state = 'skipped', reason = one.reason
from unnest(${skipped.map(…)}::bigint[],
  ${skipped.map(…)}::text[], ${skipped.map(…)}::bigint[],
  ${skipped.map(…)}::smallint[],
  ${skipped.map(…)}::text[]
) as one (request_id, kind, no, copy, reason)
where m.account_id = ${accountId} and m.request_id = one.request_id and m.kind = one.kind
  and m.no = one.no and m.copy = one.copy

select m.kind, coalesce(mail.recipient, m.recipient) as recipient,
  coalesce(mail.state, m.mail_state) as state, coalesce(mail.ended_at, m.ended_at) as ended_at,
  mail.refusal, m.bounced_at, m.bounce
from payer_mails m ${joinMails(…)}
where m.account_id = ${accountId} and m.request_id = ${id} and coalesce(mail.state, m.mail_state) is not null
order by m.at, m.mail_id limit ${mostTold}

told as (
  update payer_mails m set recipient = gone.recipient, mail_state = gone.state,
    ended_at = gone.ended_at
  from gone where m.account_id = gone.account_id and m.mail_id = gone.id
)

-- src/payment-requests/mails/write.ts

with named as (
  update payer_mails m set state = 'queued', mail_id = one.mail_id
  from unnest(${dues.map(…)}::bigint[],
    ${dues.map(…)}::text[], ${dues.map(…)}::bigint[],
    ${dues.map(…)}::smallint[], ${mails.map(…)}::bigint[]
  ) as one (request_id, kind, no, copy, mail_id)
  where m.account_id = ${accountId} and m.request_id = one.request_id and m.kind = one.kind
    and m.no = one.no and m.copy = one.copy
  returning m.account_id, m.mail_id
),
${queueMails(…)}
select 1

-- src/payment-requests/payable.ts

r.created_at < ${midnightOf(…)}::timestamptz

r.last_due >= ${day}::date and ${before}

union select r.account_id, r.id from ${own} where r.state = 'expired' and ${there}

with payable as (
  select s.account_id, s.id from ${pendingOfKind(…)}
  where s.last_due >= ${day}::date and ${before}
  union
  select r.account_id, r.id from ${firstPaidSince(…)}
  ${joinRequests(…)} where r.kind = 'payment_request' and ${there}
  ${expiredSince}
)
select r.account_id, r.id, r.kind, r.state, r.version, r.created_at, r.reference, r.payer,
  r.description, r.due1, r.total1, r.due2, r.total2, r.last_due, r.code, r.details,
  a.name as collector
from payable ${joinRequests(…)} ${joinAccounts(…)}
where ${isActive(…)}
order by r.id

-- src/payment-requests/timeline/opened.ts

with opening as (
  insert into request_openings (account_id, request_id, at)
  values (${accountId}, ${id}, ${at}::timestamptz) on conflict do nothing
  returning account_id, request_id
),
${lockRequests(…)},
fact as (
  select account_id, request_id, 'payment_request' as kind, 1 as no, false as is_money,
    null::text as move_to, null::text as move_from, null::text as comment,
    ${eventId}::bigint as event_id, ${eventOf(…)}::text as what,
    ${at}::timestamptz as at, ${actorText(…)}::text as actor, '{}'::text as data
  from held_requests
),
${noteOnRequests(…)}
select 1 from moved_requests

-- src/platform/clocks.ts

select ahead_ms from clock

update clock set ahead_ms = greatest(ahead_ms, ${wanted}::bigint) returning ahead_ms

select pg_notify(${clockMovedTopic}, '')

-- src/platform/embedded/embedded.ts

select 1

select from pg_roles where rolname = ${name}

select from pg_database where datname = ${serviceName}

select from pg_stat_activity
where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1

-- src/platform/idempotency.ts

claim as materialized (
  select * from unnest(
    ${claims.map(…)}::text[],
    ${claims.map(…)}::text[],
    ${claims.map(…)}::text[],
    ${claims.map(…)}::bytea[],
    ${claims.map(…)}::smallint[],
    ${claims.map(…)}::text[],
    ${claims.map(…)}::bigint[]
  ) as claim (account_id, path, key, fingerprint, status, body, id)
),
claimed as (
  insert into idempotency_keys (account_id, path, key, fingerprint, status, body, created_at)
  select account_id, path, key, fingerprint, status, body, ${wallNow}::timestamptz
  from claim order by account_id, path, key
  on conflict (account_id, path, key) do nothing
  returning account_id, path, key
)

fresh as materialized (
  select n.* from ${sql(…)} n
  left join claim on claim.account_id = n.account_id and claim.id = n.${sql(…)}
  left join claimed on claimed.account_id = claim.account_id and claimed.path = claim.path
    and claimed.key = claim.key
  where claim.key is null or claimed.key is not null
)

insert into idempotency_keys (account_id, path, key, fingerprint, status, body, created_at)
values (${claim.accountId}, ${claim.path}, ${claim.key}, ${claim.fingerprint}, ${status},
  ${body}, ${wallNow}::timestamptz)
on conflict (account_id, path, key) do nothing returning 1

select claim.no::int, stored.fingerprint, stored.status, stored.body
from unnest(
  ${claims.map(…)}::text[],
  ${claims.map(…)}::text[],
  ${claims.map(…)}::text[]
) with ordinality as claim (account_id, path, key, no)
join idempotency_keys stored on stored.account_id = claim.account_id
  and stored.path = claim.path and stored.key = claim.key ${owned}

insert into idempotency_keys (account_id, path, key, fingerprint, status, body, created_at)
values (${claim.accountId}, ${claim.path}, ${claim.key}, ${claim.fingerprint}, ${status},
  ${body}, ${wallNow}::timestamptz)
on conflict (account_id, path, key) do nothing

with old as materialized (
  select account_id, path, key from idempotency_keys
  where created_at < ${wallNow.subtract(…)}::timestamptz
  order by created_at limit 5000
)
delete from idempotency_keys k using old
where k.account_id = old.account_id and k.path = old.path and k.key = old.key

-- src/platform/mail/forget.ts

gone as (
  delete from mails where ctid = any(array(
    select ctid from mails
    where state in ('sent', 'dropped') and next_at < ${before}::timestamptz
    order by next_at limit ${forgottenAtOnce} for update skip locked))
  returning account_id, id, recipient, state, ended_at
)

old as materialized (
  select account_id, id from mails
  where state in ('sent', 'dropped') and next_at < ${before}::timestamptz
  order by next_at limit ${forgottenAtOnce}
),
gone as (
  delete from mails m using old
  where m.account_id = old.account_id and m.id = old.id and m.state in ('sent', 'dropped')
  returning m.account_id, m.id, m.recipient, m.state, m.ended_at
)

with ${…}, ${keeps}
select count(*)::int as count from gone

-- src/platform/mail/outbox.ts

select account_id, id, recipient, subject, state, attempts, next_at from mails
where account_id = any(${…}::text[]) and state = ${state} and id > ${after}
order by id limit ${limit}

update mails set state = 'waiting', attempts = 0, next_at = ${now}::timestamptz,
  ended_at = null, refusal = null
where account_id = any(${…}::text[]) and state = 'failed'
  ${…}
returning id

and id = ${id}

select count(*)::int as count from mails where state = 'failed'

select 1 from mails where account_id = ${accountId} and state = 'waiting' and paced

select 1 from mails where state = 'waiting' and attempts > 0

select 1 from mails where state = 'waiting'

-- src/platform/mail/queue.ts

queued_mail as (
  insert into mails (account_id, id, recipient, subject, body, link_kind, link_id, link_no,
    mailbox, paced, mass, state, attempts, next_at)
  select account_id, mail_id, recipient, subject, body, link_kind, link_id, link_no, mailbox,
    mailbox is not null, mass, 'waiting', 0, ${now}::timestamptz
  from unnest(
    ${mails.map(…)}::text[], ${mails.map(…)}::bigint[],
    ${mails.map(…)}::text[],
    ${mails.map(…)}::text[],
    ${mails.map(…)}::text[],
    ${mails.map(…)}::text[],
    ${mails.map(…)}::bigint[],
    ${mails.map(…)}::smallint[],
    ${mails.map(…)}::text[],
    ${mails.map(…)}::boolean[]
  ) as mail (account_id, mail_id, recipient, subject, body, link_kind, link_id, link_no, mailbox,
    mass)
  join ${sql(…)} using (account_id, mail_id)
)

-- src/platform/mail/send.ts

update mails set state = 'sent', ended_at = ${business.now(…)}::timestamptz
where account_id = ${mail.account_id} and id = ${mail.id}

update mails set state = ${…},
  next_at = ${clock.now(…).add(…)}::timestamptz,
  ended_at = ${…}::timestamptz, refusal = ${refusal}
where account_id = ${mail.account_id} and id = ${mail.id}

-- src/platform/mail/take.ts

left join mails mail on mail.account_id = ${sql(…)}.account_id
and mail.id = ${sql(…)}.mail_id

select account_id from mails
where state = 'waiting' and next_at <= ${now}::timestamptz ${withinReach(…)}
group by account_id

with recursive owner as (
  (select account_id from mails where state = 'waiting' order by account_id limit 1)
  union all
  select (
    select account_id from mails
    where state = 'waiting' and account_id > owner.account_id order by account_id limit 1)
  from owner where account_id is not null
)
select account_id from owner
where account_id is not null and exists (
  select from mails m
  where m.account_id = owner.account_id and m.state = 'waiting'
    and m.paced = any('{false,true}') and m.mass = any('{false,true}') and m.next_at <= ${now}::timestamptz)

select count(*)::int as count from mails
where account_id = ${accountId} and counted_at > ${now.subtract(…)}::timestamptz

select id, link_kind, link_id, link_no, mailbox, paced from mails
where account_id = ${accountId} and state = 'waiting' and paced = ${paced} and mass = ${mass}
  and next_at <= ${now}::timestamptz
order by next_at, id limit ${limit} for update skip locked

select mailbox, array(
  select counted_at from mails m
  where m.account_id = ${accountId} and m.mailbox = asked.mailbox
    and m.counted_at > ${now.subtract(…)}::timestamptz
  order by counted_at desc limit ${perMailbox}) as times
from unnest(${mailboxes}::text[]) as asked (mailbox)

update mails set state = 'dropped', paced = false
where account_id = ${accountId} and id = any(${ids}::bigint[])

update mails m set next_at = until
from unnest(${…}::text[], ${…}::timestamptz[])
  as f (mailbox, until)
where m.account_id = ${accountId} and m.mailbox = f.mailbox and m.paced
  and m.state = 'waiting' and m.next_at < until

update mails set attempts = attempts + 1, next_at = ${now.add(…)}::timestamptz,
  counted_at = case when paced then ${now}::timestamptz else counted_at end, paced = false
where account_id = ${accountId} and id = any(${ids}::bigint[])
returning account_id, id, recipient, subject, body, link_kind, link_id, link_no, attempts

-- src/platform/postgres/advisory-lock.ts

select pg_advisory_xact_lock(hashtextextended(name, 0))
from unnest(${names.toSorted(…)}::text[]) as name

select 1

select set_config('idle_in_transaction_session_timeout', ${String(…)}, true),
${lock}(${advisoryLockNumber(…)}::bigint) as held

-- src/platform/postgres/columns.ts

array_fill(${first}::${type}, array[${values.length}::int])

-- src/platform/postgres/count.ts

select count(*)::int as count from (${found} limit ${most}) as found

-- src/platform/postgres/distributed/decided.ts

select success, result from run_command_on_workers(
'select coalesce(string_agg(gid, '',''), '''') from pg_prepared_xacts
 where database = current_database()')

-- src/platform/postgres/distributed/distribute.ts

select coalesce(bool_or(groupid = 0), false) as coordinator,
  count(*) filter (where groupid <> 0 and isactive and shouldhaveshards)::int as workers
from pg_dist_node where noderole = 'primary'

select distinct application_name as name from pg_stat_activity
where datname = current_database() and application_name like 'recaudo %'
  and application_name <> current_setting('application_name')
order by 1

select pg_relation_size(${table}::regclass) as bytes

select has_table_privilege(${table}::regclass, 'truncate') as may

grant truncate on ${name} to current_user

select truncate_local_data_after_distributing_table(${table}::regclass)

revoke truncate on ${name} from current_user

select format('%s on %s:%s', shardid, nodename, nodeport) as shard, success, result as rights
from run_command_on_placements(${table}::regclass, ${rightsOf(…)})

select set_config('citus.shard_count', ${String(…)}, true)

-- src/platform/postgres/distributed/layout.ts

select to_regclass('pg_dist_partition') is not null as there

with keyed as (
  select c.oid, c.relname,
    case when c.relname = 'accounts' then 'id' else 'account_id' end as owner
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
)
select k.relname as table,
  case when exists (
    select from pg_index i
    join pg_attribute a on a.attrelid = k.oid and a.attnum = i.indkey[0]
    where i.indrelid = k.oid and i.indisprimary and a.attname = k.owner
  ) and not exists (
    select from pg_index i where i.indrelid = k.oid and i.indisunique and not exists (
      select from pg_attribute a
      where a.attrelid = k.oid and a.attname = k.owner and a.attnum = any(i.indkey::int2[]))
  ) then k.owner end as wanted_by,
  p.partmethod::text as method, coalesce(p.repmodel = 't', false) as is_reference,
  case when p.partmethod = 'h' then column_to_column_name(p.logicalrelid, p.partkey) end
    as actual_by,
  coalesce(p.colocationid = (
    select o.colocationid from pg_dist_partition o where o.logicalrelid = to_regclass('accounts')
  ), false) as beside
from keyed k left join pg_dist_partition p on p.logicalrelid = k.oid
order by k.relname collate "C"

-- src/platform/postgres/distributed/look.ts

select count(distinct p.groupid)::int as nodes, count(distinct s.shardid)::int as shards
from pg_dist_shard s join pg_dist_placement p using (shardid)
where s.logicalrelid = to_regclass('accounts')

-- src/platform/postgres/distributed/place.ts

select tgname as name from pg_trigger
where tgrelid = ${table}::regclass and not tgisinternal

drop trigger ${tx(…)} on ${tx(…)}

select create_reference_table(${table}::regclass)

select create_distributed_table(${table}::regclass, ${wanted.by}, colocate_with => ${beside})

with relation as (
  select c.oid, c.relname, c.relowner, coalesce(c.relacl, acldefault('r', c.relowner)) as acl
  from pg_class c where c.oid = ${table}::regclass
),
owned as (
  select r.relname, r.relowner, e.privilege_type, null::name as column
  from relation r, aclexplode(r.acl) e where e.grantee = r.relowner
  union all
  select r.relname, r.relowner, e.privilege_type, a.attname
  from relation r
  join pg_attribute a on a.attrelid = r.oid and a.attacl is not null and not a.attisdropped,
    aclexplode(a.attacl) e
  where e.grantee = r.relowner
)
select format('revoke all on %I from %s', relname, relowner::regrole) as statement from relation
union all
select format('grant %s%s on %I to %s', privilege_type,
  ' (' || quote_ident(owned.column) || ')', relname, relowner::regrole)
from owned

-- src/platform/postgres/distributed/reach.ts

select success, result as ids from run_command_on_shards('accounts',
'select coalesce(string_agg(id, '',''), '''') from %s')

-- src/platform/postgres/durability.ts

select format('%s:%s', nodename, nodeport) as node, result as settings
from run_command_on_workers(${offHere}) where success order by 1

-- src/platform/postgres/id-blocks.ts

select seqincrement as step from pg_sequence where seqrelid = ${sequence}::text::regclass

select nextval(${sequence}::text::regclass) as first
from generate_series(1, ${Math.ceil(…)}::int)

-- src/platform/postgres/identity.ts

select format('%s of %s', oid, extract(epoch from pg_postmaster_start_time())) as name
from pg_database where datname = current_database()

-- src/platform/postgres/lists.ts

${all} and ${condition}

with found as materialized (
  select place, id from ${sought} where ${owner} and ${…}
  order by ${along} limit ${…}
),
counted as (select count(*)::int as count from found)
select count, array(
  select id from found where count <= ${mostCounted}
  order by place, id limit ${limit} offset ${offset}
) as ids
from counted

select id from (
  select * from ${table} where ${owner} and (place, id) > (${behind.place}, ${behind.id})
  order by place, id limit ${mostCounted}
) as near
where ${…} order by place, id limit ${limit} offset ${offset}

select id from ${sought} where ${owner} and ${…}
  and (place, id) > (${behind.place}, ${behind.id})
order by place + 0, id limit ${limit} offset ${offset}

select ${columns} from ${table}
where ${owner} and (place, id) > (${behind.place}, ${behind.id})
order by place, id limit ${limit} offset ${offset}

select ${columns} from ${table} where ${owner} and id = any(${ids}::bigint[])
order by place, id

select place, id from ${table} where ${owner} and id = ${id}

select from ${table} where ${owner} and place > ${settledHere} limit 1

${owner} and place <= ${place}

-- src/platform/postgres/local-time.ts

(${moment} at time zone interval '-03:00')::date

-- src/platform/postgres/migrate.ts

select to_regclass('migrations') is not null as exists

select name, checksum from migrations

create table migrations (
name text primary key, checksum text not null, applied_at timestamptz not null)

insert into migrations (name, checksum, applied_at)
values (${next.name}, ${next.checksum}, ${appliedAt})

-- src/platform/postgres/owners.ts

and ${sql(…)}.${sql(…)} = any(${…}::text[])

and ${…}${sql(…)} = any(${…}::text[])

-- src/platform/postgres/places.ts

(select take_place(${list}, ${…}::text[]))

select * from open_places(${list}, ${accountId}, ${former}::text[])

-- src/platform/postgres/roles.ts

with relation as (
  select oid, relname, relkind, relowner, relname = 'migrations' as is_list,
    coalesce(relacl,
      acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner)) as acl
  from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'S')
),
held as (
  select relname, relkind, is_list, relowner, null::name as attname, acl from relation
  union all
  select relname, relkind, is_list, relowner, a.attname, a.attacl
  from relation join pg_attribute a on a.attrelid = relation.oid
  where a.attacl is not null and a.attnum > 0 and not a.attisdropped
),
wanted as (
  select relname, attname, privilege_type from held, aclexplode(acl) as entry
  where entry.grantee = relowner and privilege_type = any(case
    when is_list then array['SELECT']
    when relkind = 'S' then array['SELECT', 'USAGE']
    else array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] end)
),
given as (
  select relname, attname, privilege_type from held, aclexplode(acl) as entry
  where entry.grantee = ${role}::text::regrole
),
both_sides as (
  select coalesce(w.relname, g.relname) as relname, coalesce(w.attname, g.attname) as attname,
    coalesce(w.privilege_type, g.privilege_type) as privilege, w.relname is not null as grants
  from wanted w full join given g
    on g.relname = w.relname and g.privilege_type = w.privilege_type
      and coalesce(g.attname, '') = coalesce(w.attname, '')
  where w.relname is null or g.relname is null
)
select case when grants then 'grant ' else 'revoke ' end || privilege
  || coalesce(' (' || quote_ident(attname) || ')', '') || format(' on %s %I.%I %s %s',
    case relkind when 'S' then 'sequence' else 'table' end, current_schema(), relname,
    case when grants then 'to' else 'from' end, ${role}::text::regrole) as statement
from both_sides join relation using (relname)
order by grants, statement

select current_user as role, coalesce(
(select rolsuper from pg_roles where rolname = current_user)
  or (select pg_has_role(current_user, relowner, 'MEMBER') from pg_class
    where oid = to_regclass('migrations')),
has_schema_privilege(current_schema(), 'CREATE')) as owns

-- src/platform/postgres/schema-dump.ts

select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
  a.attnotnull as required, a.attidentity::text as identity, a.attgenerated::text as generated,
  pg_get_expr(d.adbin, d.adrelid) as default,
  case when a.attcollation <> t.typcollation then l.collname end as collation
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
left join pg_collation l on l.oid = a.attcollation
where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'p')
order by c.relname collate "C", a.attnum

select r.relname as table,
  format('constraint %I %s', c.conname, pg_get_constraintdef(c.oid)) as text
from pg_constraint c join pg_class r on r.oid = c.conrelid
where r.relnamespace = ${schema}::regnamespace and r.relkind in ('r', 'p')
  and c.contype <> 'n'
order by r.relname collate "C", c.conname collate "C"

select r.relname as table, part.text
from pg_class r cross join lateral (
  select 1 as kind, pg_get_indexdef(i.indexrelid) as text from pg_index i
  where i.indrelid = r.oid
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid
      and c.contype in ('p', 'u', 'x'))
  union all
  select 2, pg_get_triggerdef(t.oid) from pg_trigger t
  where t.tgrelid = r.oid and not t.tgisinternal
  union all
  select 3, format('partition by %s', pg_get_partkeydef(r.oid)) where r.relkind = 'p'
  union all
  select 4, format('partition of %s %s', i.inhparent::regclass,
    pg_get_expr(r.relpartbound, r.oid))
  from pg_inherits i where i.inhrelid = r.oid
) as part
where r.relnamespace = ${schema}::regnamespace and r.relkind in ('r', 'p')
order by r.relname collate "C", part.kind, part.text collate "C"

select r.relname as table, said.text
from pg_class r cross join lateral (
  select 'revoke ' || string_agg(lower(usual.privilege_type), ', '
    order by usual.privilege_type) || ' from owner' as text
  from aclexplode(acldefault('r', r.relowner)) usual
  where not exists (select from aclexplode(r.relacl) kept
    where kept.grantee = r.relowner and kept.privilege_type = usual.privilege_type)
  having count(*) > 0
  union all
  select 'grant ' || string_agg(lower(given.privilege_type), ', '
    order by given.privilege_type) || ' to public'
  from aclexplode(r.relacl) given where given.grantee = 0
  having count(*) > 0
  union all
  select 'grant ' || lower(given.privilege_type) || ' (' || string_agg(a.attname, ', '
    order by a.attname) || ') to owner'
  from pg_attribute a cross join aclexplode(a.attacl) given
  where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    and given.grantee = r.relowner
  group by given.privilege_type
) as said
where r.relnamespace = ${schema}::regnamespace and r.relkind in ('r', 'p')
  and r.relacl is not null
order by r.relname collate "C", said.text collate "C"

select text from (
  select 1 as kind, c.relname as name, format('sequence %I as %s increment %s start %s '
    'minimum %s maximum %s cache %s%s', c.relname, format_type(s.seqtypid, null),
    s.seqincrement, s.seqstart, s.seqmin, s.seqmax, s.seqcache,
    case when s.seqcycle then ' cycle' else '' end) as text
  from pg_sequence s join pg_class c on c.oid = s.seqrelid
  where c.relnamespace = ${schema}::regnamespace
  union all
  select 2, t.typname, format('enum %I: %s', t.typname,
    string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder))
  from pg_type t join pg_enum e on e.enumtypid = t.oid
  where t.typnamespace = ${schema}::regnamespace
  group by t.typname
  union all
  select 3, p.proname || pg_get_function_identity_arguments(p.oid), pg_get_functiondef(p.oid)
  from pg_proc p
  where p.pronamespace = ${schema}::regnamespace and p.prokind in ('f', 'p')
    and not exists (select from pg_depend d
      where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union all
  select 4, c.relname, format('view %I as%s%s', c.relname, chr(10), pg_get_viewdef(c.oid))
  from pg_class c
  where c.relnamespace = ${schema}::regnamespace and c.relkind in ('v', 'm')
) as things
order by kind, name collate "C"

select current_schema() as schema

select set_config('search_path', 'pg_catalog', true)

-- src/platform/postgres/server-clock.ts

select clock_timestamp() as at

-- src/platform/postgres/server-state.ts

select (select count(*)::int from pg_stat_activity where backend_type = 'client backend')
  as connections,
current_setting('max_connections')::int as most

select coalesce(application_name, '') as name, state,
  extract(epoch from replay_lag)::float8 as lag_seconds
from pg_stat_replication order by application_name limit ${mostFollowers}

-- src/platform/postgres/tell.ts

with told as materialized (select nextval('told') as no)
select no, pg_notify(${topic}, ${said}::text || no) from told

select from pg_locks
where locktype = 'advisory' and objsubid = 2
  and database = (select oid from pg_database where datname = current_database())
  and classid::bigint = hashtext('recaudo listener')::bigint & 4294967295
  and objid::bigint < ${no}
limit 1

-- src/platform/postgres/writable.ts

select current_setting('transaction_read_only')::boolean as read_only

-- src/platform/processes/budget.ts

select least(
  current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0),
  (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
  (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
) as most

-- src/platform/replica/marks.ts

select born::text, no, mark::text,
  (extract(epoch from clock_timestamp() - at) * 1000)::float8 as age_ms
from mark_for_replicas()

select born::text, no, mark::text,
  (extract(epoch from clock_timestamp() - at) * 1000)::float8 as age_ms,
  exists (
    select from account_writes w where w.account_id = ${accountId}
      and w.at > clock_timestamp() - ${withinMs}::float8 * interval '1 millisecond'
  ) as wrote,
  ${lastTold(…)} as told
from replica_marks

select pg_is_in_recovery() as standby, born::text, no, mark::text, settled
from replica_marks

select pg_is_in_recovery() as standby, born::text, no, mark::text, settled,
  ${lastTold(…)} as told
from replica_marks

insert into account_writes (account_id, at) values (${accountId}, clock_timestamp())
on conflict (account_id) do update set at = excluded.at

-- src/platform/rests.ts

select pg_current_snapshot()::text as now

-- src/platform/sweep-runs.ts

insert into sweep_runs as kept (name, ran_at, took_ms, moved, failed_at, error)
select * from unnest(${rows.map(…)}::text[],
  ${rows.map(…)}::timestamptz[], ${rows.map(…)}::int[],
  ${rows.map(…)}::int[], ${rows.map(…)}::timestamptz[],
  ${rows.map(…)}::text[])
on conflict (name) do update set
  ran_at = coalesce(excluded.ran_at, kept.ran_at),
  took_ms = coalesce(excluded.took_ms, kept.took_ms),
  moved = coalesce(excluded.moved, kept.moved),
  failed_at = coalesce(excluded.failed_at, kept.failed_at),
  error = coalesce(excluded.error, kept.error)

select name, ran_at, took_ms, moved, failed_at, error from sweep_runs

-- src/qr/dynamic/store-changes.ts

select ${requestColumns(…)} from ${namedRequests(…)}
where r.kind = 'qr' and r.details->>'static_id' is null
order by r.id for update of r

select ${requestColumns(…)} from ${namedRequests(…)}
where r.kind = 'qr' and r.details->>'static_id' is null
order by r.id for update of r

step as (
  select account_id, request_id, 'qr' as kind, event_id, data,
    ${stepTerms(…)}
  from unnest(
    ${qrs.map(…)}::text[], ${qrs.map(…)}::bigint[],
    ${eventIds.slice(…)}::bigint[],
    ${qrs.map(…)}::text[]
  ) as step (account_id, request_id, event_id, data)
)

, reference = edit.reference, payer = edit.payer, description = edit.description,
due1 = edit.due1, total1 = edit.total1, due2 = edit.due2, total2 = edit.total2,
last_due = edit.last_due, details = edit.details::json

join edit using (request_id)

with edit as materialized (
  select * from unnest(
    ${rows.map(…)}::bigint[], ${rows.map(…)}::text[],
    ${rows.map(…)}::text[], ${rows.map(…)}::text[],
    ${rows.map(…)}::date[], ${rows.map(…)}::bigint[],
    ${rows.map(…)}::date[], ${rows.map(…)}::bigint[],
    ${rows.map(…)}::date[],
    ${rows.map(…)}::text[]
  ) as edit (request_id, reference, payer, description, due1, total1, due2, total2, last_due,
    details)
),
${steps(…)},
${moveRequests(…)}
select 1

, details = (r.details::jsonb
|| jsonb_build_object('deleted_at', ${change.at.toString(…)}::text))::json

with ${steps(…)},
${moveRequests(…)}
select 1

-- src/qr/dynamic/store-reads.ts

r.version > 1

select wanted.no::int as no, ${requestColumns(…)}, a.name, a.cuit, money.*
from unnest(
  ${keys.map(…)}::text[], ${keys.map(…)}::text[]
) with ordinality as wanted (account_id, code, no)
${lookUpRequests(…)}
${joinAccounts(…)} ${joinMoney(…)}

-- src/qr/dynamic/store.ts

select r.code, r.id from unnest(
  ${accountIds}::text[], ${keys.map(…)}::text[]
) as wanted (account_id, code)
${lookUpRequests(…)}

-- src/qr/images/printable.ts

r.state = 'pending' and r.last_due >= ${today}::date

r.code = any(${wanted.ids}::text[])

${payable} and r.id = any(${wanted.numbers}::bigint[])

${payable}
and (${wanted.createdFrom}::timestamptz is null or r.created_at >= ${wanted.createdFrom})

select ${requestColumns(…)} from ${requestsOfKind(…)}
where r.account_id = ${accountId} and r.id > ${after} and ${among(…)}
  and not exists (
    select from static_transactions t where t.account_id = r.account_id and t.id = r.id
  )
order by r.id limit ${pageSize}

s.id = any(${wanted.ids}::text[])

(${wanted.createdFrom}::timestamptz is null or s.created_at >= ${wanted.createdFrom})
and (s.multiple_payment or not exists (
  select from static_transactions t ${joinRequests(…)}
  where t.account_id = s.account_id and t.static_id = s.id
    and r.state in ('paid', 'refunded')
))

select s.id, s.number, s.name, s.payload, s.description, s.payer from static_qrs s
where s.account_id = ${accountId} and s.number > ${after} and ${which}
order by s.number limit ${pageSize}

-- src/qr/images/read.ts

unnest(${keys.map(…)}::text[], ${keys.map(…)}::bigint[])
with ordinality as wanted (account_id, number, no)

select wanted.no::int as no, s.payload from ${wantedNumbers(…)}
cross join lateral (
  select payload from static_qrs
  where account_id = any(${accountIds}::text[])
    and account_id = wanted.account_id and number = wanted.number limit 1
) as s

select wanted.no::int as no, ${requestColumns(…)}, a.name, a.cuit
from ${wantedNumbers(…)}
${lookUpRequests(…)}
${joinAccounts(…)}

-- src/qr/imports/storage/store-chunks.ts

with taken as (
  update batches set state = 'uploading', upload = upload + 1, look_at = ${until}::timestamptz
  where account_id = ${accountId} and id = ${id} and stored_in = 'postgres'
    and expires_at > ${now}::timestamptz
    and (state = 'waiting_upload' or (state = 'uploading' and look_at <= ${now}::timestamptz))
  returning account_id, id, upload
),
emptied as (
  delete from batch_chunks c using taken t where c.account_id = t.account_id and c.batch_id = t.id
)
select upload from taken

with mine as (
  update batches set look_at = ${chunk.until}::timestamptz
  where account_id = ${accountId} and id = ${id} and state = 'uploading' and upload = ${upload}
  returning account_id, id
)
insert into batch_chunks (account_id, batch_id, no, bytes)
select account_id, id, ${chunk.no}::int, ${chunk.bytes}::bytea from mine
returning no

update batches set state = 'processing', bytes = ${bytes}, look_at = ${now}::timestamptz,
  total_count = ${…}, webhook_url = ${…}
where account_id = ${accountId} and id = ${id} and state = 'uploading' and upload = ${upload}
returning id

with freed as (
  update batches set state = 'waiting_upload', look_at = expires_at, tries = 0
  where account_id = ${accountId} and id = ${id} and state = 'uploading' and upload = ${upload}
  returning account_id, id
)
delete from batch_chunks c using freed f where c.account_id = f.account_id and c.batch_id = f.id

select bytes from batch_chunks
where account_id = ${accountId} and batch_id = ${id} and no = ${no}

delete from batch_chunks where account_id = ${accountId} and batch_id = ${id}

-- src/qr/imports/store.ts

account_id, id, state, stored_in, expires_at, upload, bytes, version, webhook_url, total_count,
next_index, created, rejected, error, tries, secret_key_no

insert into batches (account_id, id, state, stored_in, created_at, expires_at, look_at,
  secret_key_no)
values (${batch.accountId}, ${batch.id}, 'waiting_upload', ${batch.storedIn},
  ${batch.createdAt}::timestamptz, ${batch.expiresAt}::timestamptz,
  ${batch.lookAt}::timestamptz, ${batch.secretKeyNo})

select count(*)::int as open, coalesce(sum((
  select sum(octet_length(c.bytes)) from batch_chunks c
  where c.account_id = b.account_id and c.batch_id = b.id
)), 0)::bigint as bytes
from batches b where account_id = ${accountId} and look_at is not null

select ${batchColumns(…)} from batches where account_id = ${accountId} and id = ${id}

select ${batchColumns(…)}, created_at from batches
where account_id = ${accountId} and id < ${…}
  and (bytes is not null or state in ('uploading', 'processing'))
order by id desc limit ${limit}

select ${batchColumns(…)}, (
  select rows from batch_pages p
  where p.account_id = ${accountId} and p.batch_id = ${id} and p.no = ${no}
) as rows
from batches where account_id = ${accountId} and id = ${id}

select account_id, id from batches where look_at <= ${now}::timestamptz ${withinReach(…)}
order by look_at limit ${dueAtOnce}

update batches set look_at = ${until}::timestamptz, tries = tries + 1
where account_id = ${accountId} and id = ${id} and look_at <= ${now}::timestamptz
returning ${batchColumns(…)}

update batches set look_at = ${until}::timestamptz
where account_id = ${batch.account_id} and id = ${batch.id} and state = ${batch.state}

update batches set look_at = ${at}::timestamptz, tries = 0
where account_id = ${batch.account_id} and id = ${batch.id} and state = ${batch.state}

update batches set state = 'processing', bytes = ${bytes}, version = ${version},
  look_at = ${now}::timestamptz, tries = 0
where account_id = ${batch.account_id} and id = ${batch.id} and state = 'waiting_upload'

update batches set total_count = ${totalCount}, webhook_url = ${webhookUrl}, tries = 0
where account_id = ${batch.account_id} and id = ${batch.id} and state = 'processing'

update batches set state = ${end.state}, error = ${end.error},
  webhook_url = ${end.webhookUrl}, look_at = ${end.now}::timestamptz, tries = 0
where account_id = ${batch.account_id} and id = ${batch.id} and state = ${batch.state}
returning ${batchColumns(…)}

update batches set next_index = next_index + ${items.count}, rejected = rejected + ${items.count},
  look_at = ${items.until}::timestamptz, tries = 0
where account_id = ${batch.account_id} and id = ${batch.id} and state = 'processing'
  and next_index = ${items.from}
returning id

with counted as (
  update batches set created = created + ${created}, rejected = rejected - ${created}
  where account_id = ${batch.account_id} and id = ${batch.id}
)
insert into batch_pages (account_id, batch_id, no, rows)
values (${batch.account_id}, ${batch.id}, ${page}, ${rows})

-- src/qr/newest.ts

state = 'pending' and last_due >= ${today}::date

(state = 'expired' or (state = 'pending' and last_due < ${today}::date))

state = ${state}

select ${requestColumns(…)} from ${requestsOfKind(…)}
where r.account_id = ${accountId} and r.code = ${id.value}

details->>'static_id' is null
and ${…}

with near as materialized (
  select r.* from ${requestsOfKind(…)}
  where r.account_id = ${accountId} and (r.place, r.id) < (${from.place}, ${from.id})
  order by r.place desc, r.id desc limit ${looked}
),
found as (
  select near.*, true as fits from near where ${fits}
  order by place desc, id desc limit ${…}
),
last as (select near.*, false as fits from near offset ${…} limit 1)
select ${requestColumns(…)}, r.place, r.fits from found r
union all
select ${requestColumns(…)}, r.place, r.fits from last r

-- src/qr/static/audit.ts

select coalesce(t.id, r.id) as id
from (select * from static_transactions where account_id = ${accountId}) t
full join (select id, state, due1, details->>'static_id' as static_id from requests
  where account_id = ${accountId} and kind = 'qr' and details->>'static_id' is not null) r
  on r.id = t.id
where (r.id is null or t.id is null
  or r.static_id is distinct from t.static_id
  or (${sql.unsafe(…)})::date > r.due1
  or (r.state = 'pending' and not t.open) or (r.state = 'expired' and t.open))
order by 1 limit 100

-- src/qr/static/list.ts

select s.*, a.cuit from static_qrs s ${joinAccounts(…)}
where s.account_id = ${accountId} and s.number < ${…}
order by s.number desc limit ${limit}

-- src/qr/static/store-create.ts

with ${claims},
created as (
  insert into static_qrs (account_id, id, number, open_amount, multiple_payment, name, city,
    postal_code, description, payer, payload, created_at)
  select ${row.account_id}, ${row.id}, ${row.number}::bigint,
    ${row.open_amount}::boolean, ${row.multiple_payment}::boolean, ${row.name}, ${row.city},
    ${row.postal_code}, ${row.description}, ${row.payer}, ${row.payload},
    ${row.created_at}::timestamptz
  where not exists (select from claim) or exists (select from claimed)
  returning account_id, id, created_at
),
new_events as (
  select account_id, 'static_qr' as entity, id as entity_id, 1 as version,
    ${eventId}::bigint as id, 'static_qr.created' as type, created_at as at, ${actorText(…)} as actor,
    ${data} as data
  from created
),
${writeEvents(…)}
select ${row.number}::bigint as id from created

-- src/qr/static/store-transactions.ts

begun as (
  insert into static_transactions (account_id, id, static_id, expires_at, open)
  select account_id, id, ${staticId}, ${expiresAt}::timestamptz, true from fresh
)

with ended as (
  update static_transactions t set open = false,
    expires_at = least(expires_at, ${now}::timestamptz)
  from unnest(
    ${ids.map(…)}::text[], ${ids}::bigint[],
    ${eventIds.slice(…)}::bigint[]
  ) as due (account_id, id, event_id)
  where t.account_id = ${accountId} and t.account_id = due.account_id and t.id = due.id
  returning t.account_id, t.id, due.event_id
),
step as (
  select account_id, id as request_id, 'qr' as kind, event_id, null::text as data,
    ${stepTerms(…)}
  from ended
),
${moveRequests(…)}
select 1 from moved_requests

select t.id, t.expires_at, r.version from static_transactions t ${joinRequests(…)}
where t.account_id = ${accountId} and t.static_id = ${id} and t.open for update

select id from static_transactions where account_id = ${accountId} and static_id = ${id}
order by expires_at desc, id desc limit 1

select r.id, r.state from static_transactions t ${joinRequests(…)}
where t.account_id = ${accountId} and t.static_id = ${id}

select account_id, count(*)::int as due from static_transactions
where open and expires_at <= ${now}::timestamptz ${withinReach(…)}
group by account_id limit 1000

select id from static_transactions
where account_id = ${accountId} and open and expires_at <= ${now}::timestamptz
order by id limit ${most} for update skip locked

select min(expires_at) as due from static_transactions where open ${withinReach(…)}

-- src/qr/static/store.ts

unnest(${keys.map(…)}::text[], ${keys.map(…)}::text[])
with ordinality as wanted (account_id, id, no)

join static_qrs s
on s.account_id = wanted.account_id and s.${sql(…)} = wanted.${sql(…)}
  ${alsoOwnedBy(…)}

cross join lateral (
  select * from static_qrs
  where account_id = wanted.account_id and ${sql(…)} = wanted.${sql(…)} limit 1
) as s

${requestColumns(…)}, t.static_id, t.expires_at, money.paid_at, money.refunded_at

r.state in ('paid', 'refunded')

select wanted.no::int as no, s.*, a.cuit
from ${wantedIds(…)}
${staticOf(…)}
${joinAccounts(…)}

select wanted.no::int as no, t.role, ${transactionColumns(…)}
from ${wantedIds(…)}
${…}
join lateral (
  (select 'open' as role, o.* from static_transactions o
    where o.account_id = ${owner}.account_id and o.static_id = ${owner}.id and o.open
      ${alsoOwnedBy(…)}
    order by o.expires_at desc limit 1)
  union all
  (select 'paid' as role, p.* from static_transactions p
    ${joinRequests(…)}
    where p.account_id = ${owner}.account_id and p.static_id = ${owner}.id
      and r.state in ('paid', 'refunded')
    order by p.expires_at desc limit 1)
) as t on true
${lookUpRequests(…)}
${money(…)}

select wanted.no::int as no, ${transactionColumns(…)}
from ${wantedIds(…)}
${lookUpRequests(…)}
${…}
${money(…)}

join static_transactions t on t.account_id = r.account_id and t.id = r.id
${alsoOwnedBy(…)}

cross join lateral (
  select * from static_transactions where account_id = r.account_id and id = r.id limit 1
) as t

select 1 from static_qrs where account_id = ${key.accountId} and id = ${key.id} for update

select 1 from static_qrs where created_at <= ${madeBefore}::timestamptz limit 1

-- src/rails/debits/summary.ts

select reject_code as code, count(*)::int as lines from rail_lines
where file_id = ${fileId} and reject_code is not null
group by reject_code order by reject_code

select count(*) as lines, coalesce(sum(amount), 0)::bigint as total,
  count(*) filter (where outcome = 'paid') as paid,
  coalesce(sum(amount) filter (where outcome = 'paid'), 0)::bigint as paid_total,
  count(*) filter (where 'amount_differs' = any(remarks)) as amount_differs,
  count(*) filter (where outcome in ('rejected', 'retried')) as rejected,
  count(*) filter (where outcome = 'retried') as retried,
  count(*) filter (where outcome = 'in_process') as in_process,
  count(*) filter (where outcome = 'reversed') as reversed,
  count(*) filter (where outcome = 'mandate_closed' or 'closes_mandate' = any(remarks))
    as mandates_closed,
  count(*) filter (where 'new_instrument' = any(remarks)) as instruments_changed,
  count(*) filter (where 'told_before' = any(remarks)) as told_before,
  count(*) filter (where 'contradicts' = any(remarks)) as contradicts,
  count(*) filter (where 'unclear' = any(remarks)) as unclear,
  count(*) filter (where 'unknown_reference' = any(remarks)) as unknown_reference,
  count(*) filter (where 'unknown_mandate' = any(remarks)) as unknown_mandate,
  count(*) filter (where 'not_paid' = any(remarks)) as not_paid,
  count(*) filter (where 'unusable_instrument' = any(remarks)) as unusable_instrument,
  count(*) filter (where outcome = 'notice') as notices,
  count(*) filter (where outcome = 'suspense') as suspense,
  coalesce(sum(amount) filter (where outcome = 'suspense'), 0)::bigint as suspense_total
from rail_lines where file_id = ${fileId}

-- src/rails/desk/calendar.ts

select id, rail, file_date from rail_files
where direction = 'in' and file_date >= ${day}::date order by id

-- src/rails/desk/rewrap.ts

select id from rail_uploads where key_id <> ${vault.keyId(…)} order by id

select key_id, ciphertext from rail_uploads where id = ${id}

update rail_uploads set key_id = ${fresh.keyId}, ciphertext = ${fresh.ciphertext}
where id = ${id} and key_id = ${row.key_id}

select 1 from rail_uploads where key_id <> ${keyId}

-- src/rails/desk/uploads.ts

insert into rail_uploads (id, rail, name, sha256, key_id, ciphertext, uploaded_at)
values (${id}, ${file.rail}, ${file.name}, ${file.sha256}, ${keyId}, ${ciphertext},
  ${now}::timestamptz)

select id, rail, name, sha256, uploaded_at from rail_uploads
order by uploaded_at desc, id desc limit ${mostListed}

select id, rail, name, sha256, uploaded_at from rail_uploads where id = ${id}

select id, rail, name, sha256, uploaded_at, key_id, ciphertext from rail_uploads
where id = ${id}

delete from rail_uploads where id = ${id} returning id

select id from rail_uploads where uploaded_at < ${before}::timestamptz order by id

-- src/rails/files/audit.ts

select f.id, f.rail, count(*) as lines
from rail_files f
join rail_lines l on l.file_id = f.id
left join results r on l.outcome = 'collected' and r.account_id = l.account_id
  and r.source = 'rail ' || f.rail and r.source_ref = l.file_id || ':' || l.line
  and r.request_id = l.request_id and r.type = 'collected' and r.amount = l.amount
left join suspense s on l.outcome = 'suspense' and s.account_id = ${operatorBooks}
  and s.source = 'rail ' || f.rail
  and s.source_ref = l.file_id || ':' || l.line
  and (s.amount = l.amount or s.channel in ('direct_debit', 'card_debit'))
left join suspense m on l.outcome = 'suspense' and m.account_id = ${operatorBooks}
  and m.source = 'money of a debit run'
  and m.source_ref = ltrim(left(l.code, -1), '0') || '/' || right(l.code, 1)
left join results d on l.outcome = 'paid' and d.account_id = l.account_id
  and d.source = 'debit run' and d.source_ref = l.request_id || '/' || right(l.code, 1)
  and d.request_id = l.request_id and d.type = 'collected'
where f.state = 'imported' and l.outcome in ('collected', 'suspense', 'paid')
  and r.id is null and s.id is null and m.id is null and d.id is null
group by f.id, f.rail order by f.id

select f.id, f.rail
from rail_files f
left join lateral (
  select count(*) as lines, coalesce(sum(amount), 0) as total
  from rail_lines l where l.file_id = f.id
) as kept on true
where f.state = 'imported' and (kept.lines <> f.lines or kept.total <> f.total)
order by f.id

select id, rail, total from rail_files
where direction = 'out' and rail <> all(${publications})

select file_id as id, sum(amount)::bigint as total from debit_runs
where file_id is not null group by file_id

-- src/rails/files/store.ts

id, rail, direction, name, file_date, sha256, state, lines, total, applied, summary, created_at

select ${fileColumns(…)} from rail_files
where rail = ${name.rail} and direction = ${name.direction} and sha256 = ${name.sha256}

select ${fileColumns(…)} from rail_files
where sha256 = any(${digests}::bytea[]) order by id limit 1

with kept as (
insert into rail_files (id, rail, direction, name, file_date, sha256, state, lines, total,
  created_at)
values (${file.id}, ${file.rail}, ${file.direction}, ${file.name}, ${file.file_date}::date,
  ${file.sha256}, ${file.state}, ${file.lines}, ${file.total},
  ${file.created_at}::timestamptz)
on conflict (rail, direction, sha256) do nothing returning id
), ${writeOperatorEvent(…)}
select 1

select ${fileColumns(…)} from rail_files
where rail = ${rail} and direction = 'in' and file_date = ${file_date}::date
order by id limit 1

select ${fileColumns(…)} from rail_files
where rail = ${rail} and direction = ${direction} and file_date = ${date}::date
order by created_at, id

select ${fileColumns(…)} from rail_files where id = ${id}

select ${fileColumns(…)} from rail_files where id < ${behind}::bigint
order by id desc limit ${limit}

select rail, max(file_date) as file_date from rail_files where direction = 'in'
group by rail order by rail

file_id, line, outcome, remarks, account_id, request_id, code, amount, paid_at, reject_code,
note

with line as (
  select * from unnest(
    ${lines.map(…)}::bigint[], ${lines.map(…)}::int[],
    ${lines.map(…)}::text[],
    ${lines.map(…)}::text[],
    ${lines.map(…)}::text[],
    ${lines.map(…)}::bigint[], ${lines.map(…)}::text[],
    ${lines.map(…)}::bigint[],
    ${lines.map(…)}::timestamptz[],
    ${lines.map(…)}::text[], ${lines.map(…)}::text[]
  ) as line (file_id, line, outcome, remarks, account_id, request_id, code, amount, paid_at,
    reject_code, note)
),
kept as (
  insert into rail_lines (file_id, line, outcome, remarks, account_id, request_id, code,
    amount, paid_at, reject_code, note)
  select file_id, line, outcome, remarks::text[], account_id, request_id, code, amount, paid_at,
    reject_code, note
  from line
  on conflict (file_id, line) do nothing
  returning line
)
select ${lineColumns(…)} from rail_lines /* sees what was written */
where file_id = ${…} and line = any(${lines.map(…)}::int[])
  and line <> all(array(select line from kept))

update rail_lines set outcome = ${outcome}, remarks = ${…}::text::text[]
where file_id = ${file_id} and line = ${line}

update rail_files set applied = ${applied} where id = ${id} and applied < ${applied}

select count(*) as lines, coalesce(sum(amount), 0)::bigint as total,
  count(*) filter (where outcome = 'collected') as collected,
  coalesce(sum(amount) filter (where outcome = 'collected'), 0)::bigint as collected_total,
  count(*) filter (where 'late' = any(remarks)) as late,
  count(*) filter (where 'duplicate' = any(remarks)) as duplicate,
  count(*) filter (where 'amount_differs' = any(remarks)) as amount_differs,
  count(*) filter (where 'control_characters' = any(remarks)) as control_characters,
  count(*) filter (where outcome = 'suspense') as suspense,
  coalesce(sum(amount) filter (where outcome = 'suspense'), 0)::bigint as suspense_total,
  count(*) filter (where 'unreadable_code' = any(remarks)) as unreadable_code,
  count(*) filter (where 'unknown_request' = any(remarks)) as unknown_request
from rail_lines where file_id = ${id}

with closed as (
  update rail_files set state = 'imported', summary = ${JSON.stringify(…)}::text::json
  where id = ${id} returning id
), ${writeOperatorEvent(…)}
select 1

select ${lineColumns(…)} from rail_lines
where file_id = ${fileId} and line > ${after} and remarks <> '{}'
  and (${remark}::text is null or ${remark}::text = any(remarks))
order by line limit ${limit}

-- src/reports/audit.ts

with shown as (
  select case type when 'collected' then 'collection' else type end as report,
    informed_on as day, sum(amount) as amount
  from results where account_id = ${accountId} and type <> 'rejected' group by 1, 2
  union all
  select 'fees of collection', informed_on, sum(net_fee + fee_iva)
  from results where account_id = ${accountId} and type = 'collected' group by 2
  union all
  select 'retentions', informed_on, sum(amount)
  from withholdings where account_id = ${accountId} group by 2
),
line as (
  select kind, on_date as day, l.account, l.amount
  from journals, unnest(accounts, amounts) as l (account, amount)
  where account_id = ${accountId}
),
booked as (
  select kind as report, day,
    sum(case kind when 'collection' then amount else -amount end) as amount
  from line
  -- Money of channels, and of the operator's bank where he gives it back himself.
  where account = any(${moneyAccounts}::smallint[])
    and kind in ('collection', 'chargeback', 'refund')
  group by 1, 2
  union all
  select 'fees of collection', day, -sum(amount) from line
  where account = any(${…}::smallint[]) and kind = 'collection' group by 2
  union all
  select 'retentions', day, -sum(amount) from line where account = ${withholdingsPayable} group by 2
)
select report, day, coalesce(shown.amount, 0)::bigint as shown,
  coalesce(booked.amount, 0)::bigint as booked
from shown full join booked using (report, day)
where coalesce(shown.amount, 0) <> coalesce(booked.amount, 0)
order by day, report limit 100

select settled::bigint, available::bigint from (
  select
    (select coalesce(-sum(line.amount), 0)
      from journals, unnest(accounts, amounts) as line (account, amount)
      where account_id = ${accountId} and ${holderAvailable}::smallint = any (accounts)
        and line.account = ${holderAvailable}) as settled,
    (select coalesce(-sum(amount), 0) from (
      select amount from balances where account_id = ${accountId} and ledger_account = ${holderAvailable}
      union all
      select line.amount from balance_deltas, unnest(accounts, amounts) as line (account, amount)
      where account_id = ${accountId} and line.account = ${holderAvailable}
    ) as parts) as available
) as sums where settled <> available

-- src/requests/audit.ts

with told as (
  select entity, entity_id, count(*)::int as events, min(version) as first from events
  where account_id = ${accountId} and entity = any(${requestKinds}::text[])
  group by entity, entity_id
)
select r.id, r.version, coalesce(told.events, 0) as events from requests r
left join told on told.entity = r.kind and told.entity_id = ${entityIdIn(…)}
where r.account_id = ${accountId} and coalesce(told.events, 0) <> r.version
  -- QRs that came in one batch have one event for all of their beginnings.
  and not (r.kind = 'qr' and coalesce(told.events, 0) = r.version - 1
    and told.first is distinct from 1)
order by r.id limit 100

select * from (
  select r.id, r.state, coalesce(e.data->>'state', 'pending') as told,
    r.kind = 'payment_request' and r.state = 'expired' and e.data->>'state_comment' is null
      and ${localDay(…)} <= r.last_due as early
  from requests r
  join events e on e.account_id = r.account_id and e.entity = r.kind
    and e.entity_id = ${entityIdIn(…)} and e.version = r.version
  where r.account_id = ${accountId}
) as last
where state <> told or early order by id limit 100

select coalesce(r.id, s.id) as id, r.id is not null as there, s.state
from (
  select id, kind, state, last_due, place from requests where account_id = ${accountId}
) as r
full join (
  select id, kind, state, last_due, place from request_states where account_id = ${accountId}
) as s on s.id = r.id
where (r.kind, r.state, r.last_due, r.place)
  is distinct from (s.kind, s.state, s.last_due, s.place)
order by 1 limit 100

select count(*)::int as count, min(id) as id from request_states
where account_id = ${accountId} and state = 'pending' and last_due < ${today}::date
  and kind in ('payment_request', 'qr')

-- src/requests/candidates.ts

select r.* from unnest(${owners}::text[]) as account (id)
cross join unnest('{payment_request,debit_request,card_debit_request}'::text[]) as kind (name)
cross join lateral (
  select ${requestColumns(…)} from requests r
  where r.account_id = account.id ${alsoOwnedBy(…)}
    and r.kind = kind.name and r.kind <> 'qr'
    ${asked}
    ${…}
    ${…}
  order by r.id desc limit ${most}
) r
order by r.id desc limit ${most}

and r.reference = ${reference}

and r.id = ${id}

and r.total1 = ${amount}

and r.total2 = ${amount} and r.total1 <> ${amount}

-- src/requests/create.ts

${column(…)}, ${rows.map(…)}::bigint[],
${column(…)}, ${column(…)},
${column(…)}, ${column(…)},
${rows.map(…)}::text[], ${rows.map(…)}::text[],
${rows.map(…)}::text[], ${rows.map(…)}::date[],
${rows.map(…)}::bigint[], ${rows.map(…)}::date[],
${rows.map(…)}::bigint[], ${rows.map(…)}::date[],
${rows.map(…)}::text[], ${rows.map(…)}::bigint[],
${rows.map(…)}::text[]

account_id, id, kind, state, version, created_at, reference, payer, description, due1, total1,
due2, total2, last_due, code, mandate_id, details

insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
  description, due1, total1, due2, total2, last_due, code, mandate_id, details, place)
select account_id, id, kind, state, version, created_at, reference, payer, description, due1,
  total1, due2, total2, last_due, code, mandate_id, details::json,
  ${takePlace(…)}
from ${sql(…)} ${order}

new_request as (
  select * from unnest(${rowColumns(…)}, ${callIds}::bigint[],
    ${calls.map(…)}::bigint[],
    ${calls.map(…)}::text[],
    ${column(…)},
    ${events.map(…)}::text[], ${column(…)},
    ${events.map(…)}::text[]
  ) as new_request (${rowNames(…)}, call_id, event_id, actor, entity, entity_id, type, data)
)

order by account_id, code

with ${newRequests(…)},
${fresh},
created as (
  ${insertRequests(…)}
  returning ${stateColumns(…)}
),
${insertStates(…)},
new_events as (
  select account_id, entity, entity_id, 1 as version, event_id as id, type, created_at as at,
    actor, data
  from fresh where event_id is not null
  ${…}
),
${writeEvents(…)}
${…}
select id from fresh where event_id is not null

order by account_id, entity_id

, ${beside}

${claims}, ${freshRows(…)}

fresh as (select * from new_request)

with new_request as (
  select * from unnest(${rowColumns(…)}) as new_request (${rowNames(…)})
),
created as (
  ${insertRequests(…)}
  on conflict (account_id, code) where code is not null do nothing
  returning ${stateColumns(…)}, code
),
${insertStates(…)},
new_events as (
  select ${accountId} as account_id, ${entity} as entity, ${String(…)} as entity_id,
    1 as version, ${eventId}::bigint as id, ${type} as type, ${at}::timestamptz as at,
    ${actorText(…)} as actor,
    jsonb_build_object('count', count(*), 'request_ids', jsonb_agg(id order by id))::text
      as data
  from created having count(*) > 0
),
${writeEvents(…)}
select code from created

order by account_id, code

-- src/requests/expire.ts

s.state = 'pending' and s.kind = ${sql.unsafe(…)}

select min(s.last_due) as due from request_states s where ${pendingOf(…)} ${withinReach(…)}

${pendingOf(…)} and s.last_due < ${today}::date

select r.id from request_states s join requests r using (account_id, id)
where s.account_id = ${accountId} and r.account_id = ${accountId} and ${due(…)}
  and r.state = 'pending'
order by r.id limit ${most} for update of r skip locked

select s.account_id, count(*)::int as due from request_states s
where ${due(…)} ${withinReach(…)} group by s.account_id limit 1000

-- src/requests/kept-states.ts

account_id, id, kind, state, last_due, place

new_states as (
  insert into request_states (account_id, id, kind, state, last_due, place)
  select ${stateColumns(…)} from ${sql(…)}
)

changed_states as (
  select account_id, request_id, state, last_due from ${sql(…)}
  where state <> was_state or last_due <> was_due
),
kept_states as (
  update request_states s set state = c.state, last_due = c.last_due
  from changed_states c
  where s.account_id = any(${…}::text[])
    and s.account_id = c.account_id and s.id = c.request_id
)

request_states r

(select s.account_id, s.kind, s.state, s.last_due, s.id, s.place, r.created_at, r.reference,
  r.payer, r.due1, r.total1
from request_states s
join requests r on r.account_id = s.account_id and r.kind = s.kind and r.id = s.id
where s.kind <> 'qr' and r.kind <> 'qr') as r

-- src/requests/kinds.ts

case when r.kind = any(${namedByCode}::text[]) and r.code is not null then r.code
else r.id::text end

-- src/requests/list.ts

${sql(…)} >= ${value} and ${sql(…)} <= ${value}

folded(payer) >= folded(${name}::text) and folded(payer) <= folded(${name}::text)

${is(…)} and last_due >= ${today}::date

(state = 'expired' or (state = 'pending' and last_due < ${today}::date))

reference, id

folded(payer), id

state, id

id = ${f.id}

created_at >= ${f.createdFrom}::timestamptz

created_at < ${f.createdBefore}::timestamptz

due1 >= ${f.dueFrom}::date

due1 <= ${f.dueUntil}::date

total1 >= ${f.totalFrom}

total1 <= ${f.totalUntil}

account_id = ${accountId} and kind = ${kind} ${…}

and kind <> 'qr'

requests r

requests r

-- src/requests/move-all.ts

with step as (
  select ${accountId}::text as account_id, id as request_id, ${terms.kind}::text as kind,
    event_id, null::text as data, ${stepTerms(…)}
  from unnest(${…}::bigint[], ${eventIds.slice(…)}::bigint[])
    as step (id, event_id)
),
${moveRequests(…)}
select request_id as id from moved_requests

-- src/requests/move.ts

${statesText(…)}::text as move_from, ${transition.to}::text as move_to,
${…}::text as comment, ${eventOf(…)}::text as what,
${at}::timestamptz as at, ${actorText(…)}::text as actor

state = case when r.state = any(f.from_states) then f.move_to else r.state end,
state_comment = case
  when not coalesce(r.state = any(f.from_states), false) then r.state_comment
  when r.state = f.move_to then coalesce(f.comment, r.state_comment)
  else f.comment end

request_events as (
  select account_id, kind as entity, entity_id, version, event_id as id,
    kind || '.' || what as type, at, actor,
    (jsonb_build_object('state', state) || data)::text as data
  from moved_requests
),
${writeEvents(…)}

r.account_id = any(${…}::text[])

held_steps as materialized (
  select * from (
    select step.*, step.move_from::text[] as from_states, r.state as was_state,
      r.last_due as was_due
    from ${sql(…)} as step
    join requests r on r.account_id = step.account_id and r.id = step.request_id
    where ${within(…)} and r.kind = step.kind
      and r.state = any(step.move_from::text[])
    order by r.account_id, r.id for update of r
  ) as held
),
moved_rows as (
  update requests r set version = r.version + 1, ${moved(…)} ${…}
  from held_steps f ${…}
  where ${within(…)} and r.account_id = f.account_id and r.id = f.request_id
  returning r.account_id, r.id as request_id, r.kind, ${entityIdIn(…)} as entity_id, r.state,
    r.version, f.event_id, f.what, f.at, f.actor, r.reference, f.comment, f.data as told,
    r.last_due, f.was_state, f.was_due
),
${updateStates(…)},
moved_requests as (
  select account_id, request_id, kind, entity_id, state, version, event_id, what, at, actor,
    jsonb_strip_nulls(jsonb_build_object('external_reference', reference,
      'state_comment', comment)) || coalesce(told::jsonb, '{}') as data
  from moved_rows
),
${movedEvents(…)}

update requests r set state_comment = ${comment}
from ${sql(…)} as told
where r.account_id = ${accountId} and r.account_id = told.account_id and r.id = told.request_id
returning r.id

held_requests as materialized (
  select * from (
    select r.account_id, r.id as request_id, r.state as was_state from requests r
    join (select distinct account_id, request_id from ${sql(…)}) as step
      on step.account_id = r.account_id and step.request_id = r.id
    where ${within(…)}
    order by r.account_id, r.id for update of r
  ) as held
)

select account_id, request_id, count(*)::int as times,
  coalesce(max(move_to) filter (where is_money), max(move_to)) as move_to,
  coalesce(max(move_from) filter (where is_money), max(move_from))::text[] as from_states,
  case when not bool_or(is_money) then max(comment) end as comment
from ${sql(…)} group by account_id, request_id

notes as materialized (
  ${…}
),
raised_requests as (
  update requests r set version = r.version + f.times, ${moved(…)}
  from notes f
  where ${within(…)} and r.account_id = f.account_id and r.id = f.request_id
    and ${…}
  returning r.account_id, r.id as request_id, ${entityIdIn(…)} as entity_id, r.state,
    r.version - f.times as version
    ${…}
),
${…}
moved_requests as (
  select account_id, request_id, kind, entity_id, state,
    (version + row_number() over (partition by account_id, request_id order by no))::int
      as version,
    event_id, what, at, actor, data::jsonb as data
  from ${sql(…)} full join raised_requests using (account_id, request_id)
),
${movedEvents(…)}

select * from (${notes(…)}) as n
full join ${sql(…)} using (account_id, request_id)

f.times is not null

, r.last_due, f.was_state, r.last_due as was_due

-- src/requests/of-mandate.ts

select ${requestColumns(…)} from requests r
where r.account_id = ${accountId} and r.mandate_id = ${id} and r.kind = ${kind}
order by r.id + 0 desc limit ${limit}

-- src/requests/references.ts

select wanted.reference, found.id
from unnest(${…}::text[]) as wanted (reference)
cross join lateral (
  select id from requests
  where account_id = ${accountId} and kind = ${kind} and kind <> 'qr'
    and reference = wanted.reference
  order by id desc limit 1
) as found

-- src/requests/relations.ts

(select * from requests where kind = ${sql.unsafe(…)}) as r

join requests r on r.account_id = ${sql(…)}.account_id and r.id = ${sql(…)}.${sql(…)}

request_states s join requests r on r.account_id = s.account_id and r.id = s.id
and s.state = 'pending' and s.kind = ${sql.unsafe(…)}

(select * from requests where account_id = ${accountId} and ${…}) as r

id = any(${…}::bigint[])

code = any(${…}::text[])

select version from requests where account_id = ${accountId} and id = ${id}

select ${requestColumns(…)},
  case when due1 < ${today}::date and total2 is not null then total2 else total1 end as asked
from requests r
where account_id = ${accountId} and id = ${id}
  and state = 'pending' and last_due >= ${today}::date
for update

-- src/requests/search.ts

select r.* from unnest(${owners}::text[]) as account (id)
cross join lateral (
  select ${requestColumns(…)} from requests r
    ${…}
  where r.account_id = account.id ${alsoOwnedBy(…)} and r.kind = any(${…}::text[]) and r.id > ${after}
    ${…}
    ${…}
    ${…}
    ${…}
  order by r.id limit ${limit}
) r
order by r.id limit ${limit}

join request_states s on s.account_id = r.account_id and s.id = r.id ${alsoOwnedBy(…)}

and r.reference = ${reference}

and position(folded(${payer}) in folded(r.payer)) > 0

and s.kind = r.kind and s.state = ${state}

and r.mandate_id = ${mandateId}

-- src/requests/store.ts

r.account_id, r.id, r.kind, r.state, r.version, r.created_at, r.reference, r.payer,
r.description, r.due1, r.total1, r.due2, r.total2, r.last_due, r.code, r.mandate_id,
r.state_comment, r.details

join requests r on r.account_id = ${sql(…)}.account_id and r.${sql(…)} = ${sql(…)}.${sql(…)}
${alsoOwnedBy(…)}

cross join lateral (
  select * from requests
  where account_id = ${sql(…)}.account_id and ${sql(…)} = ${sql(…)}.${sql(…)} limit 1
) as r

select wanted.no::int as no, ${requestColumns(…)}
from unnest(${accountIds}::text[], ${keys.map(…)}::bigint[])
  with ordinality as wanted (account_id, id, no)
${lookUpRequests(…)}

select ${requestColumns(…)} from requests r
where r.account_id = ${key.accountId} and r.id = ${key.id} for update

select ${requestColumns(…)} from requests r where r.id = any(${ids}::bigint[])

select max(last_due) as due from requests
where kind = any(${linkedKinds}::text[]) and created_at <= ${madeBefore}::timestamptz

-- src/requests/words/find.ts

${all} and id < ${before}

select id from requests r where ${allOf(…)} and id = ${id}

order by r.id desc

select ${requestColumns(…)} from requests r
where ${ownerIs(…)} and id = any(${ids}::bigint[]) ${order} limit ${limit}

-- src/requests/words/search.ts

ts_match_vq(words, ${queryOf(…)}::tsquery)

exists (select from ${passing} where ${where} and r.id = w.id)

account_id = ${accountId} and kind = ${kind} and id < ${before}

select id from (
  select id, words from request_words where ${mine(…)} order by id desc limit ${within}
) as w
where ${matches(…)} and ${passes(…)} order by id desc limit ${limit}

count(*) filter (where ${matches(…)})

with sample as materialized (
  select one.words
  from (
    select (select min(id) from request_words where ${mine(…)}) as low,
      (select max(id) from request_words where ${mine(…)}) as high
  ) as ends
  cross join generate_series(1, ${probes}::int) as probe
  cross join lateral (
    select words from request_words
    where ${mine(…)} and id <= low + (high - low) * probe / ${probes}
    order by id desc limit ${rowsOfProbe}
  ) as one
)
select count(*) as looked, count(*) filter (where ${matches(…)}) as matching,
  array[${having.flatMap(…)}] as having,
  not exists (
    select from request_words where ${mine(…)} offset ${near}
  ) as few
from sample

with found as materialized (
  select account_id, kind, id ${…} from request_words
  where words @@ ${queryOf(…)}::tsquery limit ${…}
)
select (select count(*)::int from found) as count, array(
  select id from found w
  where ${mine(…)} and ${matches(…)} and ${passes(…)}
  order by id desc limit ${limit}
) as ids

, words

with passing as materialized (
  select id from ${passing} where ${where} and id < ${before} limit ${…}
)
select (select count(*)::int from passing) as count, array(
  select w.id from passing join request_words w
    on w.account_id = ${accountId} and w.kind = ${kind} and w.id = passing.id
  where ${matches(…)} and (select count(*) from passing) <= ${most}
  order by w.id desc limit ${limit}
) as ids

-- src/requests/words/store.ts

kind, id, payer, reference, description, details->>'payer_email' as email,
case kind when 'qr' then code end as qr_id

(r.kind = 'qr' and r.details->>'edited_at' is not null)

(r.kind <> 'qr' or r.details->>'static_id' is null) and (${edited(…)} or not exists (
select from request_words w where w.account_id = r.account_id and w.kind = r.kind and w.id = r.id))

coalesce((
select m.seal_no from request_word_marks m where m.account_id = ${account}), 0)

select account_id, no, case when upto - cardinality(keys) < ${most} then keys::bigint[] end as ids
from (
  select a.account_id, no, keys, sum(cardinality(keys)) over (order by place) as upto
  from unnest(${…}::text[]) with ordinality as a (account_id, place)
  cross join lateral ${nextOf(…)} as next
) as next

select ${accountId}::text as account_id, no, cardinality(keys) as count,
  case when ${…} then keys::bigint[] end as ids
from ${nextOf(…)} as next

insert into request_words as w (account_id, kind, id, words)
select r.account_id, r.kind, r.id, array_to_tsvector(string_to_array(one.words, ' '))
from unnest(${rows.map(…)}::bigint[], ${rows.map(…)}::int[],
  ${rows.map(…)}::text[]) as one (id, version, words)
join requests r on r.account_id = ${accountId} and r.id = one.id and r.version = one.version
order by r.id
on conflict (account_id, kind, id) do update set words = excluded.words
where w.words <> excluded.words

select r.account_id, ${searched(…)}, r.version, ${edited(…)} as edited
from unnest(${named.map(…)}::text[],
  ${named.map(…)}::bigint[]) as named (account_id, key_id)
${lookUpRequests(…)}
where ${lacksWords(…)}

insert into request_words (account_id, kind, id, words)
select account_id, kind, id, array_to_tsvector(string_to_array(words, ' '))
from unnest(${fresh.map(…)}::text[],
  ${fresh.map(…)}::text[], ${fresh.map(…)}::bigint[],
  ${fresh.map(…)}::text[]) as one (account_id, kind, id, words)
order by account_id, kind, id
on conflict do nothing

insert into request_word_marks as m (account_id, seal_no)
select account_id, no from unnest(${seals.map(…)}::text[],
  ${seals.map(…)}::int[]) as read (account_id, no)
order by account_id
on conflict (account_id) do update set seal_no = greatest(m.seal_no, excluded.seal_no)

select a.account_id from ${sealedAccounts(…)}
where ${isSealedAfter(…)} order by a.account_id

select distinct id from (
  select id from (${fresh}) as fresh (account_id, id)
  union all
  select key::bigint from (${sealed}) as s
  limit ${keysLooked}
) as newest (id)

select ${searched(…)} from requests r where ${where} and id ${ids} and ${lacksWords(…)}

${lacking(…)} order by id desc limit ${most}

= any(${ids}::bigint[])

with late (id) as materialized (${late})
select one.* from late cross join lateral (${lacking(…)} offset 0) as one
order by one.id desc limit ${most}

= late.id

-- src/requests/words/walk.ts

select ${sql(…)}::text as value from requests where ${owner} and id = ${id}

id < ${before}

(${sql(…)}, id) < (${spot}::${sql.unsafe(…)}, ${before}::bigint)

order by along desc, id desc

requests r

select id from (
  select *, ${along} as along from ${begin} where ${start} ${order} limit ${near}
) as r
where ${where} ${order} limit ${limit}

with passing as materialized (
  select id, ${along} as along from ${sought} where ${start} and ${where})
select id from passing ${order} limit ${limit}

${ownerIs(…)} and ${…}

id < ${before}

select id from request_states where ${mine} and ${is(…)}
order by state desc, id desc limit ${limit}

select id from request_states
where ${mine} and state = 'pending' and last_due < ${today}::date
order by id + 0 desc limit ${limit}

select id from requests r
join (${named.ids(…)}) as named (id) using (id)
where ${where} order by id + 0 desc limit ${limit}

order by r.id desc

order by r.${sql(…)} desc, r.id desc

-- src/sandbox/debits.ts

(case when d.amount % 100 = ${answersNextDayCents} then 1 else 0 end
+ case when d.code is null then 0 else 1 end)

d.kind = any(${kinds}::text[]) and (d.code is null or d.code = ${duplicateCode})

select d.run_on from ${runsInNoFile(…)}
where ${isUnanswered(…)} and d.kind = ${kind} and ${daysUntilAnswer(…)} = 0
order by d.run_on limit 1

select min(d.run_on + ${daysUntilAnswer(…)}) as due from ${runsInNoFile(…)}
where ${isUnanswered(…)} ${…}

and d.run_on < ${first}::date

select d.account_id, d.request_id, d.no, d.kind, d.run_on, d.amount, d.code, r.mandate_id
from ${runsInNoFile(…)} ${joinRequests(…)}
where ${isUnanswered(…)} and d.run_on <= ${dayOf(…)}::date
  and d.run_on + ${daysUntilAnswer(…)} <= ${dayOf(…)}::date
order by d.run_on, d.account_id, d.request_id limit ${atOnce}

insert into simulated_reversals (account_id, source_ref, request_id, reverses_at)
select account_id, source_ref, request_id, ${nextDay}::timestamptz
from unnest(
  ${reversed.map(…)}::text[],
  ${reversed.map(…)}::text[],
  ${reversed.map(…)}::bigint[]
) as one (account_id, source_ref, request_id)
on conflict (account_id, source_ref) do nothing

select min(reverses_at) as due from simulated_reversals where not reversed

select account_id, request_id, source_ref from simulated_reversals
where not reversed and reverses_at <= ${now}::timestamptz
order by reverses_at limit ${atOnce}

update simulated_reversals set reversed = true
where account_id = ${account_id} and source_ref = ${source_ref}

-- src/sandbox/mandates.ts

email !~* ${unwilling.source} and not keeps_card

select min(created_at) as due from ${unsignedMandates(…)} where ${isWilling}

select account_id, kind, id from ${unsignedMandates(…)} where ${isWilling}
order by sign_before limit ${atOnce}

-- src/sandbox/simulator/charges.ts

select outcome, amount, digest, answers_at from simulated_charges
where account_id = ${accountId} and attempt_id = ${attemptId}::bigint

insert into simulated_charges (account_id, attempt_id, amount, digest, token, outcome,
  answers_at, reverses_at)
values (${accountId}, ${attemptId}::bigint, ${order.amount}, ${digest}, ${token},
  ${JSON.stringify(…)}::text::json, ${answersAt}::timestamptz,
  ${…}::timestamptz)
on conflict do nothing returning account_id

select c.account_id || '-' || c.attempt_id as attempt, c.outcome->>'outcome' as outcome,
  c.amount, coalesce((
    select sum(r.amount) from simulated_refunds r
    where r.account_id = c.account_id and r.attempt_id = c.attempt_id
      and r.outcome->>'outcome' = 'done'
  ), 0)::bigint as refunded
from simulated_charges c
where (c.account_id, c.attempt_id) > (${last.accountId}, ${last.attemptId}::bigint)
  and c.answers_at >= ${from}::timestamptz and c.answers_at < ${until}::timestamptz
order by c.account_id, c.attempt_id limit ${atOnce}

-- src/sandbox/simulator/refunds.ts

select outcome, digest, answers_at from simulated_refunds
where account_id = ${accountId} and refund_id = ${refund}::bigint

with charge as (
  select outcome->>'outcome' = 'approved' as approved, amount
  from simulated_charges
  where account_id = ${accountId} and attempt_id = ${attemptId}::bigint
), given as (
  select greatest(coalesce(sum(amount), 0), ${before}) as sum from simulated_refunds
  where account_id = ${accountId} and attempt_id = ${attemptId}::bigint
    and outcome->>'outcome' = 'done'
)
insert into simulated_refunds (account_id, refund_id, attempt_id, amount, digest, outcome,
  answers_at)
select ${accountId}, ${refund}::bigint, ${attemptId}::bigint, ${amount}, ${digest},
  case
    when not coalesce((select approved from charge), false)
      then ${JSON.stringify(…)}::text::json
    when given.sum + ${amount} > (select amount from charge)
      then ${JSON.stringify(…)}::text::json
    else ${JSON.stringify(…)}::text::json
  end,
  ${answersAt}::timestamptz
from given
on conflict (account_id, refund_id) do nothing

-- src/sandbox/simulator/reversals.ts

select min(reverses_at) as due from simulated_charges
where reverses_at is not null and not reversed

select c.account_id, c.attempt_id, (c.outcome->>'request_id')::bigint as request_id,
  result.id as result_id
from simulated_charges c
left join ${resultFrom(…)}
where c.reverses_at <= ${now}::timestamptz and not c.reversed
order by c.reverses_at limit 100

update simulated_charges set reversed = true
where account_id = ${charge.account_id} and attempt_id = ${charge.attempt_id}

-- src/seals/anchors/store.ts

select account_id from ${sealedAccounts(…)} order by account_id

insert into anchors (account_id, day, seal_no, hash)
select distinct on (account_id, day) account_id, day, no, hash from (
  select drawn.account_id, l.no, l.hash,
    greatest(${localDay(…)}, drawn.day + 1) as day
  from (
    select given.account_id, max(d.day) as day, coalesce(max(d.seal_no), 0) as no
    from unnest(${…}::text[]) as given (account_id)
    left join anchors d on d.account_id = given.account_id ${alsoOwnedBy(…)}
    group by given.account_id
  ) as drawn
  cross join lateral (
    select no, hash, sealed_at from seal_links
    where account_id = drawn.account_id ${alsoOwnedBy(…)}
      and no > drawn.no and sealed_at < ${midnightOf(…)}::timestamptz
    offset 0
  ) as l
) as sealed
where day < ${today}::date
order by account_id, day, no desc
on conflict (account_id, day) do nothing

select account_id, day, seal_no, encode(hash, 'hex') as hash
from anchors
where sent_at is null and day = (select min(day) from anchors where sent_at is null)
order by account_id limit ${atOnce}

update anchors a set sent_at = ${now}::timestamptz
from unnest(${anchors.map(…)}::text[],
  ${anchors.map(…)}::date[]) as sent (account_id, day)
where a.account_id = sent.account_id and a.day = sent.day

select l.account_id, l.no, encode(l.hash, 'hex') as hash
from unnest(${anchors.map(…)}::text[],
  ${anchors.map(…)}::int[]) as wanted (account_id, no)
join seal_links l using (account_id, no)

-- src/seals/behind.ts

select account_id, next_xid from seal_marks where account_id = any(${accountIds}::text[])

select account_id from unnest(${accountIds}::text[]) as wanted (account_id)
where not exists (select from seals s where s.account_id = any(${accountIds}::text[])
  and s.account_id = wanted.account_id and s.kind = ${kind})

insert into seal_marks (account_id, next_xid)
select account_id, ${nextXid} from unnest(${accountIds}::text[]) as moved (account_id)
on conflict (account_id) do update set next_xid = greatest(seal_marks.next_xid, excluded.next_xid)

(select account_id, xid from events where ${since(…)}
union all
select account_id, xid from operator_events where ${since(…)}) as event

select max(xid) + 1 as end from (
  select xid, sum(count(*)) over (order by xid) - 1 as behind
  from ${eventsSince(…)} group by xid
) as counted
group by div(behind, ${eventsPerWindow}) order by 1

select distinct account_id from ${eventsSince(…)} order by account_id

select next_xid from seal_marks where account_id = ''

select next_xid from seal_marks where account_id = ''

select min(at) as at from events where ${since(…)}

-- src/seals/check.ts

select coalesce(s.no, l.no) as no, s.kind, l.key_id, l.sealed_at, l.hash,
  case when s.no is not null then ${contentOf(…)} end as content
from (select * from seals where account_id = ${accountId} and no > ${after}) s
full join (select * from seal_links where account_id = ${accountId} and no > ${after}) l
  on l.no = s.no
order by 1

select no, hash from seal_links
where account_id = ${accountId} and sealed_at < ${moment}::timestamptz
order by no desc limit 1

select distinct key_id from seal_marks m cross join lateral (
  (select key_id from seal_links l where l.account_id = m.account_id order by no limit 1)
  union all
  (select key_id from seal_links l where l.account_id = m.account_id order by no desc limit 1)
) as ends

select distinct key_id from seal_links where account_id = ${accountId}

select next_xid from seal_marks where account_id = ${accountId}

select key from (${touchedRows(…)}) as r

select key from (${sql.unsafe(…)}) as w where account_id = ${accountId}

select ${accountId}, ${sql.unsafe(…)} from latest

with salts as materialized (
  select * from unnest(${salts.map(…)}::text[],
    ${salts.map(…)}::bytea[]) as s (key_id, salt)
),
latest as materialized (
  select distinct on (key) key, digest, l.key_id
  from seals s join seal_links l using (account_id, no),
    unnest(s.keys, s.digests) as member (key, digest)
  where s.account_id = ${accountId} and s.kind = ${evidence.kind} and s.no > ${sinceNo}
    and key is not null
  order by key, s.no desc
),
fresh as materialized (${freshKeys(…)}),
present as (${…})
select coalesce(latest.key, present.key) as key, latest.key is null as unsealed,
  present.key is null as gone
from (select latest.key, digest, salt from latest left join salts using (key_id)) as latest
full join (select key, key as present_key, text from present) as present using (key)
where (coalesce(latest.key, present.key) not in (select key from fresh)
    or latest.key is not null and ${…}::boolean)
  and case when latest.key is null then ${…}::boolean
      and (${…}::boolean or exists (select from latest))
    when present.key is null then true
    else salt is not null and ${digestOf(…)} <> digest end
order by 1 limit ${mostNamed}

-- src/seals/evidence.ts

= ${…}

= any(${accountIds}::text[])

select t.account_id, ${sql.unsafe(…)} as key,
  ${sql.unsafe(…)} as text
from ${sql.unsafe(…)} t where t.account_id ${among(…)}

${rows} and (${sql.unsafe(…)}) in (${named})

select row.* from (
  select distinct * from (${named}) as named (account_id, ${sql.unsafe(…)})
) as named
cross join lateral (
  ${rows} and t.account_id = named.account_id
    and ${sql.unsafe(…)}
  order by ${sql.unsafe(…)} limit 1
) as row

sha256(${salt} || convert_to(key || ' ' || text, 'UTF8'))

and xid < ${before}

xid >= ${from} ${until} and ${notRestored(…)}

id > (select coalesce(max(restored_id), 0) from seal_marks where account_id = '')

with touched as (${touching(…)})
${sql.unsafe(…)}

select account_id, id, entity, entity_id, version, type, data from (
  select account_id, id, entity, entity_id, version, type, data, xid from events
  where account_id ${among(…)}
  union all
  select account_id, id, entity, entity_id, 1, type, data, xid from operator_events
  where account_id ${among(…)}
) as event
where ${condition}

select ${no}::int as no where exists (${sql.unsafe(…)})

with touched as materialized (${touching(…)})
${looks.reduce(…)}

${all} union all ${look}

${rowsOf(…)} and ${condition}

-- src/seals/keys-sealed.ts

select no, unnest(keys) as key from (
  select no, keys from seals
  where account_id = ${accountId} and kind = ${kind} and no > ${after}
  order by no ${…} limit ${most}
) as sealed

(select coalesce(max(no), 0) from seals where account_id = ${accountId})

(select account_id from seal_marks where account_id <> '') as a

exists (select from seals s where s.account_id = a.account_id and s.kind = ${kind}
and s.no > ${after})

(select s.no, s.keys from seals s
where s.account_id = ${account} and s.kind = ${kind} and s.no > ${after}
order by s.no limit 1)

select coalesce(max(next_xid), 0) as next from seal_marks
where account_id in ('', ${accountId})

select unnest(s.keys) from seals s join seal_links l using (account_id, no)
where s.account_id = ${accountId} and s.kind = ${kind} and l.sealed_at > ${moment}::timestamptz

select since.account_id, unnest(s.keys) as key
from (${since}) as since
cross join lateral (
  select coalesce(max(before.no), 0) as no from (
    select l.no from seal_links l
    where l.account_id = any(${accountIds}::text[]) and l.account_id = since.account_id
      and l.sealed_at < since.at
    order by l.no desc limit 1
  ) as before
) as last
join seals s on s.account_id = any(${accountIds}::text[])
  and s.account_id = since.account_id and s.no > last.no and s.kind = ${kind}

-- src/seals/restored.ts

id in (
  select e.id from (
    select id, 'event' as kind, concat_ws('|', entity, entity_id, version) as key from events
    where account_id = ${accountId}
    union all
    select id, 'operator''s event', id::text from operator_events
    where account_id = ${accountId}
  ) as e
  left join (
    select kind, unnest(keys) as key from seals
    where account_id = ${accountId} and kind in ('event', 'operator''s event')
  ) as sealed using (kind, key)
  where sealed.key is null
)

select next_xid as from from seal_marks where account_id = ''

update seal_marks set next_xid = greatest(next_xid, ${…}::bigint),
  restored_id = greatest(
    (select max(id) from events where xid >= ${next}),
    (select max(id) from operator_events where xid >= ${next}), restored_id)
where account_id = '' returning restored_id as id

(xid < ${before} or id <= ${lastId}) and ${unsealed(…)}

insert into seal_marks (account_id, next_xid) values (${accountId}, ${before})
on conflict (account_id) do update set next_xid = excluded.next_xid

select account_id from events union select account_id from operator_events order by 1

update seal_marks set next_xid = ${restored.before} where account_id = ''

-- src/seals/seal.ts

select account_id, no, hash from unnest(${accountIds}::text[]) as wanted (account_id)
cross join lateral (
  select no, hash from seal_links
  where account_id = any(${accountIds}::text[]) and account_id = wanted.account_id
  order by no desc limit 1
) as last

${sql.unsafe(…)}[part * ${rowsPerSeal} + 1 : (part + 1) * ${rowsPerSeal}]

with ends as (
  select * from unnest(${ends.map(…)}::text[],
    ${ends.map(…)}::int[], ${ends.map(…)}::bytea[])
    as ends (account_id, no, salt)
),
digested as (
  select account_id, no, array_agg(key) as keys, array_agg(digest) as digests
  from (
    select account_id, no, key, ${digestOf(…)} as digest
    from (${rows}) as row join ends using (account_id)
  ) as row
  group by account_id, no
),
sealed as (
  insert into seals (account_id, no, kind, keys, digests)
  select account_id, no + 1 + part, ${kind}, ${partOf(…)}, ${partOf(…)}
  from digested, generate_series(0, (cardinality(keys) - 1) / ${rowsPerSeal}) as part
  returning account_id, no, kind, keys, digests
)
select account_id, no, kind, ${contentOf(…)} as content from sealed order by account_id, no

insert into seal_links (account_id, no, key_id, sealed_at, hash)
select account_id, no, ${keys.current}, ${at}::timestamptz, hash
from unnest(${links.map(…)}::text[],
  ${links.map(…)}::int[], ${links.map(…)}::bytea[])
  as link (account_id, no, hash)

sha256(convert_to(array_to_string(keys, ','), 'UTF8') || (
select string_agg(digest, ''::bytea order by place)
from unnest(digests) with ordinality as one (digest, place)))

-- src/seals/stamped.ts

t.id > ${lastId}::bigint and ${sql.unsafe(…)} > ${moment}::timestamptz

not exists (select from seals where kind = ${one.kind})
and not exists (${sql.unsafe(…)})

${all} and ${part}

select last_value as id, ${nothingPosted(…)} as fresh from record_ids

select ${operatorChain}::text as account_id, ${key}::text as key, '' as text

select s.keys, l.sealed_at as at from seals s join seal_links l using (account_id, no)
where s.account_id = ${operatorChain} and s.kind = ${kind} order by s.no limit 1

t.stamp, sha256(convert_to(${sql.unsafe(…)}, 'UTF8')) as digest

select (${sql.unsafe(…)})::text as name, ${stampColumns(…)}
from ${sql.unsafe(…)} t where t.account_id = ${accountId} and ${where}

${table} t where (t.account_id, t.id) in (${named})

(select distinct * from (${named}) as named) as named (account_id, id)
cross join lateral (
  select * from ${table} t
  where t.account_id = named.account_id and t.id between named.id and named.id
  order by t.id limit 1
) as t

select t.account_id, t.id, (${due})::boolean as due, ${stampColumns(…)}
from ${factRows(…)}

select * from unnest(${facts.map(…)}::text[],
${facts.map(…)}::bigint[])

select 1 from ${sql.unsafe(…)} t where ${where} and ${fact.due(…)}

or (t.stamp is null and ${stamped.due(…)})

and ${stamped.due(…)}

(t.stamp is not null ${without}) ${recent}

-- src/seals/window.ts

select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as before,
pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next

-- src/secrets/seal-keys.ts

select id, vault_key_id, ciphertext, retired_at from seal_keys order by id

insert into seal_keys (id, vault_key_id, ciphertext, retired_at)
values (${id}, ${keyId}, ${ciphertext}, ${retiredAt}::timestamptz)
on conflict (id) do update set vault_key_id = excluded.vault_key_id,
  ciphertext = excluded.ciphertext, retired_at = excluded.retired_at

-- src/secrets/store.ts

select purpose, no, vault_key_id, ciphertext, used_from, replaced_at, look_at, retired_at
from service_keys where purpose = ${purpose} order by no desc

insert into service_keys (purpose, no, vault_key_id, ciphertext, used_from)
values (${key.purpose}, ${key.no}, ${key.keyId}, ${key.ciphertext},
  ${key.usedFrom}::timestamptz)
on conflict (purpose, no) do nothing returning no

update service_keys set replaced_at = ${at}::timestamptz, look_at = ${lookAt}::timestamptz
where purpose = ${purpose} and no < ${no} and replaced_at is null and retired_at is null

update service_keys set ciphertext = null, vault_key_id = null, look_at = null,
  retired_at = ${now}::timestamptz
where purpose = ${purpose} and no between ${from} and ${upTo} and retired_at is null
returning no

select purpose, no, vault_key_id, ciphertext, used_from, replaced_at, look_at, retired_at
from service_keys where look_at <= ${now}::timestamptz order by look_at

select min(look_at) as due from service_keys

update service_keys set look_at = ${lookAt}::timestamptz
where purpose = ${purpose} and no = ${no} and retired_at is null

update service_keys set vault_key_id = ${keyId}, ciphertext = ${ciphertext}
where purpose = ${row.purpose} and no = ${row.no} and ciphertext = ${row.ciphertext}

select 1 from service_keys
where purpose = ${purpose} and no = ${no} and retired_at is null for share

select 1 from service_keys where vault_key_id <> ${keyId}

-- src/users/accesses.ts

delete from user_accesses where id in (
select id from user_accesses where last_at < ${before}::timestamptz
order by last_at limit ${mostForgotten} for update skip locked)

insert into user_accesses as a (id, fold, kind, account_id, user_id, address, detail,
  first_at, last_at, count)
values (${id}, ${foldOf(…)}, ${access.kind},
  ${access.accountId}, ${access.userId}, ${access.address}, ${access.detail},
  ${now}::timestamptz, ${now}::timestamptz, 1)
on conflict (fold) do update set count = a.count + 1, last_at = excluded.last_at
returning count

id, kind, account_id, user_id, address, detail, first_at, last_at, count

id < ${behind}

select ${columns(…)} from user_accesses where ${before} order by id desc limit ${limit}

select ${columns(…)} from (
  (select * from user_accesses where account_id = ${accountId} and ${before}
    order by id desc limit ${limit})
  union
  (select * from user_accesses
    where account_id is null and kind in ('sign_in_failed', 'sign_in_waits', 'factor_failed')
      and user_id in (
        select user_id from memberships
        where account_id = ${accountId} and state = 'active')
      and ${before}
    order by id desc limit ${limit})
) as a order by id desc limit ${limit}

-- src/users/folded.ts

n.since <= ${now.subtract(…)}::timestamptz

(not (${isOver}) and n.letters >= ${mostAtOnce})

insert into folded_notices as n (account_id, topic, since, letters)
values (${accountId}, ${topic}, ${now}::timestamptz, 1)
on conflict (account_id, topic) do update set
  since = case when ${isOver} then excluded.since else n.since end,
  letters = case when ${isOver} then 1 else least(n.letters, ${mostAtOnce}) + 1 end,
  folded = n.folded + case when ${folds} then 1 else 0 end,
  tell_at = case when ${folds}
    then coalesce(n.tell_at, ${now.add(…)}::timestamptz) else n.tell_at end
returning letters

select account_id, topic from folded_notices
where tell_at <= ${now}::timestamptz ${withinReach(…)} order by tell_at limit ${dueAtOnce}

select folded from folded_notices
where account_id = ${accountId} and topic = ${topic} and tell_at <= ${now}::timestamptz
for update skip locked

update folded_notices set folded = 0, tell_at = null
where account_id = ${accountId} and topic = ${topic}

-- src/users/invitations.ts

select email_key from users where id = ${userId}

select (select count(*)::int from user_links
  where user_id = ${userId} and created_at > ${since}::timestamptz
    and kind = 'invitation') as address,
(select count(*)::int from user_links
  where account_id = ${accountId} and kind = 'invitation'
    and created_at > ${since}::timestamptz) as account

with m as materialized (
  select user_id, role from memberships
  where account_id = ${accountId} and user_id = ${userId} and state = 'invited' for update)
select ${userColumns(…)}, m.role from m join users u on u.id = m.user_id
where u.state <> 'suspended'

select l.user_id from user_links l
where l.account_id = ${accountId} and l.id = ${id} and l.kind = 'invitation'
  and l.used_at is null and l.expires_at <= ${now}::timestamptz

select ${userColumns(…)} from users u
where u.id = ${userId} and u.state = 'invited' and u.service_role is not null for update of u

-- src/users/letters.ts

with named as (select ${accountId}::text as account_id, ${id}::bigint as mail_id),
  ${queueMails(…)}
select 1

-- src/users/links.ts

insert into user_links (account_id, id, user_id, kind, created_at, expires_at)
values (${accountId}, ${id}, ${userId}, ${kind}, ${now}::timestamptz,
  ${now.add(…)}::timestamptz)

select count(*)::int as count from user_links
where user_id = ${user.id} and kind = 'reset' and used_at is null
  and created_at > ${now.subtract(…)}::timestamptz

with l as materialized (
  select user_id, kind from user_links
  where account_id = ${accountId} and id = ${id} and kind = ${kind}
    and used_at is null and expires_at > ${now}::timestamptz
)
select ${userColumns(…)}, l.kind from l join users u on u.id = l.user_id
where u.state <> 'suspended'

select id from users where id = ${user.id} and state <> 'suspended' for update

update user_links set used_at = ${now}::timestamptz
where account_id = ${accountId} and id = ${id} and used_at is null returning id

update user_links set used_at = ${now}::timestamptz
where user_id = ${user.id} and kind = 'reset' and used_at is null

-- src/users/listing.ts

with m as materialized (
  select user_id, role, state from memberships
  where account_id = ${accountId} and state <> 'ended'
)
select ${userColumns(…)}, m.role, m.state as membership_state,
  case when m.state = 'invited' then (
    select max(l.expires_at) from user_links l
    where l.account_id = ${accountId} and l.user_id = m.user_id and l.kind = 'invitation'
  ) end as invitation_until
from m join users u on u.id = m.user_id order by u.email_key

select ${userColumns(…)} from users u order by u.email_key

select ${userColumns(…)} from users u where u.service_role is not null order by u.email_key

select id, name from users where id = any(${…}::bigint[])

select count(*)::int as count from users
where state = 'active' and service_role = 'operator'

select id from users where email_key = ${emailKeyOf(…)} and state = 'active'
and service_role = 'operator'

-- src/users/members.ts

select role from memberships
where account_id = ${accountId} and user_id = ${userId} and state = 'invited' for update

select account_id, user_id, role, state, version from memberships
where account_id = ${accountId} and state <> 'ended'
  and (user_id = ${userId} or role = 'owner')
order by user_id for update

update memberships set role = ${next.role}, state = ${next.state}, version = ${version},
  notices = case when ${…}::boolean then '{}' else notices end
where account_id = ${account.id} and user_id = ${userId}

select email from users where id = ${userId}

-- src/users/memberships.ts

select role from memberships
where account_id = ${accountId} and user_id = ${userId} and state = 'active'

select account_id, user_id, role, state from memberships
where user_id = ${userId} and state = 'active' order by account_id

insert into memberships as m (account_id, user_id, role, state, created_at)
values (${accountId}, ${userId}, ${role}, ${state}, ${acting.clocks.wall.now(…)}::timestamptz)
on conflict (account_id, user_id) do update
  set role = excluded.role, state = excluded.state, notices = '{}', version = m.version + 1
  where m.state <> 'active'
returning version

update memberships set state = 'active', version = version + 1
where account_id = ${accountId} and user_id = ${userId} and state = 'invited'
returning version, role

-- src/users/notices/choose.ts

select notices from memberships
where account_id = ${accountId} and user_id = ${userId} and state = 'active'

insert into notice_marks (account_id, look_at, position, payouts, webhooks, summary_day)
values (${accountId}, ${begun.at}::timestamptz, ${begun.position},
  ${…}::bigint[], ${…}::bigint[], ${begun.yesterday}::date)
on conflict (account_id) do update set account_id = excluded.account_id

select notices from memberships
where account_id = ${accountId} and user_id = ${userId} and state = 'active' for update

update memberships set notices = ${notices}::text[], version = version + 1
where account_id = ${accountId} and user_id = ${userId} returning version

-- src/users/notices/tell.ts

with m as materialized (
  select user_id, role, notices from memberships
  where account_id = ${accountId} and state = 'active' and notices <> '{}'
)
select ${userColumns(…)}, m.role, m.notices from m join users u on u.id = m.user_id
order by u.state = 'active' desc, u.id limit ${mostTold}

select account_id, position, payouts, webhooks, summary_day from notice_marks
where account_id = ${accountId} and look_at <= ${now}::timestamptz for update skip locked

update notice_marks set look_at = ${at}::timestamptz, position = ${next.position},
  payouts = ${next.payouts}::bigint[], webhooks = ${next.webhooks}::bigint[],
  summary_day = ${next.summary_day}::date
where account_id = ${accountId}

delete from notice_marks where account_id = ${accountId}

select account_id from notice_marks where look_at <= ${now}::timestamptz ${withinReach(…)}
order by look_at limit ${accountsAtOnce}

-- src/users/saved-filters.ts

select name, query from saved_filters
where account_id = ${accountId} and user_id = ${userId} and list = ${list} order by name

insert into saved_filters (account_id, user_id, list, name, query, created_at)
select ${accountId}, ${userId}, ${list}, ${name}, ${query},
  ${acting.clocks.wall.now(…)}::timestamptz
where (select count(*) from saved_filters
  where account_id = ${accountId} and user_id = ${userId} and list = ${list}
    and name <> ${name}) < ${mostSavedFilters}
on conflict (account_id, user_id, list, name) do update set query = excluded.query
returning 1

delete from saved_filters
where account_id = ${accountId} and user_id = ${userId} and list = ${list}
  and name = ${name} returning 1

-- src/users/service-roles.ts

select ${userColumns(…)} from users u
where u.id = ${userId} or (u.service_role = 'operator' and u.state = 'active')
order by u.id for update of u

select service_role from users where id = ${userId}

update users set service_role = ${role}, version = version + 1 where id = ${userId}

-- src/users/sign-in/challenges.ts

delete from user_challenges where (session_id, purpose) in (
select session_id, purpose from user_challenges where expires_at <= ${now}::timestamptz
order by expires_at limit ${forgottenAtOnce} for update skip locked)

insert into user_challenges (session_id, purpose, challenge, expires_at)
values (${sessionId}, ${purpose}, ${challenge}, ${now.add(…)}::timestamptz)
on conflict (session_id, purpose) do update
set challenge = excluded.challenge, expires_at = excluded.expires_at

delete from user_challenges where session_id = ${sessionId} and purpose = ${purpose}
returning challenge, expires_at > ${now}::timestamptz as lives

-- src/users/sign-in/devices.ts

select 1 from user_devices d join users u on u.id = d.user_id
where u.email_key = ${person} and d.hash = ${hashOf(…)}

update user_devices set seen_at = ${now}::timestamptz
where user_id = ${userId} and hash = ${hashOf(…)} returning 1

delete from user_devices where user_id = ${userId} and hash in (
select hash from user_devices where user_id = ${userId}
order by seen_at desc offset ${…})

insert into user_devices (user_id, hash, created_at, seen_at)
values (${userId}, ${hashOf(…)}, ${now}::timestamptz, ${now}::timestamptz)
on conflict (user_id, hash) do nothing

delete from user_devices where user_id = ${userId}

-- src/users/sign-in/factor.ts

select totp_key_id, totp_ciphertext, totp_since from users where id = ${userId}
${…}

for no key update

update users set totp_key_id = ${keyId}, totp_ciphertext = ${ciphertext}, totp_step = 0,
  version = version + 1
where id = ${user.id} and totp_since is null returning id

update users set totp_step = ${step} where id = ${user.id} and totp_step < ${step}
returning id

update user_recovery_codes set used_at = ${now}::timestamptz
where user_id = ${user.id} and hash = ${hashOf(…)} and used_at is null returning user_id

delete from user_recovery_codes where user_id = ${userId}

insert into user_recovery_codes (user_id, hash)
select ${userId}, hash from unnest(${codes.map(…)}::bytea[]) as c (hash)

update users set totp_since = ${now}::timestamptz, version = version + 1
where id = ${user.id} and totp_since is null returning id

select 1 from user_passkeys where user_id = ${user.id} limit 1

update users set totp_since = null, totp_key_id = null, totp_ciphertext = null,
  version = version + 1
where id = ${user.id} and totp_ciphertext is not null returning id

delete from user_passkeys where user_id = ${user.id}

delete from user_recovery_codes where user_id = ${user.id}
and not exists (select 1 from user_passkeys where user_id = ${user.id})

select id, totp_key_id, totp_ciphertext from users
where totp_key_id <> ${vault.keyId(…)} order by id

update users set totp_key_id = ${fresh.keyId}, totp_ciphertext = ${fresh.ciphertext}
where id = ${id} and totp_ciphertext = ${ciphertext}

select 1 from users where totp_key_id <> ${keyId}

-- src/users/sign-in/pass-factor.ts

update user_sessions set hash = ${hashOf(…)}, factor_due = false,
  proved_at = ${now}::timestamptz
where user_id = ${user.id} and id = ${session.id} and factor_due returning id

-- src/users/sign-in/passkeys.ts

select id, name, created_at, used_at from user_passkeys where user_id = ${userId} order by id

select credential_id, transports from user_passkeys where user_id = ${userId} order by id

select totp_since from users where id = ${userId} for no key update

insert into user_passkeys (user_id, id, credential_id, public_key, counter, transports, name,
  created_at)
values (${one.userId}, ${one.id}, ${one.credentialId}, ${one.publicKey}, ${one.counter},
  ${one.transports}::text[], ${one.name}, ${one.now}::timestamptz)
on conflict (credential_id) do nothing returning id

select id, name, public_key from user_passkeys
where credential_id = ${Buffer.from(…)} and user_id = ${user.id}

update user_passkeys set counter = ${counter}, used_at = ${now}::timestamptz
where user_id = ${user.id} and id = ${id}
  and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0)) returning id

delete from user_passkeys where user_id = ${user.id} and id = ${id} returning name

delete from user_recovery_codes c using users u
where c.user_id = ${user.id} and u.id = c.user_id and u.totp_since is null
  and not exists (select 1 from user_passkeys p where p.user_id = u.id)

-- src/users/sign-in/prove.ts

update user_sessions set proved_at = ${now}::timestamptz
where user_id = ${user.id} and id = ${session.id}

select password_hash from users where id = ${user.id}

-- src/users/sign-in/sessions.ts

delete from user_sessions where hash in (
  select hash from user_sessions where user_id = ${userId}
  order by created_at desc offset ${…})
or (user_id = ${userId} and created_at < ${now.subtract(…)}::timestamptz)

insert into user_sessions (hash, id, user_id, created_at, seen_at, proved_at, address,
  user_agent, factor_due)
values (${hashOf(…)}, ${id}, ${userId}, ${now}::timestamptz, ${now}::timestamptz,
  ${now}::timestamptz, ${browser.address}, ${browser.userAgent.slice(…)},
  ${factorDue})

s.created_at > ${now.subtract(…)}::timestamptz
and s.seen_at > ${now.subtract(…)}::timestamptz

s.id as session_id, s.user_id, s.created_at as session_created_at, s.seen_at, s.proved_at,
s.address, s.user_agent, s.factor_due

select ${userColumns(…)}, ${sessionColumns(…)}
from user_sessions s join users u on u.id = s.user_id
where s.hash = ${hashOf(…)} and u.state = 'active' and ${lives(…)}

update user_sessions set seen_at = ${now}::timestamptz where hash = ${hashOf(…)}

delete from user_sessions where user_id = ${userId}

select s.id, s.user_id, s.created_at, s.seen_at, s.proved_at, s.address, s.user_agent,
  s.factor_due
from user_sessions s where s.user_id = ${userId} and ${lives(…)}
order by s.created_at desc

delete from user_sessions where user_id = ${userId} and id = ${id} returning id

-- src/users/sign-in/sign-in.ts

select u.id, u.state, u.totp_since, u.password_hash,
  exists (select 1 from user_passkeys p where p.user_id = u.id) as has_passkey
from users u where u.email_key = ${person}

select 1 from users where id = ${id} for share

-- src/users/sign-in/tries.ts

delete from user_tries where subject in (
select subject from user_tries where since < ${before}::timestamptz
order by since limit ${mostForgotten} for update skip locked)

insert into user_tries as t (subject, tries, since, person)
select subject, 1, ${now}::timestamptz, person
from unnest(${buckets.map(…)}::bytea[],
  ${buckets.map(…)}::bytea[]) as s (subject, person)
on conflict (subject) do update set
  tries = case when t.since < ${start}::timestamptz then 1 else t.tries + 1 end,
  since = case when t.since < ${start}::timestamptz then excluded.since else t.since end,
  person = excluded.person
returning subject, tries, since

select 1 from user_tries where subject = any(${…}::bytea[])
order by subject for update

update user_tries set tries = greatest(0, tries - 1) where subject = any(${shared}::bytea[])

delete from user_tries where subject = any(${own}::bytea[])

select 1 from user_tries where person = any(${persons}::bytea[]) order by subject for update

delete from user_tries where person = any(${persons}::bytea[])

-- src/users/standing.ts

select state, password_hash from users where id = ${userId} for update

update users set state = ${next}, version = version + 1 where id = ${userId}

select 1 from user_sessions where user_id = ${user.id} and id = ${session.id}

delete from user_sessions where user_id = ${user.id} and id <> ${session.id}

delete from user_sessions where user_id = ${id} returning 1

select lang from users where id = ${userId} for update

update users set lang = ${lang}, version = version + 1 where id = ${userId}

-- src/users/tell.ts

with m as materialized (
  select user_id from memberships
  where account_id = ${accountId} and role = 'owner' and state = 'active'
)
select ${userColumns(…)} from m join users u on u.id = m.user_id
where u.state = 'active' order by u.id limit ${most}

-- src/users/user.ts

u.id, u.email, u.name, u.lang, u.state, u.service_role, u.created_at, u.version,
u.totp_since, exists (select 1 from user_passkeys p where p.user_id = u.id) as has_passkey

select password_hash, former_hashes from users where id = ${userId}

update users set password_hash = ${hash}, state = 'active', version = version + 1,
  former_hashes = (array_remove(array[password_hash], null)
    || former_hashes)[1:${…}]
where id = ${userId}

insert into users (id, email, email_key, name, lang, state, service_role, password_hash,
  created_at)
values (${id}, ${user.email}, ${emailKeyOf(…)}, ${user.name}, ${lang}, ${user.state},
  ${serviceRole}, ${passwordHash}, ${user.created_at}::timestamptz)
on conflict (email_key) do nothing returning id

select ${userColumns(…)} from users u where u.email_key = ${emailKeyOf(…)}

-- src/webhooks/delivery/forget.ts

with forgotten as (
  delete from deliveries where ctid = any(array(
    select ctid from deliveries where ended_at < ${before}::timestamptz
    order by ended_at limit ${forgottenAtOnce} for update skip locked))
  returning account_id, webhook_id, event_id
),
attempts as (
  delete from delivery_attempts where ctid = any(array(
    select own.row from forgotten f cross join lateral (
      select a.ctid as row from delivery_attempts a where a.account_id = f.account_id
        and a.webhook_id = f.webhook_id and a.event_id = f.event_id offset 0
    ) as own))
)
select count(*)::int as count from forgotten

with old as materialized (
  select account_id, webhook_id, entity, entity_id, version, event_id from deliveries
  where ended_at < ${before}::timestamptz order by ended_at limit ${forgottenAtOnce}
),
forgotten as (
  delete from deliveries d using old
  where d.account_id = old.account_id and d.webhook_id = old.webhook_id
    and d.entity = old.entity and d.entity_id = old.entity_id and d.version = old.version
    and d.ended_at < ${before}::timestamptz
  returning d.account_id, d.webhook_id, d.event_id
),
attempts as (
  delete from delivery_attempts a using forgotten f
  where a.account_id = f.account_id and a.webhook_id = f.webhook_id
    and a.event_id = f.event_id
)
select count(*)::int as count from forgotten

with old as materialized (
  select w.account_id, w.id from webhooks w
  where (w.only_entity is not null or w.deleted_at is not null)
    and coalesce(w.deleted_at, w.created_at) < ${before}::timestamptz
    and w.due_at is null and not exists (
      select 1 from deliveries d where d.account_id = w.account_id and d.webhook_id = w.id)
  order by coalesce(w.deleted_at, w.created_at) limit ${forgottenAtOnce}
)
delete from webhooks w using old
where w.account_id = old.account_id and w.id = old.id and w.due_at is null

delete from webhooks where ctid = any(array(
select w.ctid from webhooks w
where (w.only_entity is not null or w.deleted_at is not null)
  and coalesce(w.deleted_at, w.created_at) < ${before}::timestamptz
  and w.due_at is null and not exists (
    select 1 from deliveries d where d.account_id = w.account_id and d.webhook_id = w.id)
order by coalesce(w.deleted_at, w.created_at) limit ${forgottenAtOnce} for update skip locked))

-- src/webhooks/delivery/notify-once.ts

insert into webhooks (account_id, id, url, event_types, created_at, only_entity,
  only_entity_id, secret_key_no)
values (${accountId}, nextval('record_ids'), ${url},
  ${types.map(…)}::smallint[], ${wall.now(…)}::timestamptz, ${entity},
  ${entityId}, ${keyNo})
on conflict (account_id, only_entity, only_entity_id) where only_entity is not null
do nothing

-- src/webhooks/delivery/store.ts

account_id, id, url, secret_no, rotated_at, secret_key_no, previous_key_no, deleted_at, resumed_at,
only_entity, only_entity_id, failures, pauses, paused_until

select ${receiverColumns(…)} from webhooks where ${shown(…)} and id = ${id}

select ${receiverColumns(…)} from webhooks
where due_at <= ${now}::timestamptz ${withinReach(…)} order by due_at limit ${most}

with due as materialized (
  select ctid from deliveries
  where account_id = ${account_id} and webhook_id = ${id}
    and next_at <= ${dueBy}::timestamptz
    and (leased_until is null or leased_until <= ${now}::timestamptz)
    and exists (select 1 from webhooks w where w.account_id = ${account_id} and w.id = ${id}
      and w.secret_no = ${secret_no}
      and w.deleted_at is not distinct from ${deleted_at}::timestamptz
      and (w.held_at is null or w.deleted_at is not null)
      and (w.paused_until is null or w.paused_until <= ${now}::timestamptz
        or w.deleted_at is not null))
  order by next_at, position limit ${most} for update of deliveries skip locked
),
held as (
  update deliveries d set leased_until = ${leasedUntil}::timestamptz from due
  where d.account_id = ${account_id} and d.ctid = due.ctid
  returning d.entity, d.entity_id, d.version, d.event_id, d.position, d.tries, d.next_at,
    greatest(d.expires_at, ${…}::timestamptz) as expires_at
)
select held.*, event.* from held ${lookUpEvents(…)}
order by held.next_at, held.position

select failures, pauses, paused_until from webhooks
where account_id = ${account_id} and id = ${id} for no key update

outcome as (
  select * from unnest(
    ${deliveries.map(…)}::text[],
    ${deliveries.map(…)}::text[],
    ${deliveries.map(…)}::int[],
    ${outcomes.map(…)}::text[],
    ${outcomes.map(…)}::timestamptz[],
    ${attempts.map(…)}::timestamptz[],
    ${attempts.map(…)}::smallint[],
    ${attempts.map(…)}::text[],
    ${attempts.map(…)}::int[]
  ) as o (entity, entity_id, version, state, next_at, at, status, error, ms)
),
written as (
  update deliveries d set state = o.state, next_at = o.next_at, leased_until = null,
    attempts = d.attempts + (o.at is not null)::int,
    tries = d.tries + (o.at is not null)::int,
    ended_at = case when o.state <> 'pending' then ${now}::timestamptz end
  from (
    select outcome.*, held.row from outcome cross join lateral (
      select h.ctid as row from deliveries h
      where h.account_id = ${account_id} and h.webhook_id = ${id}
        and h.entity = outcome.entity and h.entity_id = outcome.entity_id
        and h.version = outcome.version and h.state = 'pending' offset 0
    ) as held
  ) as o
  where d.account_id = ${account_id} and d.ctid = o.row
  returning d.entity, d.entity_id, d.version, d.event_id, d.attempts, d.state, o.at, o.status,
    o.error, o.ms
)

update deliveries d set next_at = ${now}::timestamptz,
  expires_at = ${dueUntil(…)}::timestamptz
from written cross join lateral (
  select n.ctid as row, n.state, n.next_at from deliveries n /* sees what was written */
  where n.account_id = ${account_id} and n.webhook_id = ${id} and n.entity = written.entity
    and n.entity_id = written.entity_id and n.version > written.version
  order by n.version limit 1
) as following
where written.state <> 'pending' and following.state = 'pending'
  and following.next_at is null and d.account_id = ${account_id}
  and d.ctid = following.row

(account_id, webhook_id, event_id, no, at, status, error, ms)

with ${written},
noted as (
  insert into delivery_attempts ${columns}
  select ${account_id}, ${id}::bigint, event_id, attempts, at, status, error, ms
  from written where at is not null
)
${letGo}

with ${written}, let_go as (${letGo} returning d.version)
select event_id, attempts, at, status, error, ms from written where at is not null

insert into delivery_attempts ${columns}
select ${account_id}, ${id}::bigint, * from unnest(
  ${noted.map(…)}::bigint[], ${noted.map(…)}::int[],
  ${noted.map(…)}::timestamptz[], ${noted.map(…)}::smallint[],
  ${noted.map(…)}::text[], ${noted.map(…)}::int[])

update webhooks w set due_at = case when next.at is not null and (w.held_at is null or w.deleted_at is not null)
  then greatest(next.at, w.paused_until) end
from (
  select case when free.next_at <= ${now}::timestamptz then free.next_at
    else least(free.next_at, (
      select min(leased_until) from deliveries
      where account_id = ${account_id} and webhook_id = ${id}
        and next_at <= ${now}::timestamptz + ${skew}::interval
        and leased_until > ${now}::timestamptz)) end as at
  from (select (
    select next_at from deliveries
    where account_id = ${account_id} and webhook_id = ${id} and next_at is not null
      and (leased_until is null or leased_until <= ${now}::timestamptz)
    order by next_at, position limit 1) as next_at offset 0) as free
  offset 0
) as next
where w.account_id = ${account_id} and w.id = ${id}

update webhooks set failures = ${failures}, pauses = ${pauses},
  paused_until = ${paused_until}::timestamptz
where account_id = ${account_id} and id = ${id}

-- src/webhooks/failing.ts

select id, url, failures from webhooks
where ${shown(…)} and failures >= ${failuresThatPause} and held_at is null
order by id

select w.id, w.url, w.event_types, w.created_at, w.rotated_at, w.held_at, w.failures, w.paused_until,
  a.at, a.status, a.error
from (select * from webhooks where ${shown(…)}) as w
left join lateral (
  select at, status, error from delivery_attempts
  where account_id = ${accountId} and webhook_id = w.id
  order by event_id desc, no desc limit 1
) as a on true
order by w.id

select min(expires_at) as expires from deliveries where next_at is not null

select (select count(*)::int from (
  select 1 from deliveries where next_at is not null limit ${most}) as due) as waiting,
(select count(*)::int from webhooks
  where only_entity is null and deleted_at is null and held_at is null
    and failures >= ${failuresThatPause}
) as failing

-- src/webhooks/feed/publish.ts

select account_id, id from webhooks
where account_id = any(${accounts}) and only_entity is null and deleted_at is null
order by account_id, id for no key update

with once as materialized (
  select distinct found.account_id, found.id from ${placedEvents(…)} cross join lateral (
    select o.account_id, o.id from webhooks o
    where o.account_id = any(${accounts}) and o.account_id = e.account_id
      and o.only_entity = e.entity and o.only_entity_id = e.entity_id offset 0
  ) as found
  -- Where there is none at all, which is told once, no event is looked at.
  where exists (
    select from webhooks w where w.account_id = any(${accounts}) and w.only_entity is not null)
)
select * from (
  select w.account_id, w.id from once join webhooks w using (account_id, id)
  where w.account_id = any(${accounts}) and w.deleted_at is null
  order by w.account_id, w.id for no key update of w
) as held

with wanted as (
  select e.account_id, w.id as webhook_id, e.entity, e.entity_id, e.version,
    e.id as event_id, e.position,
    row_number() over (partition by e.account_id, w.id, e.entity, e.entity_id
      order by e.version) = 1
    and not coalesce((
      select d.state = 'pending' from deliveries d
      where d.account_id = any(${sqlAccounts(…)}) and d.account_id = e.account_id
        and d.webhook_id = w.id and d.entity = e.entity
        and d.entity_id = e.entity_id and d.version < e.version
      order by d.version desc limit 1), false) as free
  from ${placedEvents(…)}
  join unnest(${typeIds}::smallint[], ${typeNames}::text[]) as t (id, name) on t.name = e.type
  join unnest(${webhooks.map(…)}::text[],
    ${webhooks.map(…)}::bigint[]) as held (account_id, id)
    on held.account_id = e.account_id
  join webhooks w on w.account_id = held.account_id and w.id = held.id
    and w.account_id = any(${sqlAccounts(…)})
  where t.id = any(w.event_types)
    and (w.only_entity is null
      or (w.only_entity = e.entity and w.only_entity_id = e.entity_id))
),
queued as (
  insert into deliveries (account_id, webhook_id, entity, entity_id, version, event_id,
    position, state, next_at, expires_at)
  select account_id, webhook_id, entity, entity_id, version, event_id, position, 'pending',
    case when free then ${now}::timestamptz end,
    case when free then ${dueUntil(…)}::timestamptz end
  from wanted
  on conflict (account_id, webhook_id, entity, entity_id, version) do nothing
  returning account_id, webhook_id
)
update webhooks w set due_at = greatest(${now}::timestamptz, w.paused_until)
from (select distinct account_id, webhook_id from queued) q
where w.account_id = any(${sqlAccounts(…)})
  and w.account_id = q.account_id and w.id = q.webhook_id and w.held_at is null
  and (w.due_at is null or w.due_at > greatest(${now}::timestamptz, w.paused_until))

-- src/webhooks/feed/queue-again.ts

select w.id, e.entity, e.entity_id, e.version, e.position
from ${eventOfFeed(…)}
join unnest(${eventTypes.map(…)}::smallint[],
  ${eventTypes.map(…)}::text[]) as t (id, name) on t.name = e.type
join webhooks w on w.account_id = e.account_id and w.deleted_at is null
  and (w.only_entity is null or (w.only_entity = e.entity and w.only_entity_id = e.entity_id))
where case when ${webhookId}::bigint is null then t.id = any(w.event_types)
    else w.id = ${webhookId}::bigint end
order by w.only_entity is not null, w.id for no key update of w

with queued as (
  insert into deliveries as d (account_id, webhook_id, entity, entity_id, version, event_id,
    position, state, next_at, expires_at)
  select ${accountId}, w.id, w.entity, w.entity_id, w.version, ${eventId}::bigint,
    w.position, 'pending', ${at}::timestamptz, ${dueUntil(…)}::timestamptz
  from unnest(${wanting.map(…)}::bigint[],
    ${wanting.map(…)}::text[],
    ${wanting.map(…)}::text[],
    ${wanting.map(…)}::int[],
    ${wanting.map(…)}::bigint[])
    as w (id, entity, entity_id, version, position)
  on conflict (account_id, webhook_id, entity, entity_id, version) do update
  set state = 'pending', tries = 0, next_at = excluded.next_at,
    expires_at = excluded.expires_at, ended_at = null
  where d.state <> 'pending'
  returning webhook_id
),
woken as (
  update webhooks w set paused_until = null, due_at = ${at}::timestamptz
  from queued where w.account_id = ${accountId} and w.id = queued.webhook_id
)
select webhook_id from queued

-- src/webhooks/feed/told.ts

with told as materialized (
  select distinct on (event_id) event_id, no, at, status, error, ms from delivery_attempts
  where account_id = ${accountId} and webhook_id = ${webhookId}
    ${…}
  order by event_id desc, no desc limit ${limit}
)
select told.event_id, event.type, event.entity_id, d.state, d.next_at,
  told.no, told.at, told.status, told.error, told.ms
from told ${lookUpEventsById(…)}
join deliveries d on d.account_id = ${accountId} and d.webhook_id = ${webhookId}
  and d.entity = event.entity and d.entity_id = event.entity_id
  and d.version = event.version
order by told.event_id desc

and event_id < ${behind}::bigint

select count(*)::int as count, min(next_at) as next from (
  select next_at from deliveries
  where account_id = ${accountId} and webhook_id = ${webhookId} and next_at is not null
  order by next_at, position limit ${…}
) as waiting

-- src/webhooks/store.ts

account_id, id, url, event_types, secret_no, rotated_at, secret_key_no, previous_key_no,
created_at, held_at, holds

account_id = ${accountId} and only_entity is null and deleted_at is null

select ${columns(…)} from webhooks where ${shown(…)} order by id

select ${columns(…)} from webhooks where ${shown(…)} and id = ${id}

insert into webhooks (account_id, id, url, event_types, secret_no, secret_key_no, created_at)
values (${row.account_id}, ${row.id}, ${row.url}, ${row.event_types}::smallint[],
  ${row.secret_no}, ${row.secret_key_no}, ${row.created_at}::timestamptz)

update webhooks set deleted_at = ${wallNow}::timestamptz, due_at = ${wallNow}::timestamptz
where ${shown(…)} and id = ${id} returning ${columns(…)}

update webhooks set holds = holds + 1,
  held_at = case when ${held}::boolean then ${wallNow}::timestamptz end,
  resumed_at = case when ${held}::boolean then resumed_at else ${wallNow}::timestamptz end,
  paused_until = case when ${held}::boolean then paused_until end,
  due_at = case when not ${held}::boolean then ${wallNow}::timestamptz end
where ${shown(…)} and id = ${id} and (held_at is not null) <> ${held}::boolean
returning ${columns(…)}

update webhooks set secret_no = secret_no + 1, rotated_at = ${wallNow}::timestamptz,
  previous_key_no = case when ${revokeNow}::boolean then null else secret_key_no end,
  secret_key_no = ${keyNo}
where ${shown(…)} and id = ${id}
  and (rotated_at is null or rotated_at <= ${notAfter}::timestamptz
    or (${revokeNow}::boolean and previous_key_no is not null))
returning ${columns(…)}

update webhooks set secret_no = secret_no + 1, rotated_at = ${wallNow}::timestamptz,
  previous_key_no = null, secret_key_no = ${keyNo}
where only_entity is null and deleted_at is null and secret_key_no <> ${keyNo}
returning ${columns(…)}

select 1 from webhooks
where (secret_key_no = ${keyNo}
    or previous_key_no = ${keyNo} and rotated_at > ${rotatedAfter}::timestamptz)
  and (deleted_at is null or only_entity is not null) limit 1

select count(*)::int as count from webhooks where only_entity is null and deleted_at is null

with receiver as (
  select id, url from webhooks where ${shown(…)}
  union all
  select id, url from webhooks
  where account_id = ${accountId} and only_entity = ${event.entity}
    and only_entity_id = ${event.entity_id} and deleted_at is null
)
select d.webhook_id, receiver.url, d.state, d.next_at, a.no, a.at, a.status, a.error, a.ms
from receiver
join deliveries d on d.account_id = ${accountId} and d.webhook_id = receiver.id
  and d.entity = ${event.entity} and d.entity_id = ${event.entity_id}
  and d.version = ${event.version}
left join delivery_attempts a on a.account_id = d.account_id and a.webhook_id = d.webhook_id
  and a.event_id = d.event_id
order by d.webhook_id, a.no
