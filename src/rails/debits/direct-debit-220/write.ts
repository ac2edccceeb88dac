import { centavos, plus, zero } from '../../../kernel/money.ts';
import { compact } from '../../files/days.ts';
import { configured } from '../../files/format.ts';
import { type BankOutbound, mandateCode, runReference } from '../debit.ts';
import { order, orderHeader } from './layout.ts';

export const directDebit220: BankOutbound = {
  name: 'direct-debit-220',
  title: 'bank direct debit, 220 characters',
  kind: 'debit_request',
  room: { count: 9_999_999, total: centavos(Number.MAX_SAFE_INTEGER) },
  isConfigured: (terms) => terms.macroAgreement !== null,
  takes: () => true,
  createWriter({ macroAgreement, macroService: service }, { date, total }) {
    const agreement = configured(macroAgreement, 'MACRO_AGREEMENT');
    let written = zero;
    return {
      name: `DA${agreement}${compact(date)}.txt`,
      head: () => orderHeader.encode({ agreement, service, date, total }),
      line({ run, mandateId, cbu }) {
        const line = order.encode({
          agreement,
          service,
          account: cbu,
          customer: mandateCode(mandateId),
          reference: runReference(run.request_id, run.no),
          due: run.run_on,
          amount: run.amount,
        });
        written = plus(written, run.amount);
        return line;
      },
      tail() {
        if (written !== total) throw new Error('the header has a different sum than the lines');
        return null;
      },
    };
  },
};
