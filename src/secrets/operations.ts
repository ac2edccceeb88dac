import { isoDateTime } from '../kernel/dates.ts';
import type { Actor } from '../platform/actor.ts';
import { flag, oneOf } from '../platform/http/fields.ts';
import { optional, required } from '../platform/http/form.ts';
import { listing } from '../platform/listings.ts';
import { operation } from '../platform/operations.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import type { Rotation } from './rotate.ts';
import { type KeyPurpose, type KeyRow, keyPurposes, readKeys } from './store.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };

const stateOf = ({ retired_at, replaced_at }: KeyRow): string => {
  if (retired_at !== null) return 'retired';
  return replaced_at === null ? 'current' : 'verifies';
};

/** Lists the keys that sign links and derive webhook secrets, without values. */
export const serviceKeyList = listing({
  name: 'service_key.list',
  act: 'health.see',
  whole: true,
  texts,
  async read(sql: Sql) {
    const keys = await Promise.all(keyPurposes.map((purpose) => readKeys(sql, purpose)));
    return keys.flat();
  },
  columns: {
    purpose: { kind: 'choice', of: (row) => row.purpose },
    no: { kind: 'text', of: (row) => row.no },
    state: { kind: 'choice', of: stateOf },
    sealed_under: { kind: 'text', of: (row) => row.vault_key_id },
    used_from: { kind: 'moment', of: (row) => row.used_from },
    retired_at: { kind: 'moment', of: (row) => row.retired_at },
  },
});

type Rotate = (
  actor: Actor,
  order: { purpose: KeyPurpose; retireNow: boolean; isConfirmed: boolean },
) => Promise<Rotation>;

/** Makes a new key. The earlier ones still verify, unless they are retired at once. */
export const serviceKeyRotating = operation({
  name: 'service_key.rotate',
  act: 'operators.manage',
  texts,
  takes: {
    purpose: required(oneOf(keyPurposes)),
    retire_now: optional(flag()),
    yes: optional(flag()),
  },
  repeat: { again: 'each rotation makes one more key, and earlier ones still verify' },
  run: (rotate: Rotate, { purpose, retire_now: retireNow, yes }, actor) =>
    rotate(actor, { purpose, retireNow: retireNow === true, isConfirmed: yes === true }),
  command: {
    arguments: ['purpose'],
    flags: { retire_now: 'retire-now' },
    shows: ({ purpose }, { no, usedFrom, retired }) => ({
      purpose,
      no,
      used_from: isoDateTime(usedFrom),
      retired,
    }),
  },
});
