import type { HolderFigure, MovementPlace } from '../../money/ledger/index.ts';
import { numberIn } from '../frame/index.ts';

/** Rows of a page. */
export const rowsAtOnce = 50;

/** Where each balance has its page. */
export const figurePaths: Readonly<Record<HolderFigure, string>> = {
  available: '/money/available',
  unavailable: '/money/to-come',
};

export const figureAt = (segment = ''): HolderFigure | null =>
  (Object.keys(figurePaths) as HolderFigure[]).find(
    (figure) => figurePaths[figure] === `/money/${segment}`,
  ) ?? null;

const placeShape = /^(\d{4}-\d{2}-\d{2})\.(\d{1,16})$/;

/** Where the page before ended, as its link says; what says nothing is the first page. */
export function placeIn(query: URLSearchParams): MovementPlace | null {
  const [, day = '', number = ''] = placeShape.exec(query.get('behind') ?? '') ?? [];
  const id = numberIn(number);
  if (id === null || day === '') return null;
  try {
    return { day: Temporal.PlainDate.from(day), id };
  } catch {
    return null;
  }
}

/** The link's part that says where this page ends. */
export const behind = ({ day, id }: MovementPlace): string => `?behind=${day}.${id}`;
