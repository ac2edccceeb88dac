import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Acting } from '../../platform/base.ts';
import { refuseOutdated } from '../../platform/form-version.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import { type Alongside, noteAccount } from '../note.ts';
import { refuseName } from '../open.ts';
import {
  appearanceFormValues,
  isAccent,
  type Look,
  type Profile,
  profileFaults,
  profileFields,
  profileFormValues,
} from './look.ts';
import { changesBetween, type NameAndLook, type PendingLook, withChanges } from './pending.ts';
import type { Picture } from './picture.ts';

/** A change to an account's appearance. Absent fields keep their values. */
export interface LookChange {
  accountId: string;
  name?: string;
  /** Replaces the entire profile. */
  profile?: Profile;
  /** Null restores the service's color. */
  accent?: string | null;
  /** Null removes it. */
  logo?: Picture | null;
  /** The form's version on which the change is based. */
  seen?: string;
}

interface LockedLook extends NameAndLook {
  state: string;
  asked: PendingLook | null;
}

function refuse({ name, profile, accent }: LookChange): void {
  if (name !== undefined) refuseName(name);
  const [faulty] = profileFaults(profile ?? {});
  if (faulty !== undefined) throw refusal('account.profile_invalid', { field: faulty });
  if (accent !== undefined && accent !== null && !isAccent(accent)) {
    throw refusal('account.accent_contrast', {});
  }
}

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

const without = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;

function lookAfter(before: Look, { profile, accent, logo }: LookChange): Look {
  const said = profile ?? before;
  return without({
    ...Object.fromEntries(profileFields.map((field) => [field, said[field]])),
    accent: accent === undefined ? before.accent : (accent?.toLowerCase() ?? undefined),
    logo:
      logo === undefined
        ? before.logo
        : logo === null
          ? undefined
          : {
              hash: hashOf(logo.content),
              kind: logo.kind,
              width: logo.width,
              height: logo.height,
            },
  }) as Look;
}

interface Logos {
  now: Look;
  before: Look;
  /** The part that awaits approval. */
  pending: PendingLook | null;
}

/** Stores a new logo, and deletes those that are neither current, former nor pending. */
async function keepLogos(
  tx: Queryable,
  accountId: string,
  { now, before, pending }: Logos,
  picture: Picture | null = null,
): Promise<void> {
  if (picture !== null) {
    const hash = hashOf(picture.content);
    await tx`
      insert into account_logos (account_id, hash, kind, content, shown)
      values (${accountId}, ${hash}, ${picture.kind}, ${picture.content}, false)
      on conflict do nothing`;
  }
  const currentHash = now.logo?.hash ?? null;
  if (currentHash !== null) {
    await tx`
      update account_logos set shown = true
      where account_id = ${accountId} and hash = ${currentHash} and not shown`;
  }
  const pendingHash = pending?.changes.logo?.hash ?? null;
  if (pendingHash !== null) {
    await tx`
      delete from account_logos where account_id = ${accountId} and not shown
        and hash <> ${pendingHash}`;
  } else {
    await tx`delete from account_logos where account_id = ${accountId} and not shown`;
  }
  // Pages already loaded still show the former logo.
  if (currentHash === null || currentHash === before.logo?.hash) return;
  await tx`
    delete from account_logos where account_id = ${accountId} and shown
      and hash <> all(${[currentHash, before.logo?.hash ?? currentHash]}::text[])`;
}

async function lockLook(tx: Queryable, accountId: string): Promise<LockedLook> {
  const [account] = await tx<(Omit<LockedLook, 'look'> & { look: Look | null })[]>`
    select name, state, look, asked_look as asked from accounts
    where id = ${accountId} for no key update`;
  if (!account) throw refusal('account.not_found', {});
  if (account.state === 'closed') throw refusal('account.closed', {});
  return { ...account, look: account.look ?? {} };
}

interface Writing {
  before: LockedLook;
  after: NameAndLook;
  pending: PendingLook | null;
  note: { eventId: number; type: string; data?: Record<string, unknown> };
}

async function writeLook(
  tx: Queryable,
  acting: Acting,
  accountId: string,
  { before, after, pending, note }: Writing,
): Promise<void> {
  const { name, look } = after;
  const [row] = await tx<{ version: number }[]>`
    update accounts set name = ${name}, look = ${JSON.stringify(look)}::text::jsonb,
      asked_look = ${pending && JSON.stringify(pending)}::text::jsonb, version = version + 1
    where id = ${accountId} returning version`;
  const changed = name !== before.name || !isDeepStrictEqual(look, before.look);
  await noteAccount(tx, acting, {
    accountId,
    version: row?.version ?? 0,
    eventId: note.eventId,
    type: note.type,
    data: {
      ...(changed && { name, name_before: before.name, look, look_before: before.look }),
      ...note.data,
    },
  });
}

const userBehind = ({ actor }: Acting): number | null => {
  if (actor.kind === 'user') return actor.id;
  return actor.kind === 'operator' ? (actor.userId ?? null) : null;
};

export interface Approval {
  /** Notifies approvers of a pending change. If absent, changes apply at once. */
  notify?: Alongside | undefined;
}

/** Unchanged, applied, or awaiting approval. */
export type Changed = 'same' | 'shown' | 'waits';

