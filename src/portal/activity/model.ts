import type { ApiKey } from '../../accounts/index.ts';
import {
  type ActivityAuthor,
  type ActivityEvent,
  type FoundActivity,
  type LogPlace,
  readActivity,
} from '../../events/http.ts';
import { endOf, midnightOf } from '../../kernel/dates.ts';
import { readActor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Choice } from '../../platform/pages/components/field.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import type { AccountPerson, UserVerbs } from '../../users/index.ts';
import { entityName } from '../acts/labels.ts';
import { whoText } from '../acts/views.tsx';
import { chosenIn, dayIn } from '../frame/filters.tsx';
import type { AccountVisit } from '../frame/index.ts';
import type { Existing } from './places.ts';
import { activityTexts } from './texts.ts';
import { activity, typesOf } from './types.ts';

export interface ActivityParts {
  base: Pick<Base, 'sql'>;
  users: Pick<UserVerbs, 'peopleOf'>;
  keys: { list(accountId: string): Promise<ApiKey[]> };
  hooks: { list(accountId: string): Promise<readonly { id: number }[]> };
}

/** Everyone and everything that acts in an account. */
export interface Cast {
  people: readonly AccountPerson[];
  keys: readonly ApiKey[];
  existing: Existing;
}

export async function readCast(
  { users, keys, hooks }: ActivityParts,
  accountId: string,
): Promise<Cast> {
  const [people, ofAccount, webhooks] = await Promise.all([
    users.peopleOf(accountId),
    keys.list(accountId),
    hooks.list(accountId),
  ]);
  const members = people.filter(({ state }) => state !== 'ended');
  const idsOf = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id));
  return {
    people,
    keys: ofAccount,
    existing: { webhooks: idsOf(webhooks), members: idsOf(members) },
  };
}

/** Formats an author for the address: `user:5`, `key:7`, `operator` or `service`. */
const authorText = (author: ActivityAuthor): string =>
  'id' in author ? `${author.kind}:${author.id}` : author.kind;

function authorIn(text: string): ActivityAuthor | null {
  if (text === 'operator' || text === 'service') return { kind: text };
  const [, kind, id] = /^(user|key):(\d{1,15})$/.exec(text) ?? [];
  return kind === 'user' || kind === 'key' ? { kind, id: Number(id) } : null;
}

/** Returns the author of an event, as far as its account may know them. */
export function authorOf({ actor, by_operator: byOperator }: ActivityEvent): ActivityAuthor {
  if (byOperator) return { kind: 'operator' };
  const who = readActor(actor);
  return who.kind === 'user' || who.kind === 'key'
    ? { kind: who.kind, id: who.id }
    : { kind: 'service' };
}

export const authorPlace = (event: ActivityEvent): string => authorText(authorOf(event));

/** Returns the name of an event's author. Operators appear without their names. */
export function authorName(lang: Lang, event: ActivityEvent, { people, keys }: Cast): string {
  const author = authorOf(event);
  if (author.kind === 'operator') return activityTexts[lang].operator;
  const key = author.kind === 'key' ? keys.find(({ id }) => id === author.id) : undefined;
  if (key) return activityTexts[lang].key({ name: key.name });
  return whoText(lang, event.actor, new Map(people.map(({ id, name }) => [id, name])));
}

/**
 * Returns the kind of an event's entity and its name, or else its number. The account, its fees and
 * test events have neither.
 */
export function subjectName(
  lang: Lang,
  { entity, entity_id: id }: ActivityEvent,
  { people, keys }: Cast,
): string {
  const named: readonly { id: number; name: string }[] =
    entity === 'membership' ? people : entity === 'api_key' ? keys : [];
  const name = named.find((one) => String(one.id) === id)?.name;
  const nameless = entity === 'account' || entity === 'fees' || entity === 'webhook_test';
  return `${entityName(lang, entity)} ${name ?? (nameless ? '' : id)}`.trim();
}

/** Returns the authors to filter by. Omits revoked keys, except the chosen one. */
export function authorChoices({ lang, query }: AccountVisit, { people, keys }: Cast): Choice[] {
  const texts = activityTexts[lang];
  const chosen = query.get('who');
  return [
    ...people
      .filter(({ joined }) => joined)
      .map(({ id, name }) => ({ value: authorText({ kind: 'user', id }), label: name })),
    ...keys
      .map(({ id, name, revoked_at: revoked }) => ({
        value: authorText({ kind: 'key', id }),
        label: texts.key({ name }),
        isRevoked: revoked !== null,
      }))
      .filter(({ value, isRevoked }) => !isRevoked || value === chosen)
      .map(({ value, label }) => ({ value, label })),
    { value: 'operator', label: texts.operator },
    { value: 'service', label: texts.service },
  ];
}

export const entityChoices = (lang: Lang): Choice[] =>
  Object.keys(activity).map((value) => ({ value, label: entityName(lang, value) }));

/** Parses the page's cursor. Returns null, the first page, if it is missing or malformed. */
export function placeIn(query: URLSearchParams): LogPlace | null {
  const [, micros = '', id = ''] = /^(\d{1,17})_(\d{1,16})$/.exec(query.get('behind') ?? '') ?? [];
  return micros === '' || !Number.isSafeInteger(Number(id))
    ? null
    : { at: Temporal.Instant.fromEpochNanoseconds(BigInt(micros) * 1_000n), id: Number(id) };
}

export const placeText = ({ at, id }: LogPlace): string => `${at.epochNanoseconds / 1_000n}_${id}`;

export function findActivity(
  { base }: ActivityParts,
  { account, lang, query }: AccountVisit,
  { people }: Pick<Cast, 'people'>,
  page: { behind: LogPlace | null; limit: number },
): Promise<FoundActivity> {
  const [from, to] = [dayIn(query, 'from'), dayIn(query, 'to')];
  const filters = {
    accountId: account.id,
    people: people.filter(({ joined }) => joined).map(({ id }) => id),
    types: typesOf(chosenIn(query, 'entity', entityChoices(lang))?.value ?? null),
    author: authorIn(query.get('who') ?? ''),
    from: from && midnightOf(from),
    before: to && endOf(to),
  };
  return readActivity(base.sql, filters, page);
}
