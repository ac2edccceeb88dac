import type { ActivityEvent, LogPlace } from '../../events/http.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { SheetColumn } from '../../platform/spreadsheets/write/table.ts';
import { actText, changesText } from '../acts/views.tsx';
import { exportPages, type FindRows } from '../frame/exports.ts';
import type { AccountVisit, Portal } from '../frame/index.ts';
import {
  type ActivityParts,
  authorName,
  type Cast,
  findActivity,
  placeIn,
  readCast,
  subjectName,
} from './model.ts';
import { activityTexts } from './texts.ts';
import { shownChanges } from './types.ts';
import { activityPage } from './views.tsx';

export type { ActivityParts } from './model.ts';

const rowsAtOnce = 50;
const act = 'activity.see';
const path = '/settings/activity';

interface ActivityRow {
  event: ActivityEvent;
  cast: Cast;
}

const sheetOf = (lang: Lang): { name: string; columns: SheetColumn<ActivityRow>[] } => {
  const texts = activityTexts[lang];
  return {
    name: texts.file,
    columns: [
      { title: texts.when, kind: 'moment', of: ({ event }) => isoDateTime(event.at) },
      { title: texts.who, kind: 'text', of: ({ event, cast }) => authorName(lang, event, cast) },
      { title: texts.what, kind: 'text', of: ({ event }) => actText(lang, event) },
      { title: texts.of, kind: 'text', of: ({ event, cast }) => subjectName(lang, event, cast) },
      {
        title: texts.detail,
        kind: 'text',
        of: ({ event }) => changesText(lang, shownChanges(event)),
      },
    ],
  };
};

function rowsFor(parts: ActivityParts, visit: AccountVisit): FindRows<ActivityRow, LogPlace> {
  let reading: Promise<Cast> | undefined;
  return async (behind, limit) => {
    reading ??= readCast(parts, visit.account.id);
    const cast = await reading;
    const { events, next } = await findActivity(parts, visit, cast, { behind, limit });
    return { rows: events.map((event) => ({ event, cast })), next };
  };
}

/** Serves the account's activity to its owners. */
export function activityPages(portal: Portal, parts: ActivityParts): void {
  portal.page({
    act,
    path,
    async read(visit) {
      const cast = await readCast(parts, visit.account.id);
      const page = { behind: placeIn(visit.query), limit: rowsAtOnce };
      return activityPage(visit, cast, await findActivity(parts, visit, cast, page));
    },
  });
  exportPages(portal, {
    act,
    path,
    sheet: sheetOf,
    find: (visit) => rowsFor(parts, visit),
  });
}
