import {
  type AnswerMandate,
  type MandateKey,
  type MandateKind,
  type MandateRow,
  unsignedMandates,
} from '../mandates/index.ts';
import { payer } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Sweep } from '../platform/sweeps.ts';

/** Marks holders who do not sign automatically, such as `ana+nosign@example.com`. */
const unwilling = /\+nosign@/i;

const atOnce = 500;

const sign = (answer: AnswerMandate, key: MandateKey) =>
  answer.sign({
    key,
    actor: payer,
    address: 'sandbox',
    userAgent: 'Payer simulator',
    text: 'Signed by the payer simulator.',
  });

/** Signs at once for the sandbox's holders, except for addresses that opt out. */
export async function signInSandbox(row: MandateRow, answer: AnswerMandate): Promise<void> {
  // Signing with a card needs a holder to enter it.
  if (row.kind === 'card_adhesion' && row.keeps_card) return;
  if (unwilling.test(row.email)) return;
  await sign(answer, { accountId: row.account_id, kind: row.kind, id: row.id });
}

/** Signs mandates whose process died between creating and signing them. */
export function simulatedSignatures({ sql, clocks }: Base, answer: AnswerMandate): Sweep {
  const isWilling = sql`email !~* ${unwilling.source} and not keeps_card`;
  return {
    name: 'mandates signed by the simulator',
    async nextDue() {
      const [row] = await sql<{ due: Temporal.Instant | null }[]>`
        select min(created_at) as due from ${unsignedMandates(sql, clocks.business.now())} where ${isWilling}`;
      return row?.due ?? null;
    },
    async run(now) {
      const due = await sql<{ account_id: string; kind: MandateKind; id: number }[]>`
        select account_id, kind, id from ${unsignedMandates(sql, now)} where ${isWilling}
        order by sign_before limit ${atOnce}`;
      let signed = 0;
      for (const { account_id: accountId, kind, id } of due) {
        const { done } = await sign(answer, { accountId, kind, id });
        signed += done ? 1 : 0;
      }
      return signed;
    },
  };
}
