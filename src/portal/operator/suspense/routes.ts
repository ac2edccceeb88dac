import { listAccounts } from '../../../accounts/index.ts';
import { decimalText } from '../../../kernel/money.ts';
import {
  type AssignSuspense,
  findCandidates,
  isSearchable,
  listSuspense,
  openSuspense,
  type ReturnSuspense,
  readSuspense,
} from '../../../money/suspense/index.ts';
import type { Base } from '../../../platform/base.ts';
import { Refusal } from '../../../platform/errors.ts';
import { type RequestRow, readRequests } from '../../../requests/index.ts';
import {
  type Answer,
  idIn,
  numberIn,
  type Page,
  type Portal,
  portalRefusal,
  type ServiceVisit,
} from '../../frame/index.ts';
import { pesosIn, reasonIn } from '../forms/read.ts';
import { assignPage, type Fault, returnPage } from './decide.tsx';
import { listPage, rowsAtOnce } from './list.tsx';
import { onePage, type Typed } from './one.tsx';

export interface SuspenseParts {
  base: Pick<Base, 'sql'>;
  clocks: { business: { today(): Temporal.PlainDate } };
  assignSuspense: AssignSuspense;
  returnSuspense: ReturnSuspense;
}

const mostFound = 50;
const mostTyped = 200;

/** What the address looks for; the first look is for the money's own amount. */
function typedIn({ query }: ServiceVisit, amount: string): Typed {
  const of = (name: string): string => (query.get(name) ?? '').trim().slice(0, mostTyped);
  const asked = ['account', 'amount', 'reference', 'text'].some((name) => query.has(name));
  return {
    account: of('account'),
    amount: asked ? of('amount') : amount,
    reference: of('reference'),
    text: of('text'),
  };
}

/** What a form came to, or the page with why it was not taken. */
async function decided(
  visit: ServiceVisit,
  decide: (note: string) => Promise<unknown>,
  again: (fault: Fault) => Promise<Page>,
): Promise<Answer> {
  const note = reasonIn(visit.posted.get('note'));
  if (note === null) return await again({ note: true, status: 400 });
  try {
    await decide(note);
    return { to: visit.at(`/suspense/${idIn(visit)}`) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
    return await again({ told: error, status: error.status });
  }
}

/** Money of nobody known: listed, looked into, assigned, returned. */
export function suspensePages(
  portal: Portal,
  { base, clocks, assignSuspense, returnSuspense }: SuspenseParts,
): void {
  async function one(visit: ServiceVisit): Promise<Page> {
    const row = await readSuspense(base.sql, idIn(visit));
    const accounts = await listAccounts(base.sql);
    const typed = typedIn(visit, decimalText(row.amount).replace('.', ','));
    const amount = typed.amount === '' ? null : pesosIn(typed.amount);
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

  const requestIn = async (fields: URLSearchParams): Promise<RequestRow> => {
    const key = {
      accountId: fields.get('account') ?? '',
      id: numberIn(fields.get('request') ?? '') ?? 0,
    };
    const [request] = await readRequests(base.sql, [key]);
    if (!request) throw portalRefusal('page.not_found', {});
    return request;
  };

  const assigning = async (visit: ServiceVisit, fault?: Fault): Promise<Page> => {
    const fields = fault === undefined ? visit.query : visit.posted;
    const [row, request] = [await readSuspense(base.sql, idIn(visit)), await requestIn(fields)];
    return assignPage(visit, { row, request, note: fields.get('note') ?? '', fault });
  };

  const returning = async (visit: ServiceVisit, fault?: Fault): Promise<Page> => {
    const row = await readSuspense(base.sql, idIn(visit));
    return returnPage(visit, { row, note: visit.posted.get('note') ?? '', fault });
  };

  portal.page({
    act: 'suspense.see',
    path: '/suspense',
    async read(visit) {
      const all = visit.query.has('all');
      const after = numberIn(visit.query.get('after') ?? '') ?? 0;
      const [rows, open] = await Promise.all([
        listSuspense(base.sql, { all, after, limit: rowsAtOnce + 1 }),
        openSuspense(base.sql),
      ]);
      return listPage(visit, { rows, open, all });
    },
  });
  portal.page({ act: 'suspense.see', path: '/suspense/:id', read: one });
  portal.page({
    act: 'suspense.manage',
    path: '/suspense/:id/assign',
    read: (visit) => assigning(visit),
  });
  portal.page({
    act: 'suspense.manage',
    path: '/suspense/:id/return',
    read: (visit) => returning(visit),
  });
  portal.form({
    act: 'suspense.manage',
    path: '/suspense/:id/assign',
    does: (visit) =>
      decided(
        visit,
        async (note) => {
          const { account_id: accountId, id: requestId } = await requestIn(visit.posted);
          const to = { accountId, id: requestId };
          await assignSuspense({ id: idIn(visit), to, note, actor: visit.actor });
        },
        (fault) => assigning(visit, fault),
      ),
  });
  portal.form({
    act: 'suspense.manage',
    path: '/suspense/:id/return',
    does: (visit) =>
      decided(
        visit,
        (note) => returnSuspense({ id: idIn(visit), note, actor: visit.actor }),
        (fault) => returning(visit, fault),
      ),
  });
}
