import type { AnswerMandate, MandateRow } from '../mandates/index.ts';
import { payer } from '../platform/actor.ts';

/** Addresses of holders who do not sign by themselves: `ana+nosign@example.com`. */
const unwilling = /\+nosign@/i;

/** The sandbox's holders sign at once, but those whose address says otherwise. */
export async function signInSandbox(row: MandateRow, answer: AnswerMandate): Promise<void> {
  if (unwilling.test(row.email)) return;
  await answer.sign({
    key: { accountId: row.account_id, kind: row.kind, id: row.id },
    actor: payer,
    address: 'sandbox',
    userAgent: 'Payer simulator',
    text: 'Signed by the payer simulator.',
  });
}
