import { isoDateTime } from '../../kernel/dates.ts';
import { EmptyState, Pager } from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { AccessRow, UserVerbs } from '../../users/index.ts';
import {
  type AccountVisit,
  numberIn,
  type Page,
  type Portal,
  type ServiceVisit,
} from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { accessTexts } from './texts.ts';

export interface AccessParts {
  users: Pick<UserVerbs, 'listAccesses' | 'namesOf'>;
}

const rowsAtOnce = 50;

const columnsFor = (
  { lang }: AccountVisit | ServiceVisit,
  names: ReadonlyMap<number, string>,
  ofAll: boolean,
): TableColumn<AccessRow>[] => {
  const texts = accessTexts[lang];
  return [
    {
      key: 'when',
      title: texts.when,
      heads: true,
      cell: ({ last_at: at }) => <time dateTime={isoDateTime(at)}>{momentText(lang, at)}</time>,
    },
    { key: 'what', title: texts.what, cell: ({ kind }) => texts.kinds[kind] },
    {
      key: 'who',
      title: texts.who,
      cell: ({ user_id: id }) =>
        id === null ? texts.nobody : <bdi>{names.get(id) ?? String(id)}</bdi>,
    },
    ...(ofAll
      ? [{ key: 'account', title: texts.account, cell: (row: AccessRow) => row.account_id ?? '—' }]
      : []),
    { key: 'address', title: texts.address, cell: ({ address }) => <bdi>{address}</bdi> },
    { key: 'detail', title: texts.detail, cell: ({ detail }) => <bdi>{detail}</bdi> },
    { key: 'times', title: texts.times, number: true, cell: ({ count }) => count },
  ];
};

async function accessesPage(
  { users }: AccessParts,
  visit: AccountVisit | ServiceVisit,
  up: { href: string; label: string },
): Promise<Page> {
  const { lang, query, path } = visit;
  const texts = accessTexts[lang];
  const accountId = 'account' in visit ? visit.account.id : null;
  const behind = numberIn(query.get('behind') ?? '');
  const found = await users.listAccesses(accountId, { behind, limit: rowsAtOnce + 1 });
  const page = found.slice(0, rowsAtOnce);
  const names = await users.namesOf(page.flatMap(({ user_id: id }) => (id === null ? [] : [id])));
  const last = found.length > rowsAtOnce ? page.at(-1) : undefined;
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} up={up} />
        <Table
          lang={lang}
          caption={texts.title}
          captionUnseen
          rows={page}
          empty={<EmptyState title={texts.none} text={texts.noneWhy} />}
          columns={columnsFor(visit, names, accountId === null)}
        />
        <Pager
          lang={lang}
          first={behind === null ? undefined : path}
          next={last && `${path}?behind=${last.id}`}
        />
      </>
    ),
  };
}

/**
 * Serves failed and sensitive accesses: an account's to those who manage its users, all of them to
 * the service's staff.
 */
export function accessPages(portal: Portal, parts: AccessParts): void {
  portal.page({
    act: 'users.manage',
    path: '/settings/accesses',
    read: (visit) =>
      accessesPage(parts, visit, {
        href: visit.at('/settings'),
        label: accessTexts[visit.lang].settings,
      }),
  });
  portal.page({
    act: 'audit_log.see',
    path: '/audit-log/accesses',
    read: (visit) =>
      accessesPage(parts, visit, {
        href: visit.at('/audit-log'),
        label: accessTexts[visit.lang].auditLog,
      }),
  });
}
