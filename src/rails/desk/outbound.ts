import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { countUnsent } from '../../debit-requests/index.ts';
import { type Centavos, zero } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Envelope } from '../../platform/envelope.ts';
import { Refusal } from '../../platform/errors.ts';
import { createSlots, tookTooLong } from '../../platform/slots.ts';
import type { Vault } from '../../platform/vault.ts';
import { refusal } from '../codes.ts';
import type { OutboundDebits } from '../debits/debit.ts';
import { exportDebits, writeDebitsAgain } from '../debits/export.ts';
import { outboundDebits } from '../debits/formats.ts';
import type { LeftOut, OutboundRail } from '../files/format.ts';
import { noteHandover } from '../files/handover.ts';
import { findFilesOfDay, type RailFile, readFile } from '../files/store.ts';
import { exportFile, writeFileAgain } from '../payments/export.ts';
import { outboundRails } from '../payments/formats.ts';
import type { DeskTerms } from './inbound.ts';

export interface OutboundParts {
  base: Base;
  vault: Vault;
  terms(): DeskTerms;
}

/** A file that is sent on most days, and today's exports. */
export interface Sending {
  rail: string;
  title: string;
  /**
   * Debits of the file's kind that wait for export, in this file or another. Null for files that
   * publish payable requests.
   */
  waiting: { debits: number; total: Centavos } | null;
  /** True if the file contains card numbers, so that each download is encrypted for a recipient. */
  cards: boolean;
  files: RailFile[];
}

export interface SendingResult {
  files: RailFile[];
  leftOut: LeftOut[];
}

export interface OutgoingFile {
  name: string;
  content: Buffer | Readable;
}

/** Returns true if this deployment is registered with the recipient of a publication. */
function isPublished(rail: OutboundRail, terms: DeskTerms): boolean {
  try {
    rail.createWriter(terms, terms.today, 1);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Collects the file in memory, so that debits never reach the disk in plain text. */
function memoryEnvelope(): { envelope: Envelope; taken(): Buffer } {
  let bytes = Buffer.alloc(0);
  return {
    envelope: {
      subject: '',
      fingerprint: '',
      encrypt: (content) => {
        bytes = Buffer.from(content);
        return Promise.resolve(Buffer.alloc(0));
      },
    },
    taken: () => bytes,
  };
}

async function ownFolder(): Promise<{ directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'recaudo-rails-'));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

async function inFolder<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const { directory, remove } = await ownFolder();
  try {
    return await use(directory);
  } finally {
    await remove();
  }
}

