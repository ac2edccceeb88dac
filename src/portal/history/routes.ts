import { operatorReading, type ReadLife, tellLife } from '../../explain/index.ts';
import { Refusal } from '../../platform/errors.ts';
import type { RequestKind } from '../../requests/index.ts';
import {
  type AccountVisit,
  type Page,
  type Portal,
  portalRefusal,
  type ServiceVisit,
} from '../frame/index.ts';
import { historyPage, searchPage } from './views.tsx';

export interface HistoryParts {
  readLife: ReadLife;
}

const pages = [
  { act: 'requests.see', path: '/requests', kinds: ['payment_request'] },
  { act: 'debits.see', path: '/debits', kinds: ['debit_request', 'card_debit_request'] },
  { act: 'qr.see', path: '/qr', kinds: ['qr'] },
] as const;

/** Serves the whole history of a payment, to its account and to operators. */
export function historyPages(portal: Portal, parts: HistoryParts): void {
  for (const { act, path, kinds } of pages) {
    portal.page({
      act,
      path: `${path}/:id/history`,
      async read(visit: AccountVisit): Promise<Page> {
        const { lang, account, params, may } = visit;
        const name = params.id ?? '';
        const life = await parts.readLife(name, account.id);
        if (!(kinds as readonly RequestKind[]).includes(life.row.kind)) {
          throw portalRefusal('page.not_found', {});
        }
        const reader = {
          lang,
          isOperator: false,
          seesMoney: may('money.see'),
          seesWebhooks: may('integrations.see'),
        };
        return historyPage(visit, tellLife(life, reader), `${path}/${encodeURIComponent(name)}`);
      },
    });
  }
  portal.page({
    act: 'accounts.see',
    path: '/history',
    async read(visit: ServiceVisit): Promise<Page> {
      const id = (visit.query.get('id') ?? '').trim();
      if (id === '') return searchPage(visit, { id, story: null });
      try {
        const story = tellLife(await parts.readLife(id, null), operatorReading(visit.lang));
        return searchPage(visit, { id, story });
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== 'not_found') throw error;
        return searchPage(visit, { id, story: null });
      }
    },
  });
}
