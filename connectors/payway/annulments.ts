import type { Connector } from '../protocol/connector.ts';
import { type Desk, verificationOf } from './desk.ts';
import { byId, invalidEntry, pageSize, readPage } from './inquire.ts';
import { type Payment, stateOf } from './payment.ts';

type Site = Pick<Desk, 'api' | 'config'>;

/** Amount of the payment that stores a card: one peso. */
export const verification = 100;

/**
 * Annuls the peso if it is still charged. Returns false if it may remain charged; `annulRest`
 * retries.
 */
export async function annul(
  desk: Pick<Desk, 'api'>,
  payment: Payment,
  signal: AbortSignal,
): Promise<boolean> {
  const state = stateOf(payment);
  if (state !== 'approved') return state !== 'pending';
  const path = `/payments/${encodeURIComponent(String(payment.id))}/refunds`;
  const { status } = await desk.api.post(path, {}, signal);
  return status >= 200 && status < 300;
}

/** Maximum number of payments read in one run. */
const mostPayments = 50_000;

interface Run {
  /** Annuls a peso, now or in a later run. */
  annulOne(payment: Payment): Promise<void>;
  /** Notes a failure, so that the run goes on. */
  fail(error: unknown): void;
  signal: AbortSignal;
}

/**
 * Annuls the pesos among new payments. The first run reads all payments of the site, up to
 * `mostPayments`. The run after an interruption skips what was read.
 */
function annulNew(desk: Site): (run: Run) => Promise<void> {
  /** Newest payments of the last two runs. The list may lag, so a run ends at the earlier one. */
  let newest: [earlier: string | null, last: string | null] = [null, null];
  /** Newest payment of an interrupted run, and how many it read from there on. */
  let read: { first: string; count: number } | null = null;

  const isPeso = ({ site_transaction_id: reference, amount }: Payment): boolean =>
    reference.startsWith(verificationOf(desk.config, '')) && amount === verification;

  return async ({ annulOne, fail, signal }) => {
    let unmet = read;
    let first: string | null = null;
    for (let offset = 0; offset < mostPayments; ) {
      const { entries, hasMore } = await readPage(desk, offset, signal);
      const ids = entries.map((one) => one && String(one.id));
      first ??= ids.find((id) => id !== null) ?? null;
      const end = newest[0] === null ? -1 : ids.indexOf(newest[0]);
      for (const payment of end === -1 ? entries : entries.slice(0, end)) {
        if (payment === null) fail(new Error(invalidEntry));
        else if (isPeso(payment)) await annulOne(payment);
      }
      if (end !== -1 || !hasMore) break;
      let next = offset + pageSize;
      if (unmet && ids.includes(unmet.first)) {
        next = Math.max(next, offset + ids.indexOf(unmet.first) + unmet.count);
        unmet = null;
      }
      offset = next;
      if (unmet === null && first !== null) read = { first, count: offset };
    }
    newest = [newest[1], first ?? newest[1]];
    read = null;
  };
}

/**
 * Retries annulments that failed or that a crash interrupted: of pesos that remained charged, and
 * of new payments. Throws at the end if any failed.
 */
function annulRest(desk: Site): (signal: AbortSignal) => Promise<void> {
  /** References by id of pesos that may remain charged. */
  const charged = new Map<string, string>();
  const ofNew = annulNew(desk);

  return async (signal) => {
    const failures: unknown[] = [];
    const fail = (error: unknown): void => void failures.push(error);
    const annulOne = async (payment: Payment): Promise<void> => {
      const id = String(payment.id);
      charged.set(id, payment.site_transaction_id);
      if (await annul(desk, payment, signal)) charged.delete(id);
    };
    const retry = async (id: string, reference: string): Promise<void> => {
      const payment = await byId(desk, id, reference, signal);
      if (payment) await annulOne(payment);
    };
    for (const [id, reference] of [...charged]) await retry(id, reference).catch(fail);
    await ofNew({
      annulOne: async (payment) => {
        if (!charged.has(String(payment.id))) await annulOne(payment).catch(fail);
      },
      fail,
      signal,
    });
    if (failures.length > 0) {
      throw new Error(`Pesos that stored a card may remain charged: ${failures[0]}`);
    }
  };
}

const everyMs = 3_600_000;
/** Maximum duration of a run. */
const mostMs = 600_000;

/** Retries the annulments every hour. */
export const repeatAnnulments = (desk: Site): Required<Connector>['background'] => {
  const run = annulRest(desk);
  return {
    everyMs,
    run: (stopped) => run(AbortSignal.any([stopped, AbortSignal.timeout(mostMs)])),
  };
};
