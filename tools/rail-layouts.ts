import type { FixedRecord, Layout } from '../src/kernel/fixed-width.ts';
import * as linkExtract from '../src/rails/link-extract/layout.ts';
import * as linkRefresh from '../src/rails/link-refresh/layout.ts';
import * as pagoFacil from '../src/rails/pago-facil/layout.ts';
import * as pmcCob from '../src/rails/pmc-cob/layout.ts';
import * as pmcFac from '../src/rails/pmc-fac/layout.ts';
import * as rapipago from '../src/rails/rapipago/layout.ts';

type Described = Pick<FixedRecord<Layout>, 'length' | 'fields'>;

/** The records of each file in docs/rails, in their order. */
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
};

const tableOf = ([title, { length, fields }]: [string, Described]): string => {
  const rows = fields.map(({ name, from, to, expected }) => {
    const columns = from === to ? `${from}` : `${from}-${to}`;
    return `| ${columns} | ${name.replaceAll('_', ' ')} | ${expected} |`;
  });
  return [
    `${title}, ${length} characters:`,
    '',
    '| Columns | Field | What stands there |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
};

/** Pages of docs/rails and the tables that each holds. */
export const railLayouts: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([page, records]) => [
    `docs/rails/${page}.md`,
    Object.entries(records).map(tableOf).join('\n\n'),
  ]),
);
