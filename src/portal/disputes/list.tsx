import { EmptyState, Pager } from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import type { AccountVisit, Page, ServiceVisit } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import type { DisputeView } from './model.ts';
import { disputeColumns } from './table.tsx';
import { disputeTexts } from './texts.ts';

export const rowsAtOnce = 50;

interface ListModel {
  /** One more than the page shows, to detect a next page. */
  rows: readonly DisputeView[];
  all: boolean;
  now: Temporal.Instant;
}

function listPage(
  { lang, at, query }: AccountVisit | ServiceVisit,
  { rows, all, now }: ListModel,
  { lead, first }: { lead: string; first: TableColumn<DisputeView>[] },
): Page {
  const texts = disputeTexts[lang];
  const page = rows.slice(0, rowsAtOnce);
  const last = rows.length > rowsAtOnce ? page.at(-1) : undefined;
  const here = at(all ? '/disputes?all=1' : '/disputes');
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={lead}
          actions={
            <a class="button button-quiet" href={at(all ? '/disputes' : '/disputes?all=1')}>
              {all ? texts.undecided : texts.all}
            </a>
          }
        />
        <Table
          lang={lang}
          caption={texts.title}
          captionUnseen
          rows={page}
          columns={[...first, ...disputeColumns({ lang, now })]}
          empty={<EmptyState title={texts.empty} />}
        />
        <Pager
          lang={lang}
          first={query.has('after') ? here : undefined}
          next={last && `${here}${all ? '&' : '?'}after=${last.id}`}
        />
      </>
    ),
  };
}

export function accountPage(
  visit: AccountVisit,
  model: ListModel,
  paths: ReadonlyMap<number, string>,
): Page {
  const texts = disputeTexts[visit.lang];
  const request: TableColumn<DisputeView> = {
    key: 'request',
    title: texts.request,
    heads: true,
    cell: ({ request_id: id }) => {
      const path = paths.get(id);
      return path === undefined ? id : <a href={visit.at(path)}>{id}</a>;
    },
  };
  return listPage(visit, model, { lead: texts.leadAccount, first: [request] });
}

export function operatorPage(visit: ServiceVisit, model: ListModel): Page {
  const texts = disputeTexts[visit.lang];
  return listPage(visit, model, {
    lead: texts.lead,
    first: [
      { key: 'account', title: texts.account, heads: true, cell: (row) => row.account_id },
      { key: 'request', title: texts.request, cell: (row) => row.request_id },
    ],
  });
}
