import { formatDay } from '../../kernel/dates.ts';
import { type Centavos, decimalText, zero } from '../../kernel/money.ts';
import { parsePercent, percentText } from '../../kernel/percent.ts';
import type { Actor } from '../../platform/actor.ts';
import { accountId, amount, day, integer, oneOf } from '../../platform/http/fields.ts';
import { type Field, fail, optional, required } from '../../platform/http/form.ts';
import { listing } from '../../platform/listings.ts';
import { operation } from '../../platform/operations.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { allChannelCodes, type ChannelCode } from '../channels/codes.ts';
import { refusals } from './codes.ts';
import type { EndFees, SetFees } from './terms.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };

interface Terms {
  channel: ChannelCode;
  from: Temporal.PlainDate | null;
  to: Temporal.PlainDate | null;
  ppm: number;
  fixed: Centavos;
  minimum: Centavos;
  days: number;
}

/** Reads an account's own terms, then the standard ones of every channel. */
async function readTerms(sql: Sql, { account }: { account: string }): Promise<Terms[]> {
  const { readFees, standardTerms } = await import('./fees.ts');
  const own = await readFees(sql, [account]);
  return [
    ...own.map((row) => ({
      channel: row.channel,
      from: row.valid_from,
      to: row.valid_to,
      ppm: row.percentage_ppm,
      fixed: row.fixed,
      minimum: row.minimum,
      days: row.available_after_days,
    })),
    ...allChannelCodes.map((channel) => {
      const { percentagePpm: ppm, fixed, minimum, availableAfterDays } = standardTerms[channel];
      return { channel, from: null, to: null, ppm, fixed, minimum, days: availableAfterDays };
    }),
  ];
}

export const feeList = listing({
  name: 'fees.list',
  act: 'accounts.see',
  account: 'required',
  whole: true,
  texts,
  read: readTerms,
  columns: {
    channel: { kind: 'choice', of: (row) => row.channel },
    from: { kind: 'day', of: (row) => row.from },
    to: { kind: 'day', of: (row) => row.to },
    percentage: { kind: 'text', of: (row) => percentText(row.ppm) },
    fixed: { kind: 'money', of: (row) => row.fixed },
    minimum: { kind: 'money', of: (row) => row.minimum },
    days: { kind: 'text', of: (row) => row.days },
  },
});

/** A percentage. Its value is in parts per million. */
const percentage: Field<number> = {
  schema: { type: 'string', pattern: '^[0-9]{1,3}([.][0-9]{1,4})?$' },
  expectation: refusals.fault('fees.not_percentage', {}),
  typed: (text) => text.replace(',', '.'),
  parse(value) {
    const ppm = parsePercent(String(value));
    return ppm === null ? fail(percentage.expectation) : { ok: true, value: ppm };
  },
};

const ofChannel = {
  account: required(accountId()),
  channel: required(oneOf(allChannelCodes)),
};
const from = required(day({ iso: true }));

/** A verb, with the version of the terms that the form displayed. Commands have no version. */
export interface Seen<Verb> {
  verb: Verb;
  seen?: string;
}

/** Sets an account's own terms for a channel, from a day on. */
export const feeSetting = operation({
  name: 'fees.set',
  act: 'fees.manage',
  texts,
  takes: {
    ...ofChannel,
    percentage: required(percentage),
    fixed: optional(amount({ min: 0 })),
    minimum: optional(amount({ min: 0 })),
    days: required(integer({ min: 0, max: 366, digits: true })),
    from,
  },
  run(
    { verb, seen }: Seen<SetFees>,
    { account, channel, from: since, percentage: ppm, fixed, minimum, days },
    actor: Actor,
  ) {
    const terms = {
      percentagePpm: ppm,
      fixed: fixed ?? zero,
      minimum: minimum ?? zero,
      availableAfterDays: days,
    };
    const change = { accountId: account, channel, from: since, actor, terms };
    return verb({ ...change, ...(seen !== undefined && { seen }) });
  },
  repeat: 'natural',
  command: {
    shows: ({ account, channel, from: since, percentage: ppm, fixed, minimum, days }) => ({
      account,
      channel,
      from: formatDay(since),
      percentage: percentText(ppm),
      fixed: decimalText(fixed ?? zero),
      minimum: decimalText(minimum ?? zero),
      days,
    }),
  },
});

/** Ends an account's own terms: the channel's standard terms apply again. */
export const feeEnding = operation({
  name: 'fees.end',
  act: 'fees.manage',
  texts,
  takes: { ...ofChannel, from },
  run: ({ verb, seen }: Seen<EndFees>, { account, channel, from: since }, actor: Actor) =>
    verb({
      accountId: account,
      channel,
      from: since,
      actor,
      ...(seen !== undefined && { seen }),
    }),
  repeat: { again: 'There is nothing left to end: 409.' },
  command: {
    shows: ({ account, channel, from: since }) => ({
      account,
      channel,
      from: formatDay(since),
      terms: 'standard',
    }),
  },
});
