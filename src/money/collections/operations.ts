import { accountIdsOf } from '../../accounts/operations.ts';
import { formatDay } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import type { Base } from '../../platform/base.ts';
import { detail } from '../../platform/details.ts';
import { oneOf, recordId, text } from '../../platform/http/fields.ts';
import { type Filled, optional, required } from '../../platform/http/form.ts';
import type { ListPage } from '../../platform/list-page.ts';
import { listing, plainCells } from '../../platform/listings.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import type { RequestRow } from '../../requests/index.ts';
import { requestKinds } from '../../requests/kinds.ts';
import { type RequestKind, type RequestState, transitions } from '../../requests/states.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const states: readonly RequestState[] = [
  ...new Set(requestKinds.flatMap((kind) => Object.values(transitions[kind]).map(({ to }) => to))),
  'pending',
];

const taking = <K extends RequestKind>(among: readonly K[]) => ({
  reference: optional(text({ max: 255 })),
  name: optional(text({ max: 255 })),
  kind: optional(oneOf(among)),
  state: optional(oneOf([...new Set(states)])),
});

type Part = ListPage & Filled<ReturnType<typeof taking>> & { account: string | null };

/** A request with today's state, which a due date can change without a write. */
type Found = RequestRow & { today: string };

const finding =
  (among: readonly RequestKind[]) =>
  async (
    sql: Sql,
    part: Part & { mandate?: number | null },
    { clocks }: Base,
  ): Promise<Found[]> => {
    const { account, kind, name: payer, reference, state, mandate = null } = part;
    const { searchRequests, stateOn } = await import('../../requests/index.ts');
    const rows = await searchRequests(
      sql,
      {
        accountIds: await accountIdsOf(sql, account),
        kinds: kind === null ? among : [kind],
        reference,
        payer,
        state,
        mandateId: mandate,
      },
      part,
    );
    const day = clocks.business.today();
    return rows.map((row) => ({ ...row, today: stateOn(row, day) }));
  };

const columns = {
  account: { kind: 'text', of: (row: Found) => row.account_id },
  id: { kind: 'text', of: (row: Found) => row.id },
  kind: { kind: 'choice', of: (row: Found) => row.kind },
  state: { kind: 'choice', of: (row: Found) => row.today },
  reference: { kind: 'text', of: (row: Found) => row.reference },
  payer: { kind: 'text', of: (row: Found) => row.payer },
  due: { kind: 'day', of: (row: Found) => row.due1 },
  total: { kind: 'money', of: (row: Found) => row.total1 },
  created_at: { kind: 'moment', of: (row: Found) => row.created_at },
} as const;

const found = { account: 'optional', texts: { en, es }, columns } as const;

export const requestList = listing({
  ...found,
  name: 'request.find',
  act: 'requests.see',
  takes: taking(requestKinds),
  read: finding(requestKinds),
});

/** Kinds of requests that need a mandate. */
export const debitKinds = ['debit_request', 'card_debit_request'] as const;

export const debitList = listing({
  ...found,
  name: 'debit.find',
  act: 'debits.see',
  takes: { ...taking(debitKinds), mandate: optional(recordId()) },
  read: finding(debitKinds),
});

const factsOf =
  (among: readonly RequestKind[]) =>
  async (base: Base, { id }: { id: number }) => {
    const [{ findRequests, requestRefusal, stateOn }, { requestFinder }, { presentResult }] =
      await Promise.all([
        import('../../requests/index.ts'),
        import('./find.ts'),
        import('./present.ts'),
      ]);
    const [row] = (await findRequests(base.sql, [id])).filter(({ kind }) => among.includes(kind));
    if (!row) throw requestRefusal('request.not_found', {});
    const whole = await requestFinder(base)({ accountId: row.account_id, id });
    const today = stateOn(row, base.clocks.business.today());
    return {
      ...plainCells(columns, { ...row, today }),
      description: row.description,
      second_due: row.due2 && formatDay(row.due2),
      second_total: row.total2 && decimalText(row.total2),
      code: row.code,
      mandate: row.mandate_id,
      state_comment: row.state_comment ?? null,
      results: (whole?.results ?? []).map(presentResult),
    };
  };

type RequestFacts = Awaited<ReturnType<ReturnType<typeof factsOf>>>;

const shown = {
  takes: { id: required(recordId()) },
  command: { arguments: ['id'] },
  table: {
    of: 'results',
    rows: ({ results }: RequestFacts) =>
      results.map(({ id, type, channel, amount, created_at, state_comment }) => ({
        result: id,
        type,
        channel,
        amount: amount ?? null,
        created_at,
        comment: state_comment ?? null,
      })),
  },
  texts: { en, es },
} as const;

/** Shows a request of any account. */
export const requestShowing = detail({
  ...shown,
  name: 'request.show',
  act: 'requests.see',
  facts: factsOf(requestKinds),
});

/** Shows a debit of any account. */
export const debitShowing = detail({
  ...shown,
  name: 'debit.show',
  act: 'debits.see',
  facts: factsOf(debitKinds),
});
