import { centavos, plus, zero } from '../../../kernel/money.ts';
import { allows, bankPaymentCode } from '../../../payment-requests/index.ts';
import { configured, type OutboundRail } from '../../files/format.ts';
import { detail, header, trailer } from './layout.ts';

/** Returns `FACXXXX.ddmmaa`. Further parts of a day add their number after the company. */
const nameOf = (company: string, date: Temporal.PlainDate, part: number): string => {
  const [year = '', month, day] = date.toString().split('-');
  const no = part === 1 ? '' : `-${part}`;
  return `FAC${company}${no}.${day}${month}${year.slice(2)}`;
};

export const pmcFac: OutboundRail = {
  name: 'pmc',
  title: 'Pago Mis Cuentas, publication (FAC)',
  channel: 'banelco_pmc',
  room: { count: 9_999_999, total: centavos(999_999_999_99) },
  hasCompanion: false,
  createWriter({ pmcCompany, takesCash }, date, part) {
    const company = configured(pmcCompany, 'PMC_COMPANY');
    let count = 0;
    let total = zero;
    return {
      name: nameOf(company, date, part),
      head: () => header.encode({ company, date }),
      line({ request, collector }) {
        const reference = bankPaymentCode(request);
        const line = detail.encode({
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
        count += 1;
        total = plus(total, request.total1);
        return line;
      },
      tail: () => trailer.encode({ company, date, count, total }),
      companion: () => null,
    };
  },
};
