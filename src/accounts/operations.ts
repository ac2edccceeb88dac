import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { accountId, line, recordId, text } from '../platform/http/fields.ts';
import { required } from '../platform/http/form.ts';
import { listing } from '../platform/listings.ts';
import { operation } from '../platform/operations.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { getAccount, listAccounts, operatorBooks } from './account.ts';
import type { LookDecision } from './appearance/change.ts';
import { payoutCbu } from './payout-cbu-form.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export { accountIdsOf } from './account.ts';

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

export const accountRenaming = operation({
  name: 'account.rename',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: { id: account, name: required(line({ max: 100 })) },
  async run(base: Base, { id, name }, actor) {
    const { renameAccount } = await import('./settings.ts');
    return await renameAccount({ ...base, actor }, { accountId: id, name });
  },
  command: {
    arguments: ['id', 'name'],
    shows: ({ id, name }, changed) => ({ id, name, changed }),
  },
});

/** Throws 404 for an unknown account, which would otherwise get an empty list. */
export async function mustExist(
  sql: Queryable,
  accountId: string,
  { takesOperatorBooks = false }: { takesOperatorBooks?: boolean } = {},
): Promise<void> {
  if (takesOperatorBooks && accountId === operatorBooks) return;
  await getAccount(sql, accountId);
}

const moving =
  (move: 'suspend' | 'reopen') =>
  async (base: Base, { id, reason: why }: { id: string; reason: string }, actor: Actor) => {
    const { moveAccount } = await import('./standing.ts');
    return await moveAccount({ ...base, actor }, { accountId: id, move, reason: why });
  };

/** Suspends an account. Payers cannot pay online, and payouts stop. */
export const accountSuspending = operation({
  name: 'account.suspend',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: { id: account, reason },
  run: moving('suspend'),
  command: { arguments: ['id'], shows: ({ id }, changed) => ({ id, move: 'suspend', changed }) },
});

export const accountReopening = operation({
  name: 'account.reopen',
  repeat: 'natural',
  act: 'accounts.manage',
  texts,
  takes: { id: account, reason },
  run: moving('reopen'),
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

export const cbuCanceling = operation({
  name: 'account.cancel-cbu',
  repeat: 'natural',
  act: 'bank_account.change',
  texts,
  takes: { account, cbu: required(text({ max: 22 })) },
  run: (cancel: (actor: Actor, cbu: string) => Promise<boolean>, { cbu }, actor) =>
    cancel(actor, cbu),
});
