import { isEmail } from '../../../kernel/email.ts';
import { partsOf } from '../../../kernel/lists.ts';
import type { PaymentRequestRow } from '../../../payment-requests/index.ts';
import { Refusal } from '../../../platform/errors.ts';
import { comments } from '../../../requests/index.ts';
import { type AccountVisit, ctxOf, type Portal, portalRefusal } from '../../frame/index.ts';
import type { OneParts } from '../one/model.ts';
import { type Bulk, bulkActs, confirmPage, donePage, mostAtOnce, type Skipped } from './bulk.tsx';
import { listPage } from './list.tsx';
import { queryOf, readListQuery, sortOf, valuesIn } from './query.ts';

type BulkParts = Pick<OneParts, 'requests' | 'payerMails' | 'clocks'>;

/** Maximum number of concurrent changes. */
const atOnce = 4;

const idShape = /^[1-9]\d{0,14}$/;

/** Returns the ids in a confirmation form. Throws if the form cannot be one of ours. */
function idsIn(posted: URLSearchParams): number[] {
  const ids = [...new Set(posted.getAll('id'))];
  const sound = ids.length > 0 && ids.length <= mostAtOnce && ids.every((id) => idShape.test(id));
  if (!sound) throw portalRefusal('form.broken', {});
  return ids.map(Number);
}

/** Returns a posted query, reduced to the parameters of the list. */
function queryIn(posted: URLSearchParams, name: string): string {
  const sent = new URLSearchParams(posted.get(name) ?? '');
  const asked = readListQuery(sent);
  const before = sent.get('before');
  return queryOf(valuesIn(sent), {
    ...sortOf(asked),
    ...(before !== null && idShape.test(before) && { before }),
  });
}

/**
 * Serves bulk acts on the pending requests of a filter: a confirmation, then one act per request.
 */
export function bulkPages(portal: Portal, parts: BulkParts): void {
  const { requests, payerMails, clocks } = parts;
  const verbs = {
    withdraw: async (visit: AccountVisit, id: number): Promise<void> =>
      await requests.withdrawOne(ctxOf(visit), id, comments.withdrawn(visit.user.email)),
    resend: async (visit: AccountVisit, id: number): Promise<void> =>
      void (await payerMails.resend(ctxOf(visit), id, { amongMany: true })),
  } satisfies Record<Bulk, unknown>;

  const confirm = (bulk: Bulk) => async (visit: AccountVisit) => {
    const asked = readListQuery(visit.query);
    const { values, search } = asked;
    const today = clocks.business.today();
    if (search === null) {
      return listPage(visit, { asked, found: [], total: null, saved: [], today });
    }
    // A text search with too many matches cannot be sorted. So text searches always list the newest
    // first: otherwise the order would change under the cursor once the matches become few enough.
    const sought = search.q === null ? search : { ...search, sort: null };
    const found = await requests.payable(ctxOf(visit), sought, mostAtOnce + 1);
    const some = found.slice(0, mostAtOnce);
    const rows =
      bulk === 'resend' ? some.filter(({ details }) => isEmail(details.payer_email ?? '')) : some;
    const last = found.length > mostAtOnce ? some.at(-1) : undefined;
    return confirmPage(visit, {
      bulk,
      query: queryOf(values, sortOf(asked)),
      rows,
      today,
      withoutAddress: some.length - rows.length,
      next: last ? queryOf(values, { ...sortOf(asked), before: String(last.id) }) : null,
    });
  };

  async function actOn(bulk: Bulk, visit: AccountVisit, id: number) {
    const found = await requests.find({ accountId: visit.account.id, id });
    const row: PaymentRequestRow | null = found?.row ?? null;
    try {
      await verbs[bulk](visit, id);
      return { id, row, why: null };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { id, row, why: error };
    }
  }

  const act = (bulk: Bulk) => async (visit: AccountVisit) => {
    const { posted } = visit;
    const done: PaymentRequestRow[] = [];
    const skipped: Skipped[] = [];
    for (const some of partsOf(idsIn(posted), atOnce)) {
      for (const { id, row, why } of await Promise.all(
        some.map((one) => actOn(bulk, visit, one)),
      )) {
        if (why !== null) skipped.push({ id, row, why });
        else if (row !== null) done.push(row);
      }
    }
    const next = queryIn(posted, 'next_query');
    return donePage(visit, {
      bulk,
      query: queryIn(posted, 'query'),
      next: next === '' ? null : next,
      done,
      skipped,
      today: clocks.business.today(),
    });
  };

  for (const bulk of Object.keys(bulkActs) as Bulk[]) {
    const route = { act: bulkActs[bulk], path: `/requests/bulk/${bulk}` };
    portal.page({ ...route, read: confirm(bulk) });
    portal.form({ ...route, does: act(bulk) });
  }
}
