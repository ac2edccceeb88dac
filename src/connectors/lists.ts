import type {
  ChargeList,
  SettlementList,
  TransferList,
} from '../../connectors/protocol/messages.ts';
import { Refusal } from '../platform/errors.ts';
import type { Caller, CallResult } from './call.ts';
import { chargeListIn, settlementListIn, transferListIn } from './check.ts';
import { refusal } from './codes.ts';

/** A span of the business clock. The end is exclusive. */
export interface Span {
  from: Temporal.Instant;
  until: Temporal.Instant;
}

export type ListedCharges = ChargeList['charges'];
export type ListedTransfers = TransferList['transfers'];
export type ListedSettlements = SettlementList['settlements'];

/**
 * Called if the connector refuses an account's own list, or the list is malformed or endless. The
 * other lists continue.
 */
export type NoList = (accountId: string, why: string) => void;

/**
 * Reads a connector's lists of its acquirer's records, page by page. Throws 503 if the connector
 * does not answer, or if a list that belongs to no account is refused, malformed or endless.
 */
export interface Lists {
  charges(span: Span, noList: NoList): AsyncGenerator<ListedCharges>;
  transfers(span: Span, noList: NoList): AsyncGenerator<ListedTransfers>;
  settlements(span: Span, noList: NoList): AsyncGenerator<ListedSettlements>;
}

const noAnswer = 'connector.list_no_answer';

const pageTimeoutMs = 60_000;
/** Maximum number of pages of a day's list. A list with more counts as endless. */
const mostPages = 100_000;

function pageIn<T>(result: CallResult, what: string, read: (value: unknown) => T | null): T {
  if (result.kind === 'none') {
    throw refusal(noAnswer, { what, why: result.why });
  }
  const page = result.status === 200 ? read(result.body) : null;
  if (page) return page;
  const { status } = result;
  throw status === 200
    ? refusal('connector.list_malformed', { what })
    : refusal('connector.list_refused', { what, status });
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

/**
 * Creates the lists. `accountsOf` returns accounts with lists of their own, in addition to the
 * connector's.
 */
export function createLists(
  caller: Caller,
  accountsOf: () => Promise<readonly ListedAccount[]>,
): Lists {
  async function* pages<T extends { next?: string }>(
    what: 'charges' | 'transfers' | 'settlements',
    { from, until }: Span,
    read: (value: unknown) => T | null,
    noList: NoList,
  ): AsyncGenerator<T> {
    const range = {
      from: from.toString({ smallestUnit: 'millisecond' }),
      until: until.toString({ smallestUnit: 'millisecond' }),
    };
    yield* pagesOf(what, range, read);
    for (const account of await accountsOf()) {
      try {
        yield* pagesOf(what, { ...range, ...whoseOf(account) }, read);
      } catch (error) {
        if (!(error instanceof Refusal) || error.errorCode === noAnswer) throw error;
        noList(account.id, error.message);
      }
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
        throw refusal('connector.list_endless', { what, after, most: mostPages });
      }
      if (after !== undefined) seen.add(after);
    } while (after !== undefined);
  }

  return {
    async *charges(span, noList) {
      const all = pages('charges', span, chargeListIn, noList);
      for await (const { charges } of all) yield charges;
    },
    async *transfers(span, noList) {
      const all = pages('transfers', span, transferListIn, noList);
      for await (const { transfers } of all) yield transfers;
    },
    async *settlements(span, noList) {
      const all = pages('settlements', span, settlementListIn, noList);
      for await (const { settlements } of all) yield settlements;
    },
  };
}
