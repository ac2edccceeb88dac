import { Readable } from 'node:stream';
import type { Document } from '../platform/http/endpoint.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { doing } from '../platform/postgres/deadlines.ts';
import type { Snapshot } from '../platform/postgres/snapshot.ts';
import type { Reads } from '../platform/replica/reads.ts';
import { ByteSink } from './byte-sink.ts';
import { refusal } from './codes.ts';
import type { Format, ReportWriter } from './formats.ts';
import type { ReportName } from './names.ts';
import { beforeAll, type Piece, type ReportScope, readPiece } from './store.ts';

/** Rows per read. A read takes a few milliseconds, so that other calls get their turn. */
const rowsAtOnce = 2_500;

/** Number of bytes to read ahead, so that the caller seldom waits. */
const bytesAhead = 4 * 1024 * 1024;

export interface ReportLimits {
  /** Maximum number of concurrent long reports, each of which occupies a connection. */
  atOnce: number;
  /** Minimum pace of a reader while data is ready. */
  pace: ReaderPace;
}

export interface ReaderPace {
  everyMs: number;
  bytes: number;
}

export interface ReportOrder {
  name: ReportName;
  scope: ReportScope;
  format: Format;
  /**
   * Returns true if a replica may answer. Default: the account wrote nothing lately, and the
   * replica has all its delivered events.
   */
  holds?: ((sql: Queryable) => Promise<boolean>) | undefined;
}

export type ReadReport = (order: ReportOrder) => Promise<Document>;

const isLast = ({ count }: Piece): boolean => count < rowsAtOnce;

/** Yields the rest of a report, reading one piece ahead of the consumer. */
async function* bytesFrom(
  snapshot: Snapshot,
  { name, scope }: ReportOrder,
  sink: ByteSink,
  writer: ReportWriter,
  first: Piece,
): AsyncGenerator<Buffer> {
  let piece = first;
  while (!isLast(piece)) {
    const { last } = piece;
    const ready = sink.full();
    const next = doing('stream', () =>
      readPiece(snapshot.sql, name, scope, { after: last, most: rowsAtOnce }, writer.row),
    );
    const settled = next.catch(() => {});
    try {
      yield* ready;
    } finally {
      // Wait for the read, because until then the connection cannot even be canceled.
      await settled;
    }
    piece = await next;
  }
  await snapshot.close();
  writer.end();
  yield* sink.end();
}

/** Aborts slow readers. */
function watchReader(stream: Readable, pushed: () => number, pace: ReaderPace): NodeJS.Timeout {
  let before = 0;
  const look = (): void => {
    const taken = pushed() - stream.readableLength;
    const slow = stream.readableLength > 0 && taken - before < pace.bytes;
    before = taken;
    if (slow) stream.destroy(new Error('The caller stopped reading, or read too slowly.'));
  };
  return setInterval(look, pace.everyMs);
}

/** Streams at the reader's pace, down to a minimum. */
function streamOf(bytes: AsyncGenerator<Buffer>, snapshot: Snapshot, pace: ReaderPace): Readable {
  let pushed = 0;
  const stream = new Readable({
    highWaterMark: bytesAhead,
    read() {
      bytes.next().then(
        ({ done, value }) => {
          pushed += done ? 0 : value.length;
          stream.push(done ? null : value);
        },
        (error: Error) => stream.destroy(error),
      );
    },
    destroy(error, done) {
      clearInterval(watch);
      const ended = bytes.return(undefined).finally(() => snapshot.close());
      ended.then(() => done(error), done);
    },
  });
  const watch = watchReader(stream, () => pushed, pace);
  return stream;
}

/**
 * Limits long reports. An account gets at most half the slots, but at least one, so that its slow
 * readers cannot block all others.
 */
function createPlaces(atOnce: number): (accountId: string) => () => void {
  const ofAccount = new Map<string, number>();
  const mostOfAccount = Math.max(1, Math.floor(atOnce / 2));
  let underWay = 0;
  return (accountId) => {
    const own = ofAccount.get(accountId) ?? 0;
    if (own >= mostOfAccount) {
      throw refusal('report.account_busy', { reports: own });
    }
    if (underWay >= atOnce) throw refusal('report.busy', { reports: atOnce });
    underWay += 1;
    ofAccount.set(accountId, own + 1);
    return () => {
      underWay -= 1;
      const left = (ofAccount.get(accountId) ?? 1) - 1;
      if (left > 0) ofAccount.set(accountId, left);
      else ofAccount.delete(accountId);
    };
  };
}

/**
 * Reads each report from one snapshot. Answers short reports at once and streams longer ones, so
 * that memory use is constant. Throws 503 if too many long reports are running, for the account or
 * in total.
 */
export function createReportReader(reads: Reads, { atOnce, pace }: ReportLimits): ReadReport {
  const takePlace = createPlaces(atOnce);

  const streamed = (accountId: string, bytes: AsyncGenerator<Buffer>, snapshot: Snapshot) => {
    const leave = takePlace(accountId);
    return streamOf(bytes, snapshot, pace).once('close', leave);
  };

  const begin = async (order: ReportOrder, snapshot: Snapshot): Promise<Document> => {
    const { name, scope, format } = order;
    try {
      const sink = new ByteSink();
      const writer = format.begin(name, scope, sink);
      const place = { after: beforeAll, most: rowsAtOnce };
      const first = await readPiece(snapshot.sql, name, scope, place, writer.row);
      const bytes = bytesFrom(snapshot, order, sink, writer, first);
      return {
        content: isLast(first)
          ? Buffer.concat(await Array.fromAsync(bytes)).toString()
          : streamed(scope.accountId, bytes, snapshot),
        contentType: format.contentType,
        fileName: format.fileName(name, scope),
      };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  };

  return ({ holds, ...order }) =>
    reads.snapshot({ accountId: order.scope.accountId, ...(holds && { holds }) }, (snapshot) =>
      begin(order, snapshot),
    );
}