/**
 * Changes an account's look for payers. If approval is required, name, legal name, sender and logo
 * wait, and the rest applies at once. Throws 400 if it is invalid, 404 for an unknown account, 409
 * if the account is closed or changed since the form was loaded.
 */
export const changeLook =
  (acting: Acting, approval: Approval = {}) =>
  async (change: LookChange): Promise<Changed> => {
    refuse(change);
    const { accountId } = change;
    const [changeId = 0, pendingId = 0] = await acting.recordIds.take(2);
    return await acting.sql.begin(async (tx) => {
      const account = await lockLook(tx, accountId);
      const write = (writing: Writing) => writeLook(tx, acting, accountId, writing);
      // The form shows pending values as current ones: saving it again must not withdraw them.
      const before = withChanges(account, account.asked?.changes ?? {});
      const look = lookAfter(before.look, change);
      const requested = { name: change.name?.trim() ?? before.name, look };
      if (isDeepStrictEqual(requested, before)) return 'same';
      const { name, look: seen } = before;
      const values = { ...profileFormValues(name, seen), ...appearanceFormValues(seen) };
      refuseOutdated(change.seen, values);
      const picture = change.logo ?? null;
      if (!approval.notify) {
        await keepLogos(tx, accountId, { now: look, before: account.look, pending: null }, picture);
        const note = { eventId: changeId, type: 'account.look_changed' };
        await write({ before: account, after: requested, pending: null, note });
        return 'shown';
      }
      const changes = changesBetween(account, requested);
      const after = withChanges(requested, changesBetween(requested, account));
      const waits = Object.keys(changes).length > 0;
      const changed = waits && !isDeepStrictEqual(changes, account.asked?.changes ?? {});
      const at = acting.clocks.wall.now().toString();
      const pending = changed
        ? { id: pendingId, by: userBehind(acting), at, changes }
        : waits
          ? account.asked
          : null;
      await keepLogos(tx, accountId, { now: after.look, before: account.look, pending }, picture);
      if (!isDeepStrictEqual(after.look, account.look)) {
        const note = { eventId: changeId, type: 'account.look_changed' };
        await write({ before: account, after, pending: account.asked, note });
      }
      if (changed) {
        const note = { eventId: pendingId, type: 'account.look_asked', data: { asks: changes } };
        await write({ before: { ...account, ...after }, after, pending, note });
        await approval.notify(tx);
        return 'waits';
      }
      if (!waits && account.asked !== null) {
        const data = { asks: account.asked.changes };
        const note = { eventId: pendingId, type: 'account.look_withdrawn', data };
        await write({ before: { ...account, ...after }, after, pending, note });
      }
      return 'shown';
    });
  };

export interface LookDecision {
  accountId: string;
  /** The pending change that the page displayed. A decision on any other is refused. */
  id: number;
}

function refuseOther({ asked }: LockedLook, id: number): PendingLook {
  if (asked?.id === id) return asked;
  throw refusal('account.look_decided', {});
}

/**
 * Approves an account's pending look. Throws 403 if the approver requested it, 409 if it is no
 * longer pending or the account is closed.
 */
export const approveLook =
  (acting: Acting, alongside: Alongside) =>
  async ({ accountId, id }: LookDecision): Promise<void> => {
    const eventId = await acting.recordIds.next();
    await acting.sql.begin(async (tx) => {
      const account = await lockLook(tx, accountId);
      const pending = refuseOther(account, id);
      if (pending.by !== null && pending.by === userBehind(acting)) {
        throw refusal('account.look_own', {});
      }
      const after = withChanges(account, pending.changes);
      await keepLogos(tx, accountId, { now: after.look, before: account.look, pending: null });
      const data = { approves: id, asked_by: pending.by };
      const note = { eventId, type: 'account.look_changed', data };
      await writeLook(tx, acting, accountId, { before: account, after, pending: null, note });
      await alongside(tx);
    });
  };

export interface LookRejection extends LookDecision {
  /** Null if the account itself withdraws it. */
  reason: string | null;
}

/**
 * Rejects an account's pending look. Payers keep seeing the former one. Throws 409 if it is no
 * longer pending or the account is closed.
 */
export const rejectLook =
  (acting: Acting, alongside: Alongside | null) =>
  async ({ accountId, id, reason }: LookRejection): Promise<void> => {
    const eventId = await acting.recordIds.next();
    await acting.sql.begin(async (tx) => {
      const account = await lockLook(tx, accountId);
      const pending = refuseOther(account, id);
      const { look } = account;
      await keepLogos(tx, accountId, { now: look, before: look, pending: null });
      const type = reason === null ? 'account.look_withdrawn' : 'account.look_rejected';
      const data = { asks: pending.changes, ...(reason !== null && { reason }) };
      const unchanged = { before: account, after: account, pending: null };
      await writeLook(tx, acting, accountId, { ...unchanged, note: { eventId, type, data } });
      await alongside?.(tx);
    });
  };

/** Returns the content of a logo that is or was displayed to payers, or null. */
export async function readLogo(
  sql: Queryable,
  accountId: string,
  hash: string,
): Promise<Buffer | null> {
  const [row] = await sql<{ content: Buffer }[]>`
    select content from account_logos where account_id = ${accountId} and hash = ${hash} and shown`;
  return row?.content ?? null;
}
