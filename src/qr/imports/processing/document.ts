import { createItemReader, type ItemReader } from '../../../kernel/json-items.ts';
import { MalformedDocument } from '../../../kernel/malformed-document.ts';
import type { LocalizedText } from '../../../language/localized-text.ts';
import { Refusal, type RefusalKind } from '../../../platform/errors.ts';
import { httpUrl } from '../../../platform/http/fields.ts';
import { isAbsent } from '../../../platform/http/form.ts';
import { itemsIn, pagesOf } from '../../../platform/imports/items.ts';
import { documentText } from '../../../platform/json-document.ts';
import { countFault, itemBounds, largestItemBytes } from '../../batch.ts';
import { fault } from '../../codes.ts';
import { beginsLikeGzip, compressed } from '../../errors/compressed.ts';
import { mostItems } from '../batch.ts';
import { fault as uploadFault } from '../codes.ts';

const createReader = (): ItemReader =>
  createItemReader({
    list: 'data',
    maxItems: mostItems,
    maxItemBytes: largestItemBytes,
    ...itemBounds,
  });

/** Returns true if a text that starts like this may be a JSON document. */
export const beginsLikeDocument = (start: string): boolean => /^\uFEFF?\s*\{/.test(start);

/** A document's webhook address, and the number of its items or the fault that a check found. */
export type CheckedDocument = { webhookUrl: string | null } & (
  | { totalCount: number }
  | { fault: string | LocalizedText }
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
  let found: string | LocalizedText | null = null;
  let begun = false;
  const refuseCompressed = (piece: Uint8Array): void => {
    if (!begun && beginsLikeGzip(piece)) {
      throw compressed();
    }
    begun = true;
  };
  return {
    async push(piece) {
      if (found !== null) return;
      try {
        refuseCompressed(piece);
        for await (const _items of itemsIn([piece], reader));
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

/** Kinds of refusals that a retry cannot fix: the document was replaced, or is compressed. */
const lasting: readonly RefusalKind[] = ['conflict', 'unsupported_type'];

/** Returns why a document cannot be imported. Rethrows other errors. */
function malformed(error: unknown): string | LocalizedText {
  if (error instanceof MalformedDocument) {
    return fault('qr.body_malformed', { fault: documentText(error) });
  }
  if (error instanceof Refusal && lasting.includes(error.kind))
    return error.localized ?? error.message;
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
  const wrong = countFault(total, count, mostItems);
  return wrong === null
    ? { webhookUrl, totalCount: count ?? 0 }
    : { webhookUrl, fault: wrong.localized ?? wrong.message };
}

/** Yields the items of a checked document from an index on, in pages of `size`. */
export const itemsFrom = (
  bytes: AsyncIterable<Uint8Array>,
  from: number,
  size: number,
): AsyncGenerator<unknown[]> => pagesOf(itemsIn(bytes, createReader()), size, from);
