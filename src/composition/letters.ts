import { replayLetter } from '../connectors/http.ts';
import { discardLetter, listLetters, readLetter } from '../connectors/index.ts';
import type { Acting } from '../platform/base.ts';
import type { ListPage } from '../platform/list-page.ts';
import { noticePartsOf } from './notices.ts';
import type { Parts } from './parts.ts';

/** The operator's tools for connectors' unreadable notices. */
export const letterDesk = (parts: Parts) => ({
  list: (page: ListPage & { all: boolean }) => listLetters(parts.base.sql, page),
  read: (id: number) => readLetter(parts.base.sql, id),
  replay: (acting: Acting, id: number) => replayLetter(noticePartsOf(parts), acting, id),
  discard: discardLetter,
});
