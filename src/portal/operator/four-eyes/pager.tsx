import type { Proposal } from '../../../money/proposals/index.ts';
import { Pager } from '../../../platform/pages/components/parts.tsx';
import { numberIn, type ServiceVisit } from '../../frame/index.ts';

/** A page of a list, newest first. */
export interface Paged<Row> {
  rows: readonly Row[];
  /** True if there is a next page. */
  more: boolean;
}

export interface ProposalLists {
  waiting: readonly Proposal[];
  latest: Paged<Proposal>;
  /** Names of the proposals' accounts by id. */
  names: ReadonlyMap<string, string>;
}

/** Splits off the extra row that was read to detect a next page. */
export const pageOf = <Row,>(found: readonly Row[], atOnce: number): Paged<Row> => ({
  rows: found.slice(0, atOnce),
  more: found.length > atOnce,
});

/** Parses the page's cursor. Returns null for the newest page. */
export const behindIn = (query: URLSearchParams, name: string): number | null =>
  numberIn(query.get(name) ?? '');

type Props = {
  visit: ServiceVisit;
  path: string;
  /** Name of the cursor in the address, because a page may have several lists. */
  name: string;
  /** Anchor of the list on the page. */
  id: string;
  page: Paged<{ id: number }>;
};

/** Links to the next page of a list. Other lists on the page keep their position. */
export function ListPager({ visit, path, name, id, page: { rows, more } }: Props) {
  const { lang, at, query } = visit;
  const last = rows.at(-1)?.id;
  const address = (behind: number | null): string => {
    const parameters = new URLSearchParams(
      ['behind', 'files'].flatMap((other) => {
        const value = other === name ? behind : behindIn(query, other);
        return value === null ? [] : [[other, String(value)]];
      }),
    );
    return `${at(path)}${parameters.size === 0 ? '' : `?${parameters}`}#${id}`;
  };
  return (
    <Pager
      lang={lang}
      first={behindIn(query, name) === null ? undefined : address(null)}
      next={more && last !== undefined ? address(last) : undefined}
    />
  );
}
