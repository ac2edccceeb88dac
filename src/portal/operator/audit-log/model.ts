import { type LoggedEvent, type LogPlace, readEntityLog, readLog } from '../../../events/http.ts';
import { endOf, midnightOf } from '../../../kernel/dates.ts';
import { userOf } from '../../../platform/actor.ts';
import type { Base } from '../../../platform/base.ts';
import type { FieldFault } from '../../../platform/pages/components/form.tsx';
import type { UserVerbs } from '../../../users/index.ts';
import { typedDay } from '../../frame/filters.tsx';
import type { ServiceVisit } from '../../frame/index.ts';
import { auditLogTexts } from './texts.ts';

export interface AuditLogParts {
  base: Base;
  users: Pick<UserVerbs, 'find' | 'namesOf'>;
}

export const rowsAtOnce = 50;

/** Parameters of the search in the address. */
export const filterNames = ['who', 'account', 'type', 'from', 'to', 'entity', 'number'] as const;
export type FilterTexts = Readonly<Record<(typeof filterNames)[number], string>>;

export const filtersIn = ({ query }: ServiceVisit): FilterTexts => {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, 200);
  return {
    who: text('who'),
    account: text('account').toUpperCase(),
    type: text('type'),
    from: text('from'),
    to: text('to'),
    entity: text('entity'),
    number: text('number'),
  };
};

export function faultsIn({ lang }: ServiceVisit, filters: FilterTexts): FieldFault[] {
  const texts = auditLogTexts[lang];
  const days = (['from', 'to'] as const)
    .filter((field) => typedDay(filters[field]) === undefined)
    .map((field) => ({ field, label: texts[field], text: texts.dayFault }));
  const partly = (filters.entity === '') !== (filters.number === '') || filters.account === '';
  return filters.entity + filters.number !== '' && partly
    ? [...days, { field: 'number', label: texts.number, text: texts.entityFault }]
    : days;
}

/** Parses the page's cursor. Returns null, the first page, if it is missing or malformed. */
function placeIn({ query }: ServiceVisit): LogPlace | null {
  const [, moment = '', number = ''] =
    /^([^~]{1,40})~(\d{1,16})$/.exec(query.get('behind') ?? '') ?? [];
  try {
    const id = Number(number);
    return number !== '' && Number.isSafeInteger(id)
      ? { at: Temporal.Instant.from(moment), id }
      : null;
  } catch {
    return null;
  }
}

export const placeText = ({ at, id }: LogPlace): string => `${at.toString()}~${id}`;

export interface LogModel {
  filters: FilterTexts;
  faults: readonly FieldFault[];
  events: readonly LoggedEvent[];
  /** Cursor of the next page. */
  next: LogPlace | undefined;
  /** Names of the actors, by user id. */
  names: ReadonlyMap<number, string>;
}

async function find(
  { base, users }: AuditLogParts,
  visit: ServiceVisit,
  query: FilterTexts,
): Promise<LoggedEvent[]> {
  const page = { behind: placeIn(visit), limit: rowsAtOnce + 1 };
  const { account, entity, number } = query;
  if (entity !== '') {
    return await readEntityLog(base.sql, { accountId: account, entity, entityId: number }, page);
  }
  const isAddress = /^[^\s:@]+@[^\s:@]+$/.test(query.who);
  const known = isAddress ? await users.find(query.who) : null;
  if (isAddress && known === null) return [];
  const [from, to] = [typedDay(query.from), typedDay(query.to)];
  const filters = {
    accountId: account || null,
    actor: known === null ? query.who || null : `user:${known.id}`,
    type: query.type || null,
    from: from ? midnightOf(from) : null,
    before: to ? endOf(to) : null,
  };
  return await readLog(base.sql, filters, page);
}

export async function readAuditLog(parts: AuditLogParts, visit: ServiceVisit): Promise<LogModel> {
  const filters = filtersIn(visit);
  const faults = faultsIn(visit, filters);
  const found = faults.length > 0 ? [] : await find(parts, visit, filters);
  const events = found.slice(0, rowsAtOnce);
  const people = events.flatMap(({ actor, entity, entity_id: id }) => [
    ...userOf(actor),
    ...(entity === 'user' || entity === 'membership' ? userOf(`user:${id}`) : []),
  ]);
  return {
    filters,
    faults,
    events,
    next: found.length > rowsAtOnce ? events.at(-1) : undefined,
    names: people.length === 0 ? new Map() : await parts.users.namesOf([...new Set(people)]),
  };
}
