import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Acting } from '../../platform/base.ts';
import { conflict, notFound, Refusal } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { refuseOvertaken } from '../../platform/seen.ts';
import { refuseName } from '../account.ts';
import { noteAccount } from '../note.ts';
import {
  heldAppearance,
  heldProfile,
  isAccent,
  type Look,
  type Profile,
  profileFaults,
  profileFields,
} from './look.ts';
import type { Picture } from './picture.ts';

/** What an account changes of how it shows itself; what is left out stays as it is. */
export interface LookChange {
  accountId: string;
  name?: string;
  /** In place of all that was said before. */
  profile?: Profile;
  /** Null: the one of the service. */
  accent?: string | null;
  /** Null: none. */
  logo?: Picture | null;
  /** What the form showed that this comes from. */
  seen?: string;
}

interface Held {
  name: string;
  state: string;
  look: Look | null;
}

function refuse({ name, profile, accent }: LookChange): void {
  if (name !== undefined) refuseName(name);
  const [faulty] = profileFaults(profile ?? {});
  if (faulty !== undefined) throw new Refusal('invalid', `The ${faulty} cannot be so.`);
  if (accent !== undefined && accent !== null && !isAccent(accent)) {
    throw new Refusal('invalid', 'The accent is not read well enough on light grounds.');
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

/** Keeps a picture, and the one before it for pages that are being read; others go. */
async function keepLogo(
  tx: Queryable,
  accountId: string,
  { kind, content }: Picture,
  before: string | undefined,
): Promise<void> {
  const hash = hashOf(content);
  await tx`
    delete from account_logos
    where account_id = ${accountId} and hash <> all(${[hash, before ?? hash]}::text[])`;
  await tx`
    insert into account_logos (account_id, hash, kind, content)
    values (${accountId}, ${hash}, ${kind}, ${content}) on conflict do nothing`;
}

/**
 * Changes how an account shows itself to those who pay it. False where it did so already. 400: what
 * cannot be shown; 404: no such account; 409: it is closed, or was changed since it was seen.
 */
export const changeLook =
  (acting: Acting) =>
  async (change: LookChange): Promise<boolean> => {
    refuse(change);
    const { accountId } = change;
    const eventId = await acting.recordIds.next();
    return await acting.sql.begin(async (tx) => {
      const [held] = await tx<Held[]>`
        select name, state, look from accounts where id = ${accountId} for no key update`;
      if (!held) throw notFound('account');
      if (held.state === 'closed') throw conflict('The account is closed.');
      const before = held.look ?? {};
      const look = lookAfter(before, change);
      const name = change.name?.trim() ?? held.name;
      if (name === held.name && isDeepStrictEqual(look, before)) return false;
      refuseOvertaken(change.seen, {
        ...heldProfile(held.name, before),
        ...heldAppearance(before),
      });
      if (change.logo) await keepLogo(tx, accountId, change.logo, before.logo?.hash);
      const [row] = await tx<{ version: number }[]>`
        update accounts set name = ${name}, look = ${JSON.stringify(look)}::text::jsonb,
          version = version + 1
        where id = ${accountId} returning version`;
      await noteAccount(tx, acting, {
        accountId,
        version: row?.version ?? 0,
        eventId,
        type: 'account.look_changed',
        data: { name, name_before: held.name, look, look_before: before },
      });
      return true;
    });
  };

/** A logo of an account; null: it is none of those that are shown. */
export async function readLogo(
  sql: Queryable,
  accountId: string,
  hash: string,
): Promise<Buffer | null> {
  const [row] = await sql<{ content: Buffer }[]>`
    select content from account_logos where account_id = ${accountId} and hash = ${hash}`;
  return row?.content ?? null;
}
