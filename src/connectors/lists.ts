import type {
  ChargeList,
  SettlementList,
  TransferList,
} from '../../connectors/protocol/messages.ts';
import { unavailable } from '../platform/errors.ts';
import type { Caller, Heard } from './call.ts';
import { chargeListIn, settlementListIn, transferListIn } from './check.ts';

/** Moments of the business clock: the second is no longer meant. */
export interface Span {
  from: Temporal.Instant;
  until: Temporal.Instant;
}

export type ListedCharges = ChargeList['charges'];
export type ListedTransfers = TransferList['transfers'];
export type ListedSettlements = SettlementList['settlements'];

/** What a connector says that its acquirer has, page by page. 503 where that cannot be had. */
export interface Lists {
  charges(span: Span): AsyncGenerator<ListedCharges>;
  transfers(span: Span): AsyncGenerator<ListedTransfers>;
  settlements(span: Span): AsyncGenerator<ListedSettlements>;
}

const pageTimeoutMs = 60_000;
/** A list of a day that has more pages has no end. */
const mostPages = 100_000;

function pageIn<T>(heard: Heard, what: string, read: (value: unknown) => T | null): T {
  if (heard.kind === 'none') throw unavailable(`The list of ${what} cannot be had: ${heard.why}.`);
  const page = heard.status === 200 ? read(heard.body) : null;
  if (page) return page;
  throw unavailable(
    heard.status === 200
      ? `The list of ${what} is not of the protocol.`
      : `The list of ${what} was answered with status ${heard.status}.`,
  );
}

const whoseOf = ({ id, settings }: ListedAccount) => ({
  account: id,
  settings: Buffer.from(JSON.stringify(settings)).toString('base64url'),
});

/** An account with settings for the connector. */
export interface ListedAccount {
  id: string;
  settings: Record<string, unknown>;
}

/** `accountsOf`: whose lists are asked for beside that of the connector itself. */
export function createLists(
  caller: Caller,
  accountsOf: () => Promise<readonly ListedAccount[]>,
): Lists {
  async function* pages<T extends { next?: string }>(
    what: 'charges' | 'transfers' | 'settlements',
    { from, until }: Span,
    read: (value: unknown) => T | null,
  ): AsyncGenerator<T> {
    const range = {
      from: from.toString({ smallestUnit: 'millisecond' }),
      until: until.toString({ smallestUnit: 'millisecond' }),
    };
    for (const account of [null, ...(await accountsOf())]) {
      yield* pagesOf(what, { ...range, ...(account && whoseOf(account)) }, read);
    }
  }

  async function* pagesOf<T extends { next?: string }>(
    what: string,
    range: Record<string, string>,
    read: (value: unknown) => T | null,
  ): AsyncGenerator<T> {
    const seen = new Set<string>();
    let after: string | undefined;
    do {
      const query = new URLSearchParams({ ...range, ...(after !== undefined && { after }) });
      const path = `/${what}?${query}`;
      const page: T = pageIn(
        await caller.call({ method: 'GET', path, timeoutMs: pageTimeoutMs }),
        what,
        read,
      );
      yield page;
      after = page.next;
      if (after !== undefined && (seen.has(after) || seen.size >= mostPages)) {
        throw unavailable(`The list of ${what} turns in circles at ${after}.`);
      }
      if (after !== undefined) seen.add(after);
    } while (after !== undefined);
  }

  return {
    async *charges(span) {
      for await (const { charges } of pages('charges', span, chargeListIn)) yield charges;
    },
    async *transfers(span) {
      for await (const { transfers } of pages('transfers', span, transferListIn)) yield transfers;
    },
    async *settlements(span) {
      for await (const { settlements } of pages('settlements', span, settlementListIn)) {
        yield settlements;
      }
    },
  };
}
