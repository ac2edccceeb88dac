import {
  type DebitKind,
  type DebitRow,
  debitCanceling,
  findDebitsByWords,
  readDayTotals,
  readRunDays,
  withRuns,
} from '../../debit-requests/index.ts';
import type { Base } from '../../platform/base.ts';
import { moneyText } from '../../platform/pages/format.ts';
import { readDisputes } from '../disputes/model.ts';
import { behindLast, exportPages } from '../frame/exports.ts';
import { chosenIn, dayIn } from '../frame/filters.tsx';
import { type AccountVisit, idIn, numberIn, type Portal, portalRefusal } from '../frame/index.ts';
import { operationPages } from '../frame/operation.tsx';
import { type CreateParts, debitCreation } from './create.ts';
import { daysPage } from './days.tsx';
import { debitSheet } from './export.ts';
import { kindChoices, listPage, stateChoices } from './list.tsx';
import { type OneModel, onePage } from './one.tsx';
import { segmentOf } from './places.ts';

export interface DebitPageParts extends CreateParts {
  base: Pick<Base, 'sql' | 'clocks'>;
}

const rowsAtOnce = 50;
const daysAtOnce = 15;
const kinds: readonly DebitKind[] = ['debit_request', 'card_debit_request'];

const soughtIn = ({ lang, query, account }: AccountVisit) => {
  const kind = chosenIn(query, 'kind', kindChoices(lang));
  const state = chosenIn(query, 'state', stateChoices(lang));
  return {
    accountId: account.id,
    kinds: kinds.filter((one) => kind === null || segmentOf[one] === kind.value),
    text: query.get('q') ?? '',
    state: state && (state.value as DebitRow['state']),
    day: dayIn(query, 'day'),
  };
};

/** Serves the debits of a search, as a page and as a file, and by day. */
function debitLists(portal: Portal, base: DebitPageParts['base']): void {
  portal.page({
    act: 'debits.see',
    path: '/debits',
    async read(visit) {
      const { query, account } = visit;
      const sought = soughtIn(visit);
      const { day } = sought;
      const before = numberIn(query.get('behind') ?? '');
      const [found, totals] = await Promise.all([
        findDebitsByWords(base, { ...sought, before, limit: rowsAtOnce + 1 }),
        day && readDayTotals(base.sql, account.id, day),
      ]);
      const pageRows = found.slice(0, rowsAtOnce);
      return listPage(visit, {
        debits: pageRows,
        next: found.length > rowsAtOnce ? (pageRows.at(-1)?.row.id ?? null) : null,
        ofDay: day && { day, totals },
      });
    },
  });
  exportPages(portal, {
    act: 'debits.see',
    path: '/debits',
    sheet: debitSheet,
    find(visit) {
      const sought = soughtIn(visit);
      return async (before: number | null, limit) => {
        const found = await findDebitsByWords(base, { ...sought, before, limit });
        return behindLast(found, limit, ({ row }) => row.id);
      };
    },
  });
  portal.page({
    act: 'debits.see',
    path: '/debits/days',
    async read(visit) {
      const before = dayIn(visit.query, 'behind');
      const page = { before, limit: daysAtOnce };
      return daysPage(visit, await readRunDays(base.sql, visit.account.id, page));
    },
  });
}

export function debitPages(portal: Portal, parts: DebitPageParts): void {
  const { base, debits } = parts;
  debitLists(portal, base);

  const find = async (visit: AccountVisit): Promise<OneModel> => {
    const key = { accountId: visit.account.id, id: idIn(visit) };
    for (const kind of kinds) {
      const found = await debits.find(key, kind);
      const [debit] = found === null ? [] : await withRuns(base.sql, [found.row]);
      if (!found || !debit) continue;
      const disputes = await readDisputes(base.sql, key);
      return { ...debit, mandate: found.mandate, disputes, now: base.clocks.business.now() };
    }
    throw portalRefusal('page.not_found', {});
  };

  const creation = debitCreation(parts);
  portal.page({
    act: 'debits.create',
    path: '/debits/new/:kind/:id',
    once: true,
    read: creation.show,
  });
  portal.form({ act: 'debits.create', path: '/debits/new/:kind/:id', does: creation.does });

  portal.page({
    act: 'debits.see',
    path: '/debits/:id',
    read: async (visit) => onePage(visit, await find(visit)),
  });
  operationPages(portal, debitCanceling, {
    path: '/debits/:id/cancel',
    verbOf: (visit) => async (ctx, id) => debits.cancel(ctx, (await find(visit)).row.kind, id),
    grave: true,
    back: (visit) => visit.at(`/debits/${idIn(visit)}`),
    async subject(visit) {
      const { row } = await find(visit);
      return `${row.payer}, ${moneyText(visit.lang, row.total1)}`;
    },
  });
}
