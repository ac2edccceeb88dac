import type { Proposal } from '../../../money/proposals/index.ts';
import { Pager } from '../../../platform/pages/components/parts.tsx';
import { numberIn, type ServiceVisit } from '../../frame/index.ts';

/** A page of a list, the newest first. */
export interface Paged<Row> {
  rows: readonly Row[];
  /** True if there are more. */
  more: boolean;
}

/** Proposals of one kind, as their page lists them. */
export interface ProposalLists {
  waiting: readonly Proposal[];
  latest: Paged<Proposal>;
}

/** Of one row more than a page has. */
export const pageOf = <Row,>(found: readonly Row[], atOnce: number): Paged<Row> => ({
  rows: found.slice(0, atOnce),
  more: found.length > atOnce,
});

/** Reads the page's cursor from the link; null for the newest. */
export const behindIn = (query: URLSearchParams, name: string): number | null =>
  numberIn(query.get(name) ?? '');

type Props = {
  visit: ServiceVisit;
  path: string;
  /** The name of its place in the address: a page may have several lists. */
  name: string;
  /** Anchor of the list on the page. */
  id: string;
  page: Paged<{ id: number }>;
};

/** Links to the next page of a list; other lists of the page stay in place. */
export function ListPager({ visit, path, name, id, page: { rows, more } }: Props) {
  const { lang, at, query } = visit;
  const last = rows.at(-1)?.id;
  const address = (behind: number | null): string => {
    const asked = new URLSearchParams(
      ['behind', 'files'].flatMap((other) => {
        const value = other === name ? behind : behindIn(query, other);
        return value === null ? [] : [[other, String(value)]];
      }),
    );
    return `${at(path)}${asked.size === 0 ? '' : `?${asked}`}#${id}`;
  };
  return (
    <Pager
      lang={lang}
      first={behindIn(query, name) === null ? undefined : address(null)}
      next={more && last !== undefined ? address(last) : undefined}
    />
  );
}
