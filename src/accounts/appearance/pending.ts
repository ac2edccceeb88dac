import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { CurrentLogo, Look } from './look.ts';

// Payers trust the name and logo on a request. In production, changing them needs an operator's
// approval, so that nobody can impersonate a bank or an authority.

/** The parts of a look that identify the account to payers. */
export interface Identity {
  name: string;
  legal_name: string | null;
  sender: string | null;
  logo: CurrentLogo | null;
}

export interface PendingLook {
  /** Id of its event, which decisions refer to. */
  id: number;
  /** The user who requested it. Null if no user did. */
  by: number | null;
  at: string;
  /** Differences from the current look. Null removes a part. */
  changes: Partial<Identity>;
}

export interface NameAndLook {
  name: string;
  look: Look;
}

const identityOf = ({ name, look }: NameAndLook): Identity => ({
  name,
  legal_name: look.legal_name ?? null,
  sender: look.sender ?? null,
  logo: look.logo ?? null,
});

/** Returns the parts of an identity that differ, with their new values. */
export function changesBetween(before: NameAndLook, after: NameAndLook): Partial<Identity> {
  const identity = identityOf(before);
  const changed = Object.entries(identityOf(after)).filter(
    ([part, value]) => !isDeepStrictEqual(value, identity[part as keyof Identity]),
  );
  return Object.fromEntries(changed);
}

/** Applies identity changes to a name and look. */
export function withChanges({ name, look }: NameAndLook, changes: Partial<Identity>): NameAndLook {
  const { name: renamed = name, ...parts } = changes;
  const present = Object.entries({ ...look, ...parts }).filter(([, value]) => value !== null);
  return { name: renamed, look: Object.fromEntries(present) as Look };
}

/** Returns an account's pending change, or null. */
export async function readPendingLook(
  sql: Queryable,
  accountId: string,
): Promise<PendingLook | null> {
  const [row] = await sql<{ asked: PendingLook | null }[]>`
    select asked_look as asked from accounts where id = ${accountId}`;
  return row?.asked ?? null;
}

export interface WaitingLook extends Pick<NameAndLook, 'name'> {
  account_id: string;
  asked: PendingLook;
}

/** Lists pending changes of open accounts, oldest first. */
export const listPendingLooks = (sql: Queryable, limit: number): Promise<WaitingLook[]> =>
  sql<WaitingLook[]>`
    select id as account_id, name, asked_look as asked from accounts
    where asked_look is not null and state <> 'closed'
    order by (asked_look->>'id')::bigint limit ${limit}`;

/**
 * Returns a logo by its hash for operators, even one that payers have not seen yet. Returns null
 * for an unknown hash.
 */
export async function readPendingLogo(
  sql: Queryable,
  accountId: string,
  { hash }: Pick<CurrentLogo, 'hash'>,
): Promise<Buffer | null> {
  const [row] = await sql<{ content: Buffer }[]>`
    select content from account_logos where account_id = ${accountId} and hash = ${hash}`;
  return row?.content ?? null;
}
