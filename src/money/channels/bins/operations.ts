import type { Base } from '../../../platform/base.ts';
import { line } from '../../../platform/http/fields.ts';
import { required } from '../../../platform/http/form.ts';
import { listing } from '../../../platform/listings.ts';
import { operation } from '../../../platform/operations.ts';
import type { Sql } from '../../../platform/postgres/connect.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Lists imported BINs, the first digits that identify the kind of a card. */
export const binList = listing({
  name: 'card_bins.list',
  act: 'files.see',
  whole: true,
  texts: { en, es },
  read: async (sql: Sql) => (await import('../card-kinds.ts')).readBins(sql),
  columns: {
    prefix: { kind: 'text', of: (row) => row.prefix },
    kind: { kind: 'choice', of: (row) => row.kind },
  },
});

/** Replaces the imported BINs with those of a file. */
export const binImporting = operation({
  name: 'card_bins.import',
  act: 'files.manage',
  texts: { en, es },
  takes: { file: required(line({ max: 4_096 })) },
  repeat: { again: 'the same list replaces itself' },
  async run(base: Base, { file }, actor) {
    const { importBins } = await import('../card-kinds.ts');
    return { bins: await importBins({ ...base, actor }, file) };
  },
  command: { arguments: ['file'], shows: (_, done) => done },
});
