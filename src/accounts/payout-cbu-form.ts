import { cbuFault } from '../kernel/cbu.ts';
import { Refusal } from '../platform/errors.ts';
import { type Field, fail } from '../platform/http/form.ts';
import { refusal, refusals } from './codes.ts';

/** Throws 400 for an invalid payout CBU. */
export function refuseCbu(cbu: string): void {
  const fault = cbuFault(cbu);
  if (fault === 'cvu') throw refusal('account.cbu_is_cvu', {});
  if (fault !== null) throw refusal('account.cbu_invalid', { fault: fault.replaceAll('-', '_') });
}

const expectation = refusals.fault('account.cbu_invalid', { fault: 'format' });

/** A destination of payouts as people paste it, in groups or with hyphens. */
export const payoutCbu: Field<string> = {
  schema: { type: 'string', maxLength: 40, pattern: '^[0-9]{22}$' },
  expectation,
  parse(value) {
    const cbu = String(value).replaceAll(/[\s-]/g, '');
    try {
      refuseCbu(cbu);
      return { ok: true, value: cbu };
    } catch (error) {
      return fail(error instanceof Refusal ? (error.localized ?? expectation) : expectation);
    }
  },
};
