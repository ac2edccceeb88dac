import { exportPages } from '../../frame/exports.ts';
import { ctxOf, type Portal } from '../../frame/index.ts';
import type { OneParts } from '../one/model.ts';
import { exportColumns, foundBy } from './export.ts';
import { exportTexts } from './export-texts.ts';
import { listPage } from './list.tsx';
import { readListQuery } from './query.ts';

type FileParts = Pick<OneParts, 'requests' | 'links' | 'clocks'>;

/** Serves the filtered list as a file. */
export function filePages(portal: Portal, { requests, links, clocks }: FileParts): void {
  exportPages(portal, {
    act: 'requests.see',
    path: '/requests',
    sheet: (lang) => ({
      name: exportTexts[lang].file,
      columns: exportColumns({ lang, links, clocks }),
    }),
    find(visit) {
      const query = readListQuery(visit.query);
      const today = clocks.business.today();
      return query.search === null
        ? listPage(visit, { asked: query, found: [], total: null, saved: [], today })
        : foundBy(requests, ctxOf(visit), query.search);
    },
  });
}
