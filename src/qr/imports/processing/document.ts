import { setImmediate as othersTurn } from 'node:timers/promises';
import {
  createItemReader,
  type ItemReader,
  MalformedDocument,
} from '../../../kernel/json-items.ts';
import type { Said } from '../../../language/said.ts';
import { httpUrl, integer } from '../../../platform/http/fields.ts';
import { isAbsent } from '../../../platform/http/form.ts';
import { itemBounds, largestItemBytes } from '../../batch.ts';
import { fault } from '../../codes.ts';
import { beginsLikeGzip } from '../../errors/compressed.ts';
import { mostItems } from '../batch.ts';
import { fault as uploadFault } from '../codes.ts';

/** Bytes per slice, a millisecond or two of work. */
const sliceBytes = 64 * 1024;

const createReader = (): ItemReader =>
  createItemReader({
    list: 'data',
    maxItems: mostItems,
    maxItemBytes: largestItemBytes,
    ...itemBounds,
  });

/** Yields a document's bytes in slices, letting other work run in between. */
async function* sliced(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  reader: ItemReader,
): AsyncGenerator<unknown[]> {
  for await (const piece of bytes) {
    for (let index = 0; index < piece.length; index += sliceBytes) {
      yield reader.push(piece.subarray(index, index + sliceBytes));
      await othersTurn();
    }
  }
}

/** Returns true if a beginning looks like a document. */
export const beginsLikeDocument = (start: string): boolean => /^\uFEFF?\s*\{/.test(start);

/** A document's data besides its items, after a complete read. */
export type CheckedDocument = { webhookUrl: string | null } & (
  | { totalCount: number }
  | { fault: Said }
);

export interface DocumentCheck {
  /** Parses the next piece, yielding to other work. */
  push(piece: Uint8Array): Promise<void>;
  /** Returns the data of a valid JSON document with the declared number of items, or its fault. */
  end(): CheckedDocument;
}

/** Creates a check that stops at the first fault. */
export function createCheck(): DocumentCheck {
  const reader = createReader();
  let found: Said | null = null;
  let begun = false;
  const refuseCompressed = (piece: Uint8Array): void => {
    if (!begun && beginsLikeGzip(piece)) {
      throw new MalformedDocument('The document is compressed; upload it as plain JSON.', 0);
    }
    begun = true;
  };
  return {
    async push(piece) {
      if (found !== null) return;
      try {
        refuseCompressed(piece);
        for await (const _items of sliced([piece], reader));
      } catch (error) {
        found = malformed(error);
      }
    },
    end() {
      if (found !== null) return { webhookUrl: null, fault: found };
      try {
        return checkMembers(reader.end());
      } catch (error) {
        return { webhookUrl: null, fault: malformed(error) };
      }
    },
  };
}

function malformed(error: unknown): Said {
  if (error instanceof MalformedDocument) {
    return fault('qr.body_malformed', { fault: error.message });
  }
  throw error;
}

/** Checks a document that is stored as a whole. Calls `onProgress` repeatedly. */
export async function checkDocument(
  bytes: AsyncIterable<Uint8Array>,
  onProgress: () => Promise<void>,
): Promise<CheckedDocument> {
  const check = createCheck();
  try {
    for await (const piece of bytes) {
      await check.push(piece);
      await onProgress();
    }
  } catch (error) {
    return { webhookUrl: null, fault: malformed(error) };
  }
  return check.end();
}

const webhookField = httpUrl(2_000);
const countField = integer({ min: 1, max: mostItems, digits: true });

function checkMembers({ members, count }: ReturnType<ItemReader['end']>): CheckedDocument {
  const { webhook_url: url, total_count: total } = members;
  const webhook = isAbsent(url) ? null : webhookField.parse(url);
  if (webhook?.ok === false) {
    return {
      webhookUrl: null,
      fault: uploadFault('qr_upload.webhook_url_unusable', {
        fault: webhook.errors?.[0] ?? webhookField.expectation,
      }),
    };
  }
  const webhookUrl = webhook?.value ?? null;
  const read = countField.parse(total);
  if (!read.ok) return { webhookUrl, fault: fault('qr.count_invalid', { count }) };
  if (read.value === count) return { webhookUrl, totalCount: count };
  return { webhookUrl, fault: fault('qr.count_differs', { sent: read.value, count }) };
}

/** Yields the items of a checked document from an index on, in pages of `size`. */
export async function* itemsFrom(
  bytes: AsyncIterable<Uint8Array>,
  from: number,
  size: number,
): AsyncGenerator<unknown[]> {
  let toSkip = from;
  let waiting: unknown[] = [];
  for await (const items of sliced(bytes, createReader())) {
    const skipped = Math.min(toSkip, items.length);
    toSkip -= skipped;
    waiting.push(...items.slice(skipped));
    while (waiting.length >= size) {
      yield waiting.slice(0, size);
      waiting = waiting.slice(size);
    }
  }
  if (waiting.length > 0) yield waiting;
}
