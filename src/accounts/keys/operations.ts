import { endOf, isoDateTime, parseDayOrIso } from '../../kernel/dates.ts';
import type { Actor } from '../../platform/actor.ts';
import { fault } from '../../platform/http/codes.ts';
import { accountId, line, moment, recordId } from '../../platform/http/fields.ts';
import { type Field, fail, optional, required } from '../../platform/http/form.ts';
import { listing } from '../../platform/listings.ts';
import { operation } from '../../platform/operations.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import {
  allPermissions,
  isPermission,
  type KeyPermission,
  widePermissions,
} from '../permissions.ts';
import en from '../texts.en.json' with { type: 'json' };
import es from '../texts.es.json' with { type: 'json' };
import type { NewKey } from './keys.ts';
import { overlapTime, usualOverlap } from './overlap.ts';
import { addressRanges } from './ranges.ts';
import type { Rotated } from './rotate.ts';

const texts = { en, es };
const account = required(accountId());

export const keyList = listing({
  name: 'api_key.list',
  act: 'integrations.see',
  account: 'required',
  whole: true,
  texts,
  read: async (sql: Sql, { account: of }: { account: string }) =>
    (await import('./keys.ts')).listKeys(sql, of),
  columns: {
    id: { kind: 'text', of: (row) => row.id },
    name: { kind: 'text', of: (row) => row.name },
    prefix: { kind: 'code', of: (row) => row.prefix },
    permissions: { kind: 'text', of: (row) => row.permissions.join(',') },
    created_at: { kind: 'moment', of: (row) => row.created_at },
    expires_at: { kind: 'moment', of: (row) => row.expires_at },
    revoked_at: { kind: 'moment', of: (row) => row.revoked_at },
    last_used_at: { kind: 'moment', of: (row) => row.last_used_at },
    ranges: { kind: 'text', of: (row) => row.ranges?.join(',') ?? null },
    replaced_by: { kind: 'text', of: (row) => row.replaced_by },
  },
});

/** Comma-separated permissions, without duplicates. */
const permissions: Field<KeyPermission[]> = {
  schema: { type: 'array' },
  expectation: fault('field.unknown_choice', { allowed: allPermissions.join(', ') }),
  parse(value) {
    const words = String(value)
      .split(',')
      .map((word) => word.trim().toLowerCase());
    const known = words.filter(isPermission);
    return known.length === words.length
      ? { ok: true, value: [...new Set(known)] }
      : fail(permissions.expectation);
  },
};

/** An instant, or the last day on which a key works. */
const expiry: Field<Temporal.Instant> = {
  ...moment(),
  asks: 'date',
  parse(value) {
    const day = parseDayOrIso(String(value));
    const end = day && endOf(day);
    return end ? { ok: true, value: end } : moment().parse(value);
  },
};

export type CreateKey = (
  actor: Actor,
  key: Omit<NewKey, 'secret'>,
) => Promise<{ id: number; key: string | null }>;

/** Creates a key, and displays its secret for the only time. */
export const keyCreating = operation({
  name: 'api_key.create',
  repeat: { again: 'each key is another, shown once' },
  act: 'keys.manage',
  texts,
  takes: {
    account,
    name: optional(line({ max: 60 })),
    permissions: optional(permissions),
    expires: optional(expiry),
    ranges: optional(addressRanges),
  },
  async run(
    create: CreateKey,
    { account: of, name, permissions: allowed, expires, ranges },
    actor,
  ) {
    const made = {
      name: name ?? 'cli',
      permissions: allowed ?? [...widePermissions],
      ranges: ranges ?? [],
    };
    return { ...made, ...(await create(actor, { ...made, accountId: of, expiresAt: expires })) };
  },
  command: {
    shows: ({ account: of }, { id, ...made }) => ({ id, account: of, ...made }),
  },
});

type Revoke = (actor: Actor, key: { accountId: string; id: number }) => Promise<void>;

export const keyRevoking = operation({
  name: 'api_key.revoke',
  repeat: 'natural',
  act: 'keys.manage',
  texts,
  takes: { id: required(recordId()), account },
  run: (revoke: Revoke, { id, account: of }, actor) => revoke(actor, { accountId: of, id }),
  command: {
    arguments: ['id'],
    shows: ({ id, account: of }) => ({ id, account: of, revoked: true }),
  },
});

type Rotate = (
  actor: Actor,
  key: { accountId: string; id: number; overlap: number },
) => Promise<Rotated>;

/** Replaces a key with a new one, displayed once. The old one works until the overlap ends. */
export const keyRotating = operation({
  name: 'api_key.rotate',
  repeat: 'natural',
  act: 'keys.manage',
  texts,
  takes: { id: required(recordId()), account, overlap: optional(overlapTime) },
  run: (rotate: Rotate, { id, account: of, overlap }, actor) =>
    rotate(actor, { accountId: of, id, overlap: overlap ?? usualOverlap }),
  command: {
    arguments: ['id'],
    shows: ({ account: of }, { until, ...made }) => ({
      account: of,
      ...made,
      until: isoDateTime(until),
    }),
  },
});

type Restrict = (
  actor: Actor,
  key: { accountId: string; id: number; ranges: string[] },
) => Promise<boolean>;

export const keyRestricting = operation({
  name: 'api_key.restrict',
  repeat: 'natural',
  act: 'keys.manage',
  texts,
  takes: { id: required(recordId()), account, ranges: optional(addressRanges) },
  run: (restrict: Restrict, { id, account: of, ranges }, actor) =>
    restrict(actor, { accountId: of, id, ranges: ranges ?? [] }),
  command: {
    arguments: ['id', 'ranges'],
    needs: ['ranges'],
    shows: ({ id, account: of, ranges }, changed) => ({
      id,
      account: of,
      ranges: ranges ?? [],
      changed,
    }),
  },
});
