import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../../kernel/json.ts';
import { wallClock } from '../../platform/clocks.ts';
import { happened, signatureHeaders, signingKey } from '../../webhooks/index.ts';

/** An event as GET /event shows it. */
export interface FeedEvent {
  id: number;
  position: number;
  entity_name: string;
  type: string;
  event_type: string;
  entity_id: number | string;
  created_at: string;
  payload: Record<string, unknown>;
}

interface FeedPage {
  data: FeedEvent[];
  next: number;
}

export interface Feed {
  /** Origin of the service, without a trailing slash. */
  api: string;
  key: string;
  signal: AbortSignal;
  /** Called when the starting position is known. `follow` yields all later events. */
  onStart(): void;
  /** Called when the service becomes unreachable, or reachable again. */
  onReach(reachable: boolean): void;
}

const pageSize = 100;
const pollEveryMs = 500;
const retryEveryMs = 1_000;
const answerWithinMs = 10_000;
/** Maximum number of characters to show of a refusal. */
const maxQuotedLength = 500;

/** Returns true for a client error other than 429, because a retry would fail again. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 429;

const waiting = (ms: number, signal: AbortSignal): Promise<unknown> =>
  pause(ms, undefined, { signal }).catch(() => {});

class RefusedError extends Error {}

/**
 * Reads a page of the feed. Returns null if none is available now. Rejects if the service refuses
 * permanently.
 */
async function readPage({ api, key, signal }: Feed, query: string): Promise<FeedPage | null> {
  try {
    const response = await fetch(`${api}/event?${query}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
    const text = await response.text();
    if (response.ok) return parseJson(text) as FeedPage;
    if (!isFinal(response.status)) return null;
    throw new RefusedError(`${api} answers ${response.status}: ${text.slice(0, maxQuotedLength)}`);
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    return null;
  }
}

/** Retries until a page of the feed arrives. Returns null once the signal aborts. */
async function insist(feed: Feed, query: string): Promise<FeedPage | null> {
  let reachable = true;
  while (!feed.signal.aborted) {
    const page = await readPage(feed, query);
    if (page) {
      if (!reachable) feed.onReach(true);
      return page;
    }
    if (reachable && !feed.signal.aborted) feed.onReach(false);
    reachable = false;
    await waiting(retryEveryMs, feed.signal);
  }
  return null;
}

/** Yields the account's events from now on until the signal aborts. */
export async function* follow(feed: Feed): AsyncGenerator<FeedEvent> {
  let after = (await insist(feed, 'after=latest'))?.next;
  if (after !== undefined) feed.onStart();
  while (after !== undefined) {
    const page: FeedPage | null = await insist(feed, `after=${after}&limit=${pageSize}`);
    if (!page) return;
    yield* page.data;
    after = page.next;
    if (page.data.length < pageSize) await waiting(pollEveryMs, feed.signal);
  }
}

/** The receiver's status, or the reason why it did not answer. */
export type Forwarded = { status: number; ms: number } | { error: string; ms: number };

/** Sends an event once, signed like a webhook delivery. */
export async function forward(
  url: string,
  event: FeedEvent,
  secret: string,
  signal: AbortSignal,
): Promise<Forwarded> {
  const { id, position: _position, ...delivered } = event;
  const body = JSON.stringify({ ...delivered, type: happened(event.event_type) });
  const startedMs = wallClock.nowMs();
  const message = { id: `evt_${id}`, seconds: Math.floor(startedMs / 1000), body };
  const taken = () => wallClock.nowMs() - startedMs;
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...signatureHeaders([signingKey(secret)], message),
      },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
    await response.body?.cancel();
    return { status: response.status, ms: taken() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { error: cause instanceof Error ? cause.message : String(cause), ms: taken() };
  }
}
