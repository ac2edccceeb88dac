import { sheetFormats, writeTable } from '../../../platform/spreadsheets/write/table.ts';
import { ctxOf, type Portal } from '../../frame/index.ts';
import type { OneParts } from '../one/model.ts';
import { exportColumns, piecesOf } from './export.ts';
import { exportTexts } from './export-texts.ts';
import { listPage } from './list.tsx';
import { readAsked } from './query.ts';

type FileParts = Pick<OneParts, 'requests' | 'links' | 'clocks'>;

/** What is filtered as a file, written while it is read. */
export function filePages(portal: Portal, { requests, links, clocks }: FileParts): void {
  for (const format of sheetFormats) {
    portal.page({
      act: 'requests.see',
      path: `/requests/export.${format}`,
      async read(visit) {
        const { lang } = visit;
        const asked = readAsked(visit.query);
        const today = clocks.business.today();
        if (asked.search === null) return listPage(visit, { asked, found: [], saved: [], today });
        return writeTable({
          format,
          name: exportTexts[lang].file,
          columns: exportColumns({ lang, links, clocks }),
          pieces: piecesOf(requests, ctxOf(visit), asked.search),
        });
      },
    });
  }
}
