import { envelopeReader } from '../../files/envelope.ts';
import { configured, type InboundRail } from '../../files/format.ts';
import { paidOf, refuseFuture } from '../payment.ts';
import { detailFor, header, headerMark, trailer, trailerMark } from './layout.ts';

/**
 * Keeps only ASCII letters and digits, in upper case, because files write accents in several code
 * pages.
 */
const plainName = (name: string): string => name.replace(/[^0-9A-Za-z]/g, '').toUpperCase();

export const rapipago: InboundRail = {
  name: 'rapipago',
  title: 'Rapipago, collections',
  channel: 'non_banking',
  label: 'Rapipago',
  createReader: ({ rapipagoCompany, today }) =>
    envelopeReader({
      kindOf(line) {
        if (line.startsWith(headerMark)) return 'header';
        return line.startsWith(trailerMark) ? 'trailer' : 'detail';
      },
      header,
      checkHeader({ company, date }, refuse) {
        const ours = configured(rapipagoCompany, 'RAPIPAGO_COMPANY');
        if (plainName(company) !== plainName(ours)) {
          refuse('company', `${ours} (RAPIPAGO_COMPANY)`);
        }
        refuseFuture(date, today, (expected) => refuse('date', expected));
      },
      detailOf: detailFor,
      item: (fields, _header, refuse) => ({
        code: { kind: 'barcode', ...fields.barcode },
        ...paidOf(fields, today, refuse),
      }),
      trailer,
      checkTrailer() {},
    }),
};
