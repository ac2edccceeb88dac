import { envelopeReader } from '../../files/envelope.ts';
import { configured, type InboundRail } from '../../files/format.ts';
import { paidOf } from '../payment.ts';
import { detail, header, trailer } from './layout.ts';

const compact = (day: Temporal.PlainDate): string => day.toString().replaceAll('-', '');

/** Collections of Pago Mis Cuentas, one file for each day of accreditation. */
export const pmcCob: InboundRail = {
  name: 'pmc',
  title: 'Pago Mis Cuentas, collections (COB)',
  channel: 'banelco_pmc',
  label: 'Pago Mis Cuentas',
  createReader: ({ pmcCompany, today }) =>
    envelopeReader({
      kindOf(line) {
        if (line.startsWith('0')) return 'header';
        return line.startsWith('9') ? 'trailer' : 'detail';
      },
      header,
      checkHeader({ company }, refuse) {
        const ours = configured(pmcCompany, 'PMC_COMPANY');
        if (company !== ours) refuse('company', `${ours} (PMC_COMPANY)`);
      },
      detailOf: () => detail,
      item(fields, { date }, refuse) {
        if (!fields.credited_on.equals(date)) {
          refuse('credited_on', `${compact(date)}, the date of the header`);
        }
        return {
          code: { kind: 'typed', ...fields.reference },
          ...paidOf(fields, today, refuse),
        };
      },
      trailer,
      checkTrailer({ company, date }, head, refuse) {
        if (company !== head.company) refuse('company', `${head.company}, as in the header`);
        if (!date.equals(head.date)) refuse('date', `${compact(head.date)}, as in the header`);
      },
    }),
};
