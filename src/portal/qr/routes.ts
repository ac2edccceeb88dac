import { midnightOf } from '../../kernel/dates.ts';
import { Refusal } from '../../platform/errors.ts';
import { retryAfterOf } from '../../platform/http/answers.ts';
import { drawPoster, findNewestQrs, listStaticPayments, listStatics } from '../../qr/http.ts';
import { type PrintSelection, type QrState, qrImageUrls, readQrId } from '../../qr/index.ts';
import { refusalText } from '../frame/faults.ts';
import { chosenIn, dayIn } from '../frame/filters.tsx';
import {
  type AccountVisit,
  ctxOf,
  idIn,
  numberIn,
  type Portal,
  portalRefusal,
} from '../frame/index.ts';
import { qrChanges } from './changes.ts';
import { listPage, placeIn, stateChoices, staticsPage } from './list.tsx';
import { readQrDetails } from './model.ts';
import { qrPage, sheetPage } from './one.tsx';
import type { QrPageParts } from './parts.ts';
import { sheetFile, sheetPageIn } from './sheet.ts';
import { qrTexts } from './texts.ts';
import { uploadPage, uploadsPage } from './uploads.tsx';
import { paymentsAtOnce, staticPage } from './wall.tsx';

const rowsAtOnce = 50;
/** More pages of results than an import has. */
const mostPages = 1_000_000;

/** Splits off the extra row and returns the next cursor. */
const cut = <Row>(rows: readonly Row[], idOf: (row: Row) => number) => {
  const pageRows = rows.slice(0, rowsAtOnce);
  const last = rows.length > rowsAtOnce ? pageRows.at(-1) : undefined;
  return { pageRows, next: last === undefined ? null : idOf(last) };
};

export function qrPages(portal: Portal, parts: QrPageParts): void {
  const { base, clocks, qr } = parts;
  portal.page({
    act: 'qr.see',
    path: '/qr',
    async read(visit) {
      const state = chosenIn(visit.query, 'state', stateChoices(visit.lang));
      const found = await findNewestQrs(base, {
        accountId: visit.account.id,
        text: visit.query.get('q') ?? '',
        state: state && (state.value as QrState),
        behind: placeIn(visit.query),
        limit: rowsAtOnce,
      });
      return listPage(visit, { ...found, today: clocks.business.today() });
    },
  });
  portal.page({
    act: 'qr.see',
    path: '/qr/static',
    async read(visit) {
      const before = numberIn(visit.query.get('behind') ?? '');
      const page = { before, limit: rowsAtOnce + 1 };
      const { pageRows, next } = cut(
        await listStatics(base.sql, visit.account.id, page),
        ({ number }) => number,
      );
      return staticsPage(visit, pageRows, next);
    },
  });
  qrChanges(portal, parts);
  sheets(portal, parts);
  uploads(portal, parts);
  walls(portal, parts);
  portal.page({
    act: 'qr.see',
    path: '/qr/:id',
    async read(visit) {
      const found = await qr.dynamics.get(ctxOf(visit), visit.params.id ?? '');
      const key = { accountId: visit.account.id, id: found.row.id };
      const images = parts.qrTerms.acceptorDomain === null ? null : qrImageUrls(parts.links, key);
      return qrPage(visit, { ...(await readQrDetails(parts, found)), images });
    },
  });
}

/** Serves each static QR with its payments and its poster. */
function walls(portal: Portal, { base, links, qr, coupons }: QrPageParts): void {
  const rowOf = async (visit: AccountVisit) => {
    const found = await qr.statics.get(ctxOf(visit), visit.params.id ?? '');
    if (found.kind !== 'static') throw portalRefusal('page.not_found', {});
    return found.state.row;
  };
  portal.page({
    act: 'qr.see',
    path: '/qr/static/:id',
    async read(visit) {
      const { query, account } = visit;
      const row = await rowOf(visit);
      const payments = await listStaticPayments(
        base.sql,
        { accountId: account.id, id: row.id },
        {
          from: dayIn(query, 'from'),
          until: dayIn(query, 'until'),
          before: numberIn(query.get('behind') ?? ''),
          limit: paymentsAtOnce + 1,
        },
      );
      const images = qrImageUrls(links, { accountId: account.id, id: row.number });
      return staticPage(visit, { ...payments, row, images });
    },
  });
  portal.page({
    act: 'qr.see',
    path: '/qr/static/:id/poster.pdf',
    async read(visit) {
      const { account } = visit;
      const row = await rowOf(visit);
      const file = await drawPoster(account, row, await coupons.logoOf(account));
      return { file, type: 'application/pdf', name: `qr-${row.id}.pdf` };
    },
  });
}

/**
 * Returns the QRs to print: one, or all that can be paid now, optionally only those created since a
 * day.
 */
function selectionIn({ query, account }: AccountVisit): PrintSelection {
  const sent = query.get('id');
  if (sent !== null) {
    const id = readQrId(sent, account.id);
    return { ids: id.ok ? [id.value] : [] };
  }
  const since = dayIn(query, 'since');
  return { createdFrom: since && midnightOf(since) };
}

function sheets(portal: Portal, parts: QrPageParts): void {
  portal.page({ act: 'qr.see', path: '/qr/sheet', read: async (visit) => sheetPage(visit) });
  portal.page({
    act: 'qr.see',
    path: '/qr/sheet.html',
    read: async (visit) => sheetFile(parts, visit.account, selectionIn(visit), sheetPageIn(visit)),
  });
}

function uploads(portal: Portal, { bulk, qrTerms }: QrPageParts): void {
  const list = async (visit: AccountVisit, refused?: { fault: string; status: number }) => {
    const before = numberIn(visit.query.get('behind') ?? '');
    const batches = await bulk.list(visit.account.id, { before, limit: rowsAtOnce + 1 });
    const { pageRows, next } = cut(batches, ({ id }) => id);
    return uploadsPage(visit, { batches: pageRows, next, ...refused });
  };

  portal.page({ act: 'qr.see', path: '/qr/uploads', read: (visit) => list(visit) });
  portal.form({
    act: 'qr.create',
    path: '/qr/uploads',
    takesFile: true,
    async does(visit) {
      const { file, lang } = visit;
      if (file === null)
        return await list(visit, { fault: qrTexts[lang].uploads.missing, status: 400 });
      try {
        const id = await bulk.upload(ctxOf(visit), file.bytes, qrTerms);
        return { to: visit.at(`/qr/uploads/${id}`) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const page = await list(visit, { fault: refusalText(lang, error), status: error.status });
        return { ...page, retryAfter: retryAfterOf(error.status, error) };
      }
    },
  });
  portal.page({
    act: 'qr.see',
    path: '/qr/uploads/:id',
    async read(visit) {
      const page = Math.min(mostPages, Math.max(1, numberIn(visit.query.get('page') ?? '') ?? 1));
      const from = numberIn(visit.query.get('from') ?? '') ?? 0;
      const result = await bulk.result(ctxOf(visit), { id: String(idIn(visit)), page });
      return uploadPage(visit, result, from);
    },
  });
}
