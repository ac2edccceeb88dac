import { line, recordId, text } from '../../platform/http/fields.ts';
import { optional, required } from '../../platform/http/form.ts';
import { listing } from '../../platform/listings.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { refusal } from './codes.ts';
import type { Judged } from './compare.ts';
import { faultText, unexplainedOf } from './line.ts';
import type { PayoutRow } from './store.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };
const shared = { act: 'alarms.see', whole: true, texts } as const;

const payoutsAtOnce = 100;
const linesAtOnce = 500;

export const settlementList = listing({
  ...shared,
  name: 'settlement.list',
  takes: { connector: optional(line({ max: 60 })), before: optional(recordId()) },
  async read(sql, { connector, before }) {
    const { listSettlements } = await import('./store.ts');
    return await listSettlements(sql, { connector, before, limit: payoutsAtOnce });
  },
  columns: {
    id: { kind: 'text', of: (row: PayoutRow) => row.id },
    connector: { kind: 'text', of: (row) => row.connector },
    payout: { kind: 'code', of: (row) => row.name },
    paid_on: { kind: 'day', of: (row) => row.paid_on },
    paid: { kind: 'money', of: (row) => row.net },
    lines: { kind: 'text', of: (row) => row.lines },
    gross: { kind: 'money', of: (row) => row.gross },
    fee: { kind: 'money', of: (row) => row.fee },
    net: { kind: 'money', of: (row) => row.listed },
    recorded: { kind: 'money', of: (row) => row.matched },
    elsewhere: { kind: 'money', of: (row) => row.elsewhere },
    difference: { kind: 'money', of: (row) => unexplainedOf(row) },
    faults: { kind: 'text', of: (row) => row.faults },
    compared_at: { kind: 'moment', of: (row) => row.compared_at },
  },
});

async function judgedLines(
  sql: Sql,
  { id, from }: { id: number; from: string | null },
): Promise<Judged[]> {
  const [{ judgeLines }, { linesOf, readPayout }] = await Promise.all([
    import('./compare.ts'),
    import('./store.ts'),
  ]);
  const payout = await readPayout(sql, id);
  if (!payout) throw refusal('settlement.not_found', {});
  const lines = await linesOf(sql, id, { after: from ?? '', limit: linesAtOnce });
  return await judgeLines(sql, payout.connector, lines);
}

export const settlementLines = listing({
  ...shared,
  name: 'settlement.lines',
  takes: { id: required(recordId()), from: optional(text({ max: 255 })) },
  command: { arguments: ['id'], flags: { from: 'after' } },
  read: judgedLines,
  columns: {
    line: { kind: 'code', of: ({ line: { name } }) => name },
    kind: { kind: 'choice', of: ({ line: { kind } }) => kind },
    charge: { kind: 'text', of: ({ line: { attempt, trx } }) => attempt ?? trx },
    request: { kind: 'text', of: ({ charge }) => charge?.request_id ?? null },
    gross: { kind: 'money', of: ({ line: { gross } }) => gross },
    fee: { kind: 'money', of: ({ line: { fee } }) => fee },
    net: { kind: 'money', of: ({ line: { net } }) => net },
    recorded: { kind: 'money', of: ({ charge }) => charge?.collected?.amount ?? null },
    difference: {
      kind: 'text',
      of: ({ judgement }) => ('fault' in judgement ? faultText(judgement.fault) : null),
    },
  },
});
