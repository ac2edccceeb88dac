import type { Base } from '../platform/base.ts';
import { batcher } from '../platform/batcher.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { MandateKind, MandateState } from './mandate.ts';

/** The account's mandates with one reference. */
export interface ReferencedMandates {
  /** Signed ones, newest first, up to a limit. */
  signed: number[];
  /** The newest of the others. Null if there is none, or if signed ones fill the limit. */
  other: number | null;
  /** The one with the wanted id, in any state. Null if none has it. */
  named: number | null;
}

export interface WantedMandate {
  reference: string;
  /** The id that must have the reference, or null. */
  id: number | null;
}

/** Maximum number of mandates read per reference. More signed ones are not worth naming. */
const mostNamed = 3;

async function readReferenced(
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: MandateKind },
  wanted: readonly WantedMandate[],
): Promise<ReferencedMandates[]> {
  const rows = await sql<{ no: number; id: number; state: MandateState }[]>`
    select wanted.no::int as no, found.id, found.state
    from unnest(${wanted.map(({ reference }) => reference)}::text[],
      ${wanted.map(({ id }) => id)}::bigint[]) with ordinality as wanted (reference, id, no)
    cross join lateral (
      select mandates.id, state from mandates
      where account_id = ${accountId} and kind = ${kind} and reference = wanted.reference
      order by mandates.id is not distinct from wanted.id desc, state = 'signed' desc, mandates.id desc
      limit ${mostNamed}
    ) as found
    order by no, found.state = 'signed' desc, found.id desc`;
  return wanted.map((one, index) => {
    const own = rows.filter(({ no }) => no === index + 1);
    return {
      signed: own.flatMap(({ id, state }) => (state === 'signed' ? [id] : [])),
      other: own.find(({ state }) => state !== 'signed')?.id ?? null,
      named: own.find(({ id }) => id === one.id)?.id ?? null,
    };
  });
}

export type FindReferenced = (wanted: WantedMandate) => Promise<ReferencedMandates>;

/** Finds an account's mandates of a kind by its references. Concurrent calls share a statement. */
export const findReferenced =
  ({ sql }: Pick<Base, 'sql'>) =>
  (owner: { accountId: string; kind: MandateKind }): FindReferenced =>
    batcher((wanted: WantedMandate[]) => readReferenced(sql, owner, wanted), {
      maxBatch: 200,
      maxQueue: 10_000,
      parallel: 1,
    });
