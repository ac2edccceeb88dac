import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { fault } from '../platform/http/codes.ts';
import { accountId, line, moment, recordId, text } from '../platform/http/fields.ts';
import { type Field, fail, optional, required } from '../platform/http/form.ts';
import { listing } from '../platform/listings.ts';
import { operation } from '../platform/operations.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { listAccounts } from './account.ts';
import type { LookDecision } from './appearance/change.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { payoutCbu } from './payout-cbu.ts';
import {
  allPermissions,
  isPermission,
  type KeyPermission,
  widePermissions,
} from './permissions.ts';
import { renameAccount } from './settings.ts';
import { moveAccount } from './standing.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };
const account = required(accountId());
const reason = required(line({ max: 255 }));

export const accountList = listing({
  name: 'account.list',
  act: 'accounts.see',
  whole: true,
  texts,
  read: listAccounts,
  columns: {
    id: { kind: 'text', of: (row) => row.id },
    name: { kind: 'text', of: (row) => row.name },
    cuit: { kind: 'text', of: (row) => row.cuit },
    city: { kind: 'text', of: (row) => row.city },
    state: { kind: 'choice', of: (row) => row.state },
    created_at: { kind: 'moment', of: (row) => row.created_at },
  },
});

/** Renames an account for payers. */
export const accountRenaming = operation({
  name: 'account.rename',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: { id: account, name: required(line({ max: 100 })) },
  run: (base: Base, { id, name }, actor) =>
    renameAccount({ ...base, actor }, { accountId: id, name }),
  command: {
    arguments: ['id', 'name'],
    shows: ({ id, name }, changed) => ({ id, name, changed }),
  },
});

/** Suspends an account. Payers cannot pay online, and payouts stop. */
export const accountSuspending = operation({
  name: 'account.suspend',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: { id: account, reason },
  run: (base: Base, { id, reason: why }, actor) =>
    moveAccount({ ...base, actor }, { accountId: id, move: 'suspend', reason: why }),
  command: { arguments: ['id'], shows: ({ id }, changed) => ({ id, move: 'suspend', changed }) },
});

/** Ends a suspension. */
export const accountReopening = operation({
  name: 'account.reopen',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: { id: account, reason },
  run: (base: Base, { id, reason: why }, actor) =>
    moveAccount({ ...base, actor }, { accountId: id, move: 'reopen', reason: why }),
  command: { arguments: ['id'], shows: ({ id }, changed) => ({ id, move: 'reopen', changed }) },
});

type Close = (
  actor: Actor,
  order: { accountId: string; reason: string },
) => Promise<{ closed: boolean; mandates: number }>;

/** Closes an account without a balance, and ends its mandates. */
export const accountClosing = operation({
  name: 'account.close',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: { id: account, reason },
  run: (close: Close, { id, reason: why }, actor) => close(actor, { accountId: id, reason: why }),
  command: {
    arguments: ['id'],
    shows: ({ id }, { closed, mandates }) => ({ id, closed, mandates_canceled: mandates }),
  },
});

type Decide<Decision> = (actor: Actor, decision: Decision) => Promise<void>;

const look = { account, id: required(recordId()) };

/** Approves the name or logo that an account requested. */
export const lookApproving = operation({
  name: 'account.approve-look',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: look,
  run: (approve: Decide<LookDecision>, { account: of, id }, actor) =>
    approve(actor, { accountId: of, id }),
  command: {
    arguments: ['account', 'id'],
    operator: 'always',
    shows: ({ account: of, id }) => ({ accountId: of, id, state: 'approved' }),
  },
});

/** Rejects the name or logo that an account requested. */
export const lookRejecting = operation({
  name: 'account.reject-look',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: { ...look, reason },
  run: (
    reject: Decide<LookDecision & { reason: string }>,
    { account: of, id, reason: why },
    actor,
  ) => reject(actor, { accountId: of, id, reason: why }),
  command: {
    arguments: ['account', 'id'],
    operator: 'always',
    shows: ({ account: of, id }) => ({ accountId: of, id, state: 'rejected' }),
  },
});

