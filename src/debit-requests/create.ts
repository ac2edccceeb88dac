import type { LocalizedText } from '../language/localized-text.ts';
import { lockMandates, type MandateKey, type MandateRow, mandateName } from '../mandates/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { batcher, byAccount, orThrow } from '../platform/batcher.ts';
import type { Refusal } from '../platform/errors.ts';
import {
  type CreationOutcome,
  type IdempotencyClaim,
  recallRefused,
} from '../platform/idempotency.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { fault, refusal } from './codes.ts';
import { type DebitKind, type DebitRow, type DebitRun, mandateKindOf } from './debit.ts';
import { insertDebits, type NewDebit } from './store.ts';

export interface Drafted {
  row: DebitRow;
  run: DebitRun;
}

export interface CreateDebit<I> {
  ctx: Ctx;
  input: I;
  claim: IdempotencyClaim | null;
}

export interface CreateParts<I> {
  kind: DebitKind;
  mandateIdOf(input: I): number;
  findMandate(key: MandateKey): Promise<MandateRow | null>;
  /** Returns a refusal at the field that names the mandate. */
  refuseMandate(why: string | LocalizedText): Refusal;
  /** Returns why no bank or processor can carry the mandate's debits, or null. */
  carryFault(mandate: MandateRow): LocalizedText | null;
  draft(call: CreateDebit<I>, mandate: MandateRow, id: number): Promise<Drafted>;
  present(row: DebitRow, mandate: MandateRow): unknown;
}

const unknownMandate = {
  debit_request: 'debit_request.adhesion_unknown',
  card_debit_request: 'card_debit_request.adhesion_unknown',
} as const;

const notSigned = (state: MandateRow['state'] | undefined): Refusal =>
  refusal('debit_request.adhesion_not_signed', { state: state ?? 'gone' });

/** Returns a refusal if the mandate allows no debit now, else null. */
const mandateFault =
  <I>({
    kind,
    refuseMandate,
    carryFault,
  }: Pick<CreateParts<I>, 'kind' | 'refuseMandate' | 'carryFault'>) =>
  (mandate: MandateRow | null): Refusal | null => {
    if (!mandate) return refuseMandate(fault(unknownMandate[kind], {}));
    if (mandate.state !== 'signed') return notSigned(mandate.state);
    const found = carryFault(mandate);
    return found === null ? null : refuseMandate(found);
  };

const keyFor =
  <I>({ kind, mandateIdOf }: Pick<CreateParts<I>, 'kind' | 'mandateIdOf'>) =>
  (accountId: string, input: I): MandateKey => ({
    accountId,
    kind: mandateKindOf[kind],
    id: mandateIdOf(input),
  });

/** Returns a refusal if the debit could not be created now, else null. */
export const debitFault =
  <I>(parts: Omit<CreateParts<I>, 'draft' | 'present'>) =>
  async (accountId: string, input: I): Promise<Refusal | null> =>
    mandateFault(parts)(await parts.findMandate(keyFor(parts)(accountId, input)));

export type CreateDebits<I> = (
  calls: CreateDebit<I>[],
  tx?: Transaction,
) => Promise<(CreationOutcome | Error)[]>;

/**
 * Creates debits on signed mandates. Locks the mandates, so that a concurrent end of a mandate
 * either cancels the debit or precedes it. Refuses a debit with 400 if its mandate is unknown or
 * nothing can carry it, and with 409 if the mandate is not signed.
 */
export function createDebits<I>(base: Base, parts: CreateParts<I>): CreateDebits<I> {
  const { sql, requestIds, recordIds } = base;
  const { kind } = parts;

  const keyOf = keyFor(parts);
  const faultOf = mandateFault(parts);

  const newDebit = async (
    call: CreateDebit<I>,
    id: number,
    eventId: number,
  ): Promise<NewDebit | Refusal> => {
    const mandate = await parts.findMandate(keyOf(call.ctx.accountId, call.input));
    const fault = faultOf(mandate);
    if (fault !== null || mandate === null) return fault ?? notSigned(undefined);
    const { row, run } = await parts.draft(call, mandate, id);
    return {
      rows: [row],
      run,
      eventId,
      actor: call.ctx.actor,
      claim: call.claim,
      answer: { status: 201, body: JSON.stringify(parts.present(row, mandate)) },
    };
  };

  /**
   * Returns the response stored under the key, whatever happened to the mandate since, or else the
   * refusal.
   */
  const recalled = ({ ctx, claim }: CreateDebit<I>, refusal: Error) =>
    recallRefused(sql, { accountId: ctx.accountId, claim }, refusal);

  const insertUnderClaim = async (
    tx: Transaction,
    drafts: NewDebit[],
  ): Promise<(CreationOutcome | Error)[]> => {
    const keys = drafts.map(({ rows: [row] }) => ({
      accountId: row.account_id,
      kind: mandateKindOf[kind],
      id: row.mandate_id,
    }));
    const states = await lockMandates(tx, keys);
    const stateOf = (index: number) => states.get(mandateName(keys[index] as MandateKey));
    const signedDrafts = drafts.filter((_draft, index) => stateOf(index) === 'signed');
    const inserted = signedDrafts.length > 0 ? await insertDebits(base, tx, signedDrafts) : [];
    const outcomes = new Map(
      signedDrafts.map(({ rows: [row] }, index) => [row.id, inserted[index]]),
    );
    return drafts.map(
      ({ rows: [row] }, index) => outcomes.get(row.id) ?? notSigned(stateOf(index)),
    );
  };

  const insert = (
    drafts: NewDebit[],
    tx: Transaction | undefined,
  ): Promise<(CreationOutcome | Error)[]> =>
    tx ? insertUnderClaim(tx, drafts) : sql.begin((own) => insertUnderClaim(own, drafts));

  return async (calls, tx) => {
    const [ids, eventIds] = await Promise.all([
      requestIds.take(calls.length),
      recordIds.take(calls.length),
    ]);
    const drafts = await Promise.all(
      calls.map((call, index) => newDebit(call, ids[index] ?? 0, eventIds[index] ?? 0)),
    );
    const good = drafts.filter((draft): draft is NewDebit => !(draft instanceof Error));
    const written = good.length > 0 ? await insert(good, tx) : [];
    const outcomeOf = new Map(good.map(({ rows: [row] }, index) => [row.id, written[index]]));
    return await Promise.all(
      drafts.map(async (draft, index) => {
        const outcome = draft instanceof Error ? draft : outcomeOf.get(draft.rows[0].id);
        if (outcome && !(outcome instanceof Error)) return outcome;
        return await recalled(calls[index] as CreateDebit<I>, outcome ?? notSigned(undefined));
      }),
    );
  };
}

/** Creates single debits. Concurrent calls share a statement. */
export const batchedDebits = <I>({ sql }: Base, create: CreateDebits<I>) =>
  orThrow(
    batcher(
      (calls: CreateDebit<I>[]) => create(calls),
      { maxBatch: 100, maxQueue: 5_000, parallel: 1 },
      byAccount(sql, ({ ctx }) => ctx.accountId),
    ),
  );