/** Writes a file into a temporary folder, which is removed once the download ends or aborts. */
async function writtenOnce(write: (directory: string) => Promise<string>): Promise<OutgoingFile> {
  const { directory, remove } = await ownFolder();
  try {
    const place = await write(directory);
    const content = createReadStream(place);
    content.once('close', () => void remove());
    return { name: path.basename(place), content };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Writes files one at a time, because a day's publication may have a million lines. */
const oneAtATime = createSlots(1);
const patienceMs = 20_000;

const debitsOf = (name: string): OutboundDebits | undefined =>
  outboundDebits.find((one) => one.name === name);
const publicationOf = (name: string): OutboundRail | undefined =>
  outboundRails.find((one) => one.name === name);

/** Returns whether a sent file contains card numbers, and whether it has a companion. */
export const shapeOf = ({ rail, direction }: RailFile): { cards: boolean; beside: boolean } => ({
  cards: direction === 'out' && debitsOf(rail)?.kind === 'card_debit_request',
  beside: direction === 'out' && publicationOf(rail)?.hasCompanion === true,
});

export async function readSendings({ base, terms }: OutboundParts): Promise<Sending[]> {
  const now = terms();
  const unsent = await countUnsent(base.sql);
  const filesOf = (rail: string) =>
    findFilesOfDay(base.sql, { rail, direction: 'out', date: now.today });
  const publications = outboundRails.filter((rail) => isPublished(rail, now));
  const debits = outboundDebits.filter((rail) => rail.isConfigured(now));
  return await Promise.all([
    ...publications.map(
      async ({ name, title }): Promise<Sending> => ({
        rail: name,
        title,
        waiting: null,
        cards: false,
        files: await filesOf(name),
      }),
    ),
    ...debits.map(async ({ name, title, kind }): Promise<Sending> => {
      const own = unsent.find((one) => one.kind === kind);
      return {
        rail: name,
        title,
        waiting: { debits: own?.debits ?? 0, total: own?.total ?? zero },
        cards: kind === 'card_debit_request',
        files: await filesOf(name),
      };
    }),
  ]);
}

/**
 * Exports today's files, which can then be downloaded any number of times. Throws 404 for an
 * unknown rail.
 */
export async function sendToday(
  { base, vault, terms }: OutboundParts,
  { rail: name, another, actor }: { rail: string; another: boolean; actor: Actor },
): Promise<SendingResult> {
  const now = terms();
  const debits = debitsOf(name);
  const publication = publicationOf(name);
  return await inFolder(async (directory) => {
    const to = { date: now.today, directory, actor };
    if (debits) {
      const { envelope } = memoryEnvelope();
      const order = { rail: debits, another, ...to };
      const { files, leftOut } = await exportDebits({ base, vault, envelope }, order, now);
      return { files: files.map(({ file }) => file), leftOut };
    }
    if (!publication) throw refusal('rail.not_found', {});
    const { files, leftOut } = await exportFile(base, { rail: publication, ...to }, now);
    return { files: files.map(({ file }) => file), leftOut };
  });
}

export interface HandOver {
  id: number;
  /** Selects the companion instead of the file. */
  beside?: boolean;
  /** Encrypts for a recipient. */
  envelope?: Envelope | null;
  actor: Actor;
}

/**
 * Returns a sent file unchanged, or its companion. Files with card numbers leave only encrypted.
 * Records the download before it starts. Throws 404 for an unknown file, 409 if its bytes would
 * differ, 503 if another file is being written for too long.
 */
export async function handOver(
  parts: OutboundParts,
  { id, beside = false, envelope = null, actor }: HandOver,
): Promise<OutgoingFile> {
  const file = await readFile(parts.base.sql, id);
  if (file?.direction !== 'out') throw refusal('file.not_found', {});
  const handed = await oneAtATime
    .run(() => writtenAgain(parts, file, { beside, envelope }), patienceMs)
    .catch((error: unknown) => {
      if (error !== tookTooLong) throw error;
      throw refusal('file.busy', {});
    });
  try {
    await noteHandover(parts.base, file, { name: handed.name, envelope, actor });
  } catch (error) {
    if (handed.content instanceof Readable) handed.content.destroy();
    throw error;
  }
  return handed;
}

async function writtenAgain(
  parts: OutboundParts,
  file: RailFile,
  { beside, envelope }: { beside: boolean; envelope: Envelope | null },
): Promise<OutgoingFile> {
  const now = parts.terms();
  const debits = debitsOf(file.rail);
  const publication = publicationOf(file.rail);
  if (debits) {
    return await inFolder((directory) =>
      debitsAgain(parts, { rail: debits, directory, file }, envelope),
    );
  }
  if (!publication) throw refusal('file.not_found', {});
  return await writtenOnce(async (directory) => {
    const written = await writeFileAgain(parts.base, { rail: publication, directory, file }, now);
    const requested = written[beside ? 1 : 0];
    if (requested === undefined) throw refusal('file.not_found', {});
    return requested;
  });
}

async function debitsAgain(
  parts: OutboundParts,
  order: { rail: OutboundDebits; directory: string; file: RailFile },
  envelope: Envelope | null,
): Promise<OutgoingFile> {
  const { name } = order.file;
  if (order.rail.kind === 'card_debit_request' && envelope === null) {
    throw refusal('file.cards_in_clear', {});
  }
  const memory = memoryEnvelope();
  await writeDebitsAgain({ ...parts, envelope: memory.envelope }, order, parts.terms());
  if (envelope === null) return { name, content: memory.taken() };
  return { name: `${name}.cms`, content: await envelope.encrypt(memory.taken()) };
}