/** Withdraws a requested name or logo. */
export const lookWithdrawing = operation({
  name: 'account.withdraw-look',
  repeat: 'natural',
  act: 'settings.change',
  texts,
  takes: look,
  run: (withdraw: Decide<LookDecision>, { account: of, id }, actor) =>
    withdraw(actor, { accountId: of, id }),
});

/** Requests another CBU for payouts, which takes effect later. */
export const cbuAsking = operation({
  name: 'account.ask-cbu',
  repeat: 'natural',
  act: 'bank_account.change',
  texts,
  takes: { account, cbu: required(payoutCbu) },
  run: (ask: (actor: Actor, cbu: string) => Promise<void>, { cbu }, actor) => ask(actor, cbu),
});

/** Cancels a requested change of the payout CBU. */
export const cbuCanceling = operation({
  name: 'account.cancel-cbu',
  repeat: 'natural',
  act: 'bank_account.change',
  texts,
  takes: { account, cbu: required(text({ max: 22 })) },
  run: (cancel: (actor: Actor, cbu: string) => Promise<boolean>, { cbu }, actor) =>
    cancel(actor, cbu),
});

/** Lists an account's keys, without secrets. */
export const keyList = listing({
  name: 'api_key.list',
  act: 'integrations.see',
  account: 'required',
  whole: true,
  texts,
  read: (sql: Sql, { account: of }: { account: string }) => listKeys(sql, of),
  columns: {
    id: { kind: 'text', of: (row) => row.id },
    name: { kind: 'text', of: (row) => row.name },
    prefix: { kind: 'code', of: (row) => row.prefix },
    permissions: { kind: 'text', of: (row) => row.permissions.join(',') },
    created_at: { kind: 'moment', of: (row) => row.created_at },
    expires_at: { kind: 'moment', of: (row) => row.expires_at },
    revoked_at: { kind: 'moment', of: (row) => row.revoked_at },
    last_used_at: { kind: 'moment', of: (row) => row.last_used_at },
  },
});

/** Comma-separated permissions, without duplicates. */
const permissions: Field<KeyPermission[]> = {
  schema: { type: 'string' },
  wanted: fault('field.unknown_choice', { allowed: allPermissions.join(', ') }),
  parse(value) {
    const words = String(value)
      .split(',')
      .map((word) => word.trim());
    const known = words.filter(isPermission);
    return known.length === words.length
      ? { ok: true, value: [...new Set(known)] }
      : fail(permissions.wanted);
  },
};

/** Creates a key and displays it for the only time. */
export const keyCreating = operation({
  name: 'api_key.create',
  repeat: { again: 'each key is another, shown once' },
  act: 'keys.manage',
  texts,
  takes: {
    account,
    name: optional(line({ max: 60 })),
    permissions: optional(permissions),
    expires: optional(moment()),
  },
  async run(
    { base, environment }: { base: Base; environment: string },
    { account: of, name, permissions: allowed, expires },
    actor,
  ) {
    const id = await base.recordIds.next();
    const made = { name: name ?? 'cli', permissions: allowed ?? [...widePermissions] };
    const own = { ...made, id, environment, accountId: of, expiresAt: expires, secret: null };
    return { id, ...made, key: await createKey({ ...base, actor }, own) };
  },
  command: {
    shows: ({ account: of }, { id, ...made }) => ({ id, account: of, ...made }),
  },
});

/** Revokes a key at once, in every process. */
export const keyRevoking = operation({
  name: 'api_key.revoke',
  repeat: 'natural',
  act: 'keys.manage',
  texts,
  takes: { id: required(recordId()), account },
  run: (base: Base, { id, account: of }, actor) =>
    revokeKey({ ...base, actor }, { accountId: of, id }),
  command: {
    arguments: ['id'],
    shows: ({ id, account: of }) => ({ id, account: of, revoked: true }),
  },
});
