import type { Ctx } from '../../platform/base.ts';
import type { CreationOutcome } from '../../platform/idempotency.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import { findReferences } from '../../requests/index.ts';
import type { ImportKind, ImportMaker, KindName } from './kind.ts';

type CreateMany<I> = (
  calls: { ctx: Ctx; input: I; claim: null }[],
  tx: Transaction,
) => Promise<(CreationOutcome | Error)[]>;

/** Creates requests with their noun's own verb. */
export const createAsRequests =
  <I>(createMany: CreateMany<I>): ImportMaker<I>['create'] =>
  async (tx, ctx, inputs) => {
    const outcomes = await createMany(
      inputs.map((input) => ({ ctx, input, claim: null })),
      tx,
    );
    return outcomes.map((outcome) =>
      outcome instanceof Error ? outcome : { id: JSON.parse(outcome.answer.body).id as number },
    );
  };

/** Finds requests by the references that the account gave them. */
export const ownReferences = (kind: Exclude<KindName, 'adhesion'>) =>
  ({
    referenceOf: (input) => input.external_reference,
    async existing(sql, accountId, references) {
      const found = await findReferences(sql, { accountId, kind }, references);
      return new Map(found.map(({ reference, id }) => [reference, id]));
    },
  }) satisfies Pick<ImportKind<{ external_reference: string | null }>, 'referenceOf' | 'existing'>;
