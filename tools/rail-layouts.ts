import type { FixedRecord, Layout } from '../src/kernel/fixed-width.ts';
import * as cardDebit from '../src/rails/debits/card-debit/layout.ts';
import * as directDebit220 from '../src/rails/debits/direct-debit-220/layout.ts';
import * as directDebit350 from '../src/rails/debits/direct-debit-350/layout.ts';
import * as linkExtract from '../src/rails/payments/link-extract/layout.ts';
import * as linkRefresh from '../src/rails/payments/link-refresh/layout.ts';
import * as pagoFacil from '../src/rails/payments/pago-facil/layout.ts';
import * as pmcCob from '../src/rails/payments/pmc-cob/layout.ts';
import * as pmcFac from '../src/rails/payments/pmc-fac/layout.ts';
import * as rapipago from '../src/rails/payments/rapipago/layout.ts';

type Described = Pick<FixedRecord<Layout>, 'length' | 'fields'>;

/** Record layouts of each file in docs/reference/rails, in order. */
const files: Record<string, Record<string, Described>> = {
  'pago-facil': {
    'File header': pagoFacil.fileHeader,
    'Batch header': pagoFacil.batchHeader,
    Payment: pagoFacil.payment,
    'Barcode of the payment': pagoFacil.barcode,
    'Instrument of the payment': pagoFacil.instrument,
    'Batch trailer': pagoFacil.batchTrailer,
    'File trailer': pagoFacil.fileTrailer,
  },
  rapipago: { Header: rapipago.header, Payment: rapipago.detail, Trailer: rapipago.trailer },
  'pmc-cob': { Header: pmcCob.header, Payment: pmcCob.detail, Trailer: pmcCob.trailer },
  'link-extract': {
    Header: linkExtract.header,
    Payment: linkExtract.detail,
    Trailer: linkExtract.trailer,
  },
  'pmc-fac': { Header: pmcFac.header, Request: pmcFac.detail, Trailer: pmcFac.trailer },
  'link-refresh': {
    'Refresh: header': linkRefresh.header,
    'Refresh: request': linkRefresh.detail,
    'Refresh: trailer': linkRefresh.trailer,
    'Control: header': linkRefresh.controlHeader,
    'Control: lot': linkRefresh.controlLot,
    'Control: end': linkRefresh.controlEnd,
  },
  'direct-debit-350': {
    'Out: header': directDebit350.orderHeader,
    'Out: order': directDebit350.order,
    'Out: trailer': directDebit350.orderTrailer,
    'Back: header': directDebit350.answerHeader,
    'Back: record': directDebit350.answer,
    'Back: trailer': directDebit350.answerTrailer,
  },
  'direct-debit-220': {
    'Out: header': directDebit220.orderHeader,
    'Out: order': directDebit220.order,
    'Back: header': directDebit220.answerHeader,
    'Back: record': directDebit220.answer,
  },
  'card-debit': {
    'DEBLIQC: header': cardDebit.orderHeader('DEBLIQC '),
    'DEBLIQC: debit': cardDebit.order,
    'DEBLIQC: trailer': cardDebit.orderTrailer('DEBLIQC '),
    'RDEBLIQC: header': cardDebit.answerHeader(300, 'RDEBLIQC'),
    'RDEBLIQC: debit': cardDebit.creditAnswer,
    'RDEBLIQC: trailer': cardDebit.answerTrailer(300, 'RDEBLIQC'),
    'LDEBLIQD: header': cardDebit.answerHeader(150, 'LDEBLIQD'),
    'LDEBLIQD: debit': cardDebit.debitAnswer,
    'LDEBLIQD: trailer': cardDebit.answerTrailer(150, 'LDEBLIQD'),
  },
};

const tableOf = ([title, { length, fields }]: [string, Described]): string => {
  const rows = fields.map(({ name, from, to, expected }) => {
    const columns = from === to ? `${from}` : `${from}-${to}`;
    return `| ${columns} | ${name.replaceAll('_', ' ')} | ${expected} |`;
  });
  return [
    `${title}, ${length} characters:`,
    '',
    '| Columns | Field | Content |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
};

/** Renders the layout tables of docs/reference/rails, by page. */
export const railLayouts: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([page, records]) => [
    `docs/reference/rails/${page}.md`,
    Object.entries(records).map(tableOf).join('\n\n'),
  ]),
);
