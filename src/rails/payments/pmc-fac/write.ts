import { type Centavos, sumOf } from '../../../kernel/money.ts';
import { allows, bankPaymentCode } from '../../../payment-requests/index.ts';
import { configured, type OutboundRail } from '../../files/format.ts';
import { detail, header, trailer } from './layout.ts';

/** FACXXXX.ddmmaa */
const nameOf = (company: string, date: Temporal.PlainDate): string => {
  const [year = '', month, day] = date.toString().split('-');
  return `FAC${company}.${day}${month}${year.slice(2)}`;
};

/** What can be paid through Pago Mis Cuentas. */
export const pmcFac: OutboundRail = {
  name: 'pmc',
  title: 'Pago Mis Cuentas, publication (FAC)',
  channel: 'banelco_pmc',
  open({ pmcCompany, takesCash }, date) {
    const company = configured(pmcCompany, 'PMC_COMPANY');
    let count = 0;
    let total = 0 as Centavos;
    return {
      name: nameOf(company, date),
      head: () => header.encode({ company, date }),
      line({ request, collector }) {
        count += 1;
        total = sumOf([total, request.total1]);
        const reference = bankPaymentCode(request);
        return detail.encode({
          reference,
          invoice: reference,
          first_due: request.due1,
          first_total: request.total1,
          second_due: request.due2,
          second_total: request.total2,
          previous_reference: reference,
          ticket_message: `${collector} ${request.description}`,
          screen_message: request.description,
          barcode: takesCash && allows(request, 'non_banking') ? request.details.barcode : '',
        });
      },
      tail: () => trailer.encode({ company, date, count, total }),
      companion: () => null,
    };
  },
};
