import type { MandateRow } from '../mandates/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { lastDueOf } from '../requests/index.ts';
import type { Drafted } from './create.ts';
import type { DebitDetails, DebitKind, DebitRow } from './debit.ts';
import type { Timing } from './timing.ts';

interface SharedInput {
  description: string | null;
  external_reference: string | null;
  metadata: Record<string, unknown> | null;
}

/** Columns that a kind fills in. */
interface Own extends Pick<DebitRow, 'due1' | 'total1' | 'due2' | 'total2'> {
  kind: DebitKind;
  timing: Timing;
  details?: DebitDetails;
}

export function draftDebit(
  { clocks }: Base,
  { ctx, input }: { ctx: Ctx; input: SharedInput },
  { mandate, id }: { mandate: MandateRow; id: number },
  { kind, timing, details, ...dues }: Own,
): Drafted {
  const { external_reference: reference, metadata } = input;
  return {
    row: {
      ...dues,
      account_id: ctx.accountId,
      id,
      kind,
      state: 'pending',
      version: 1,
      created_at: clocks.business.now(),
      reference: reference ?? mandate.reference,
      payer: mandate.holder,
      description: input.description ?? mandate.description,
      last_due: lastDueOf(dues.due1, dues.due2),
      code: null,
      mandate_id: mandate.id,
      details: {
        ...details,
        ...(reference !== null && { external_reference: reference }),
        ...(metadata && { metadata }),
      },
    },
    run: {
      ...timing,
      account_id: ctx.accountId,
      request_id: id,
      no: 1,
      kind,
      amount: dues.total1,
      state: 'waiting',
      charged: mandate.kind === 'card_adhesion' && mandate.keeps_card,
    },
  };
}
