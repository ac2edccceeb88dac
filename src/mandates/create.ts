import { type Account, accountRefusal } from '../accounts/index.ts';
import { itemAt } from '../kernel/lists.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { batcher, byAccount, orThrow } from '../platform/batcher.ts';
import { Refusal } from '../platform/errors.ts';
import {
  type CreationOutcome,
  type IdempotencyClaim,
  recallRefused,
} from '../platform/idempotency.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import type { IdBlocks } from '../platform/postgres/id-blocks.ts';
import type { MandateRow } from './mandate.ts';
import { signingEmail } from './signing-email.ts';
import { signBefore } from './states.ts';
import { insertMandates, type NewMandate } from './store.ts';

/** The columns common to both kinds. */
export interface Beginning {
  account_id: string;
  id: number;
  state: 'pending_to_sign';
  version: 1;
  created_at: Temporal.Instant;
  sign_before: Temporal.Instant;
  link_no: 1;
  signed_at: null;
  canceled_at: null;
  state_comment: null;
}

export interface Create<I> {
  ctx: Ctx;
  input: I;
  claim: IdempotencyClaim | null;
}

export interface CreateParts<I> {
  ids: IdBlocks;
  readAccount(id: string): Promise<Account | null>;
  rowOf(input: I, beginning: Beginning): Promise<MandateRow>;
  present(row: MandateRow): unknown;
  /** Returns the maximum number of unsigned mandates of an account. 0 is unlimited. */
  mostUnsigned(accountId: string): Promise<number>;
  /** Runs for each new mandate before the call returns. The sandbox signs here. */
  afterCreate(row: MandateRow): Promise<void>;
}

export type CreateMandate<I> = (one: Create<I>) => Promise<CreationOutcome>;

/** A mandate created in a caller's transaction. Call `follow` after its commit. */
export interface CreatedMandate {
  id: number;
  follow(): Promise<void>;
}

export interface CreateMandates<I> {
  /** Creates a single mandate. Concurrent calls share a statement. */
  one: CreateMandate<I>;
  /** Creates many in a transaction, all or none. */
  many(tx: Transaction, calls: Create<I>[]): Promise<(CreatedMandate | Error)[]>;
}

/**
 * Creates mandates that await their holder's signature, and queues the email that asks for it.
 * Throws 409 if too many of the account's mandates await one.
 */
export function createMandates<I>(base: Base, parts: CreateParts<I>): CreateMandates<I> {
  const { clocks, log, recordIds } = base;

  const newMandate = async (
    { ctx, input, claim }: Create<I>,
    id: number,
    [mailId = 0, eventId = 0]: number[],
  ): Promise<NewMandate> => {
    const account = await parts.readAccount(ctx.accountId);
    if (!account) throw accountRefusal('account.not_found', {});
    const now = clocks.business.now();
    const row = await parts.rowOf(input, {
      account_id: ctx.accountId,
      id,
      state: 'pending_to_sign',
      version: 1,
      created_at: now,
      sign_before: signBefore(now),
      link_no: 1,
      signed_at: null,
      canceled_at: null,
      state_comment: null,
    });
    return {
      accountId: ctx.accountId,
      id,
      row,
      mail: { accountId: ctx.accountId, id: mailId, counts: true, ...signingEmail(row, account) },
      eventId,
      actor: ctx.actor,
      claim,
      answer: { status: 201, body: JSON.stringify(parts.present(row)) },
    };
  };

  /**
   * Runs the follow-up of a new mandate. The mandates are committed, so a failure here must not
   * make the caller repeat the batch.
   */
  const follow = async (row: MandateRow): Promise<void> => {
    try {
      await parts.afterCreate(row);
    } catch (error) {
      log.error({ err: error, mandate: row.id }, 'the follow-up of a new mandate failed');
    }
  };

  const drafted = async (calls: Create<I>[]): Promise<NewMandate[]> => {
    const [ids, others] = await Promise.all([
      parts.ids.take(calls.length),
      recordIds.take(calls.length * 2),
    ]);
    return await Promise.all(
      calls.map((call, index) =>
        newMandate(call, ids[index] ?? 0, others.slice(index * 2, index * 2 + 2)),
      ),
    );
  };

  const createMany = async (calls: Create<I>[]): Promise<(CreationOutcome | Error)[]> => {
    const news = await drafted(calls);
    const outcomes = await insertMandates(base, news, parts.mostUnsigned);
    for (const [index, outcome] of outcomes.entries()) {
      const row = news[index]?.row;
      if (row && 'kind' in outcome && outcome.kind === 'created') await follow(row);
    }
    return outcomes;
  };

  const batched = orThrow(
    batcher(
      createMany,
      { maxBatch: 100, maxQueue: 2_000, parallel: 1 },
      byAccount(base.sql, ({ ctx }: Create<I>) => ctx.accountId),
    ),
  );

  /**
   * Returns the first response to a repeated call, even if a new call would be refused because a
   * transport key expired or no connector stores cards.
   */
  const createOne = async (call: Create<I>): Promise<CreationOutcome | Error> => {
    try {
      return await batched(call);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      return await recallRefused(base.sql, { ...call, accountId: call.ctx.accountId }, error);
    }
  };

  return {
    one: orThrow(createOne),
    async many(tx, calls) {
      const news = await drafted(calls);
      const outcomes = await insertMandates(base, news, parts.mostUnsigned, tx);
      return outcomes.map((outcome, index) => {
        const { row } = itemAt(news, index);
        return outcome instanceof Error ? outcome : { id: row.id, follow: () => follow(row) };
      });
    },
  };
}
