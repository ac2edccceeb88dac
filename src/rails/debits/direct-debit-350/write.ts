import { centavos, plus, zero } from '../../../kernel/money.ts';
import { compact } from '../../files/days.ts';
import { configured } from '../../files/format.ts';
import { type BankOutbound, mandateCode, runReference } from '../debit.ts';
import { order, orderHeader, orderTrailer } from './layout.ts';

/** Tax authority codes of CUIT, CUIL and DNI. */
const documentTypes = { cuit: '0080', cuil: '0086', dni: '0096' } as const;

/**
 * Returns a document's type. Eleven digits are a CUIT or CUIL, depending on the prefix. Fewer are a
 * DNI.
 */
export function documentTypeOf(document: string): string {
  if (document.length < 11) return documentTypes.dni;
  return document.startsWith('3') ? documentTypes.cuit : documentTypes.cuil;
}

export const directDebit350: BankOutbound = {
  name: 'direct-debit-350',
  title: 'bank direct debit, 350 characters',
  kind: 'debit_request',
  room: { count: 9_999_999, total: centavos(999_999_999_999_99) },
  isConfigured: (terms) => terms.directDebitService !== null,
  takes: () => true,
  createWriter({ directDebitService }, { date, count, total }) {
    const service = configured(directDebitService, 'DIRECT_DEBIT_SERVICE');
    const totals = { service, date, count, total };
    const written = { count: 0, total: zero };
    return {
      name: `DD${service}${compact(date)}.txt`,
      head: () => orderHeader.encode(totals),
      line({ run, mandateId, description, cbu, shortDescription, document }) {
        const line = order.encode({
          customer: mandateCode(mandateId),
          cbu,
          reference: runReference(run.request_id, run.no),
          due: run.run_on,
          amount: run.amount,
          document_type: documentTypeOf(document),
          document,
          message: description,
          concept: shortDescription,
        });
        written.count += 1;
        written.total = plus(written.total, run.amount);
        return line;
      },
      tail() {
        if (written.count !== count || written.total !== total) {
          throw new Error('the header has different sums than the lines');
        }
        return orderTrailer.encode(totals);
      },
    };
  },
};
