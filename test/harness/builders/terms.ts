import { appendEvents } from '../../../src/events/index.ts';
import type { ChannelCode } from '../../../src/money/channels/index.ts';
import { testOperator } from '../actors.ts';
import { type TestService, testAccount } from '../service.ts';

interface OwnTerms {
  accountId?: string;
  channel: ChannelCode;
  /** May be a past day, which the command refuses. */
  from: string | Temporal.PlainDate;
  percentagePpm: number;
  fixed: number;
  minimum: number;
  days: number;
}

/** Gives an account separate terms for a channel, with the event that records them. */
export async function giveTerms(service: TestService, terms: OwnTerms): Promise<void> {
  const { accountId = testAccount, channel, percentagePpm, fixed, minimum, days } = terms;
  const { base, clocks } = service.service.parts;
  const from = terms.from.toString();
  await service.sql`
    insert into fees (account_id, channel, valid_from, percentage_ppm, fixed, minimum,
      available_after_days)
    values (${accountId}, ${channel}, ${from}::date, ${percentagePpm}, ${fixed}, ${minimum},
      ${days})`;
  const id = await base.recordIds.next();
  await appendEvents(service.sql, [
    {
      accountId,
      entity: 'fees',
      entityId: String(id),
      version: 1,
      id,
      type: 'fees.set',
      at: clocks.business.now(),
      actor: testOperator,
      data: {
        channel,
        from,
        percentage: percentagePpm / 10_000,
        fixed: fixed / 100,
        minimum: minimum / 100,
        days,
      },
    },
  ]);
}

/** Marks rates that were inserted without a file as known from now on. */
export async function knowRates(service: TestService): Promise<void> {
  const now = service.service.parts.clocks.business.now();
  await service.sql`
    update withholding_rates set known_since = ${now}::timestamptz
    where known_since = '-infinity'`;
}

/** Ends all rates now by moving them to the former ones. Withheld amounts stay. */
export async function forgetRates(service: TestService): Promise<void> {
  const now = service.service.parts.clocks.business.now();
  await service.sql`
    with gone as (delete from withholding_rates returning *)
    insert into former_withholding_rates (cuit, regime, jurisdiction, valid_from, valid_to,
      rate_ppm, known_since, known_until)
    select cuit, regime, jurisdiction, valid_from, valid_to, rate_ppm, known_since,
      ${now}::timestamptz
    from gone on conflict do nothing`;
}
