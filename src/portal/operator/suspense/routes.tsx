import { listAccounts } from '../../../accounts/index.ts';
import { decimalText } from '../../../kernel/money.ts';
import {
  type AssignSuspense,
  findCandidates,
  isSearchable,
  openSuspense,
  type ReturnSuspense,
  readSuspense,
  suspenseAssigning,
  suspenseList,
  suspenseReturning,
} from '../../../money/suspense/index.ts';
import type { Base } from '../../../platform/base.ts';
import { readRequests } from '../../../requests/index.ts';
import { typedPesos } from '../../frame/filters.tsx';
import {
  idIn,
  numberIn,
  type Page,
  type Portal,
  portalRefusal,
  type ServiceVisit,
} from '../../frame/index.ts';
import { listPages } from '../../frame/listing.tsx';
import { operationPages } from '../../frame/operation.tsx';
import { assignPage, returnPage } from './decide.tsx';
import { columnsOf, Waiting } from './list.tsx';
import { onePage, type Typed } from './one.tsx';
import { suspenseTexts } from './texts.ts';

export interface SuspenseParts {
  base: Base;
  clocks: { business: { today(): Temporal.PlainDate } };
  assignSuspense: AssignSuspense;
  returnSuspense: ReturnSuspense;
}

const mostFound = 50;
const mostTyped = 200;

/** Reads the search from the address. The first search uses the money's own amount. */
function typedIn({ query }: ServiceVisit, amount: string): Typed {
  const of = (name: string): string => (query.get(name) ?? '').trim().slice(0, mostTyped);
  const isSubmitted = ['account', 'amount', 'reference', 'text'].some((name) => query.has(name));
  return {
    account: of('account'),
    amount: isSubmitted ? of('amount') : amount,
    reference: of('reference'),
    text: of('text'),
  };
}

/** Serves unmatched money: list, search, assignment, return. */
export function suspensePages(
  portal: Portal,
  { base, clocks, assignSuspense, returnSuspense }: SuspenseParts,
): void {
  async function one(visit: ServiceVisit): Promise<Page> {
    const row = await readSuspense(base.sql, idIn(visit));
    const accounts = await listAccounts(base.sql);
    const typed = typedIn(visit, decimalText(row.amount).replace('.', ','));
    const amount = typed.amount === '' ? null : typedPesos(typed.amount);
    const amountFault = typed.amount !== '' && amount === null;
    const accountId = accounts.find(({ id }) => id === typed.account)?.id ?? null;
    const search = { accountId, amount, reference: typed.reference, text: typed.text };
    const looks = row.state === 'open' && visit.may('suspense.manage') && !amountFault;
    const { rows: found, cut } = looks
      ? await findCandidates(
          base.sql,
          accounts.map(({ id }) => id),
          search,
          { today: clocks.business.today(), limit: mostFound },
        )
      : { rows: [], cut: false };
    const searchable = isSearchable(search);
    return onePage(visit, {
      row,
      accounts,
      typed,
      amountFault,
      searchable,
      found,
      cut,
      most: mostFound,
    });
  }

  listPages(portal, suspenseList, {
    path: '/suspense',
    base,
    texts: (lang) => suspenseTexts[lang],
    columns: columnsOf,
    above: async ({ lang }) => <Waiting lang={lang} {...(await openSuspense(base.sql))} />,
  });
  portal.page({ act: 'suspense.see', path: '/suspense/:id', read: one });
  const back = (visit: ServiceVisit): string => visit.at(`/suspense/${idIn(visit)}`);
  const done = (visit: ServiceVisit) => ({ to: back(visit) });
  operationPages(portal, suspenseAssigning, {
    path: '/suspense/:id/assign',
    verbOf: () => assignSuspense,
    brought: ['account', 'request'],
    back,
    async page(visit, form, brought) {
      const key = { accountId: brought('account'), id: numberIn(brought('request')) ?? 0 };
      const [row, [request]] = await Promise.all([
        readSuspense(base.sql, idIn(visit)),
        readRequests(base.sql, [key]),
      ]);
      if (!request) throw portalRefusal('page.not_found', {});
      return assignPage(visit, { row, request, form });
    },
    done,
  });
  operationPages(portal, suspenseReturning, {
    path: '/suspense/:id/return',
    verbOf: () => returnSuspense,
    grave: true,
    back,
    page: async (visit, form) =>
      returnPage(visit, { row: await readSuspense(base.sql, idIn(visit)), form }),
    done,
  });
}
