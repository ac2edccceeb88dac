import { setTimeout } from 'node:timers/promises';
import type { Calendar } from '../../calendar/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Refusal } from '../../platform/errors.ts';
import { doing } from '../../platform/postgres/deadlines.ts';
import { refusal } from '../codes.ts';
import { showFile } from '../files/show.ts';
import {
  findByDigest,
  findFile,
  listFiles,
  type RailFile,
  type RailLine,
  readFile,
} from '../files/store.ts';
import { type Arrivals, readArrivals } from './calendar.ts';
import { type Inbound, type InboundParts, inboundOf, recognize } from './inbound.ts';
import {
  type HandOver,
  handOver,
  type OutgoingFile,
  readSendings,
  type Sending,
  type SendingResult,
  sendToday,
  shapeOf,
} from './outbound.ts';
import { type Preview, previewOf } from './preview.ts';
import { createPreviews } from './previews.ts';
import {
  findUpload,
  forgetUpload,
  forgetUploads,
  keepUpload,
  listUploads,
  openUpload,
  type Upload,
} from './uploads.ts';

export interface DeskParts extends InboundParts {
  calendar(): Promise<Calendar>;
}

export interface Confirmation {
  id: number;
  /** SHA-256 of the previewed file, in hexadecimal. */
  sha256: string;
  sameDay: boolean;
  actor: Actor;
}

/** Imports and exports files of networks and banks in a browser. */
export interface RailDesk {
  inbound: readonly Pick<Inbound, 'name' | 'title'>[];
  /**
   * Stores an upload and returns its id. Detects the rail if it is null. Throws 400 for a faulty
   * line, 404 for an unknown format.
   */
  upload(sent: { name: string; bytes: Buffer; rail: string | null; actor: Actor }): Promise<number>;
  uploads(): Promise<Upload[]>;
  /** Throws 404 if the upload was imported, removed or expired. */
  preview(id: number): Promise<{ upload: Upload; preview: Preview }>;
  /**
   * Imports a previewed file. A long import continues after the response, which reports its
   * progress. Throws 404 for an unknown upload, 409 if it is not the previewed file, another import
   * is running, or a file of the same day was imported.
   */
  confirm(confirmation: Confirmation): Promise<RailFile>;
  discard(id: number, actor: Actor): Promise<void>;
  /** Deletes unconfirmed uploads from before an instant. Returns their number. */
  deleteOld(before: Temporal.Instant): Promise<number>;
  list(behind: number | undefined, limit: number): Promise<RailFile[]>;
  /** Throws 404 for an unknown file. */
  get(id: number): Promise<RailFile>;
  remarked(id: number, after: number, limit: number): Promise<RailLine[]>;
  arrivals(): Promise<Arrivals>;
  sendings(): Promise<Sending[]>;
  shapeOf: typeof shapeOf;
  send(order: { rail: string; another: boolean; actor: Actor }): Promise<SendingResult>;
  handOver(order: HandOver): Promise<OutgoingFile>;
}

interface Opened {
  upload: Upload;
  rail: Inbound;
  source: { name: string; bytes: Buffer };
}

/** Longest time that a confirmation waits for its import. */
const patienceMs = 8_000;

/** Runs imports and exports under the database deadlines of commands, even within a request. */
const atLength = <T>(work: () => Promise<T>): Promise<T> => doing('command', work);

function mustBeIn(file: RailFile | null, otherwise: Refusal): RailFile {
  if (file?.direction === 'in') return file;
  throw otherwise;
}

export function createRailDesk(parts: DeskParts): RailDesk {
  const { base, vault } = parts.books;
  const { sql } = base;
  const all = inboundOf(parts);
  const previews = createPreviews(base.clocks.wall);
  const outbound = { base, vault, terms: parts.terms };

  const named = (name: string): Inbound => {
    const rail = all.find((one) => one.name === name);
    if (!rail) throw refusal('rail.not_found', {});
    return rail;
  };

  async function opened(id: number): Promise<Opened | null> {
    const found = await openUpload(sql, vault, id);
    if (!found) return null;
    const { upload, bytes } = found;
    return { upload, rail: named(upload.rail), source: { name: upload.name, bytes } };
  }

  const importNow = async ({ id, sameDay, actor }: Confirmation, from: Opened) => {
    await atLength(() => from.rail.take({ file: from.source, sameDay, actor }));
    await forgetUpload(base, { id, actor });
    previews.forget();
  };

  const readPreview = async (id: number): Promise<Preview> => {
    const found = await opened(id);
    if (!found) throw refusal('file.not_found', {});
    const { rail, source } = found;
    return await previewOf(sql, rail, source, await rail.check(source));
  };

  /** Stops waiting after `patienceMs`. Failures after that are only logged. */
  async function begun(confirmation: Confirmation, from: Opened): Promise<void> {
    const late = new AbortController();
    const work = importNow(confirmation, from).finally(() => late.abort());
    const waited = setTimeout(patienceMs, 'late', { signal: late.signal }).catch(() => 'done');
    if ((await Promise.race([work.then(() => 'done'), waited])) === 'done') return await work;
    work.catch((error: unknown) =>
      base.log.error({ err: error, file: from.upload.name }, 'an import was interrupted'),
    );
  }

  return {
    inbound: all,
    async upload({ rail: name, actor, ...source }) {
      const found =
        name === null
          ? await recognize(all, source)
          : { rail: named(name), checked: await named(name).check(source) };
      if (!found) throw refusal('file.unrecognized', {});
      const { sha256 } = found.checked;
      return await keepUpload({ base, vault }, { ...source, rail: found.rail.name, sha256, actor });
    },
    uploads: () => listUploads(sql),
    async preview(id) {
      const upload = await findUpload(sql, id);
      if (!upload) throw refusal('file.not_found', {});
      return { upload, preview: await previews.of(id, () => readPreview(id)) };
    },
    async confirm(confirmation) {
      const found = await opened(confirmation.id);
      const sha256 = Buffer.from(confirmation.sha256, 'hex');
      // A second confirmation finds the file of the first.
      if (!found) return mustBeIn(await findByDigest(sql, [sha256]), refusal('file.not_found', {}));
      if (!found.upload.sha256.equals(sha256)) throw refusal('file.another', {});
      await begun(confirmation, found);
      const file = await findFile(sql, { rail: found.rail.name, direction: 'in', sha256 });
      return mustBeIn(file, refusal('file.waits', {}));
    },
    async discard(id, actor) {
      await forgetUpload(base, { id, actor });
      previews.forget();
    },
    deleteOld: (before) => forgetUploads(base, before),
    list: (behind, limit) => listFiles(sql, limit, behind),
    async get(id) {
      const file = await readFile(sql, id);
      if (!file) throw refusal('file.not_found', {});
      return file;
    },
    remarked: (fileId, after, limit) => showFile(sql, { fileId, remark: null, after, limit }),
    arrivals: async () =>
      await readArrivals(sql, await parts.calendar(), base.clocks.business.today()),
    shapeOf,
    sendings: () => readSendings(outbound),
    send: (order) => atLength(() => sendToday(outbound, order)),
    handOver: (order) => atLength(() => handOver(outbound, order)),
  };
}
