/**
 * An account's unavailable balance, split into several rows: enough that concurrent payments seldom
 * contend, few enough to add up. The case creates the table.
 */
export const balancesTable = `
  create table handwritten_balances (
    account_id text not null,
    slot smallint not null,
    unavailable bigint not null,
    primary key (account_id, slot)
  )`;

const slots = 32;

export const anySlot = (): number => Math.floor(Math.random() * slots);

/**
 * One durable payment without a ledger: updates the request and the balance, and inserts result and
 * event, in one statement.
 */
export const payText = `
  with moved as (
    update requests set state = 'paid', version = version + 1
    where account_id = $1 and id = $2 and kind = 'payment_request' and state = 'pending'
    returning *
  ), priced as (
    select *, case when due1 >= $6::date then total1 else coalesce(total2, total1) end as amount
    from moved
  ), taxed as (
    select *, round(amount * 0.025)::bigint as net_fee,
      round(round(amount * 0.025) * 0.21)::bigint as fee_iva
    from priced
  ), kept as (
    insert into results (account_id, id, request_id, kind, type, source, source_ref, channel,
      channel_label, amount, net_fee, fee_iva, unreleased, paid_at, informed_at, informed_on,
      available_on, reference, payer, description, details)
    select account_id, $3, id, kind, 'collected', 'by hand', $3::bigint::text, 'non_banking',
      'Pago Fácil', amount, net_fee, fee_iva, amount - net_fee - fee_iva, $5, $5, $6::date,
      $7::date, reference, payer, description, '{}'
    from taxed
    returning *
  ), told as (
    insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
    select m.account_id, m.kind, m.id::text, m.version, $4, 'payment_request.paid', $5, $8,
      json_strip_nulls(json_build_object('state', m.state, 'amount', k.amount / 100.0,
        'request_result_id', k.id, 'external_reference', m.reference))
    from moved m, kept k
  ), counted as (
    insert into handwritten_balances as b (account_id, slot, unavailable)
    select account_id, $9, unreleased from kept
    on conflict (account_id, slot) do update set unavailable = b.unavailable + excluded.unavailable
  )
  select m.id::int, m.state, m.created_at, m.reference, m.payer, m.description, m.due1::text,
    m.total1::float8, m.due2::text, m.total2::float8, m.details, json_build_array(k) as results
  from moved m, kept k`;

export const balancesText = `
  select coalesce(sum(unavailable), 0)::float8 as unavailable
  from handwritten_balances where account_id = $1`;

const dayMs = 86_400_000;

/** Returns the day when money becomes available; the hand-written version ignores holidays. */
export const availableOn = (day: string): string =>
  new Date(Date.parse(day) + 5 * dayMs).toISOString().slice(0, 10);
