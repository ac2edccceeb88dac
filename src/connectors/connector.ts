import type { CancelOrder, Manifest, OfferedChannel } from '../../connectors/protocol/messages.ts';
import type { CardBrand } from '../kernel/card-number.ts';
import { raiseMoneyAlarm } from '../money/alarms/index.ts';
import type { Channel, ChargeOutcome, PayerForm } from '../money/channels/index.ts';
import type { Base } from '../platform/base.ts';
import { type Caller, openCaller } from './call.ts';
import { createGiveBack } from './give-back.ts';
import { createKeeper } from './keeper.ts';
import { createLists, type ListedAccount, type Lists } from './lists.ts';
import {
  createManifest,
  type ManifestNews,
  type ManifestState,
  type RaiseAlarm,
} from './manifest.ts';
import { createOpener } from './opener.ts';
import { attemptText, holdOrderOf, orderOf } from './order.ts';
import { type Reading, readCharge, readHoldEnd, readInquiry } from './outcome.ts';
import type { ConnectorSettings } from './settings.ts';

/** Minutes without new charges on a channel after repeated configuration faults. */
export const offMinutes = 5;

/** Extra wait beyond the manifest's promise. */
const graceMs = 2_000;
const inquiryTimeoutMs = 10_000;
/**
 * Terms before the first manifest. They only serve calls about earlier charges, because no new ones
 * are made.
 */
const unknownTerms = { answers_within_s: 40, settles_within_s: 600 };

export interface ConnectorParts {
  base: Base;
  raise: RaiseAlarm;
  isOff(connector: string, channel: string): boolean;
  /** Returns the settings that the operator made for an account at a connector. */
  settingsOf(accountId: string, connector: string): Promise<Record<string, unknown>>;
  /** Returns the accounts with settings for a connector. */
  accountsOf(connector: string): Promise<readonly ListedAccount[]>;
  count(connector: string, call: string, outcome: string): void;
}

/** The service's client for one connector, which runs as a separate process. */
export interface Connector {
  settings: ConnectorSettings;
  channel: Channel;
  /** Returns the last manifest, or null before the first. */
  manifest(): Manifest | null;
  /**
   * Returns the result of this process's last request for the manifest, or null before the first.
   */
  lastAnswer(): ManifestState | null;
  /** Returns the connector's offer on a channel, or null if it accepts no new charges there. */
  offered(code: string, brand: CardBrand | null): OfferedChannel | null;
  /** Fetches the manifest. Keeps the last good one on failure. */
  refresh(): Promise<ManifestNews>;
  /** The acquirer's records, for reconciliation. */
  lists: Lists;
  close(): Promise<void>;
}

/**
 * Returns the payer's form: the acquirer's frame or redirect, or else our fields. Cards are never
 * typed on our pages.
 */
function formOf(offered: OfferedChannel | null): PayerForm {
  const { channel, browser, asks = [] } = offered ?? {};
  if (browser?.kind === 'frame') {
    const asksPlan = offered?.plans === 'connector';
    const { url, origin, plain = false } = browser;
    return { kind: 'frame', url, origin, asksPlan, plain, asks };
  }
  const isCard = channel === 'credit_card' || channel === 'debit_card';
  if (!browser && !isCard) return { kind: 'typed', asks };
  return { kind: 'redirect', asks, label: browser?.label ?? null };
}

/** Number of consecutive configuration faults that is no longer a coincidence. */
const doubtsEnough = 3;

/**
 * Returns a function that counts consecutive configuration faults per channel, and returns true if
 * the channel must be switched off: after three, or at once if the fault concerns all charges. Any
 * other known outcome resets the count.
 */
function createDoubts() {
  const inARow = new Map<string, number>();
  return ({ outcome, alarm }: Reading, channel: string): boolean => {
    if (alarm?.kind !== 'configuration') {
      if (outcome.outcome !== 'unknown') inARow.delete(channel);
      return false;
    }
    const count = (inARow.get(channel) ?? 0) + 1;
    const isOff = alarm.ofAll === true || count >= doubtsEnough;
    inARow.set(channel, isOff ? 0 : count);
    return isOff;
  };
}

/** Counts outcomes of charges, and raises their alarms. */
function createHeed(connector: string, { base, raise, count }: ConnectorParts) {
  const doubt = createDoubts();
  return async (
    reading: Reading,
    call: string,
    { accountId, attemptId, channel }: { accountId: string; attemptId: number; channel: string },
  ): Promise<ChargeOutcome> => {
    const { outcome, alarm } = reading;
    const switchOff = doubt(reading, channel);
    count(connector, call, outcome.outcome);
    if (alarm?.kind === 'undecided') {
      const fact = `attempt ${accountId}-${attemptId}`;
      const { kind, text: message } = alarm;
      await raiseMoneyAlarm(base, { kind, fact, message, connector, accountId, attemptId });
    } else if (alarm) {
      const { kind, text } = alarm;
      raise({ connector, channel, kind, text, switchOff });
    }
    return outcome;
  };
}

type TermsOf = (code: string) => Pick<OfferedChannel, 'answers_within_s' | 'settles_within_s'>;

/** Builds the calls about refunds, cards on file and accounts for transfers. */
function createDesks(
  connector: string,
  caller: Caller,
  terms: TermsOf,
  { base, raise, settingsOf }: ConnectorParts,
) {
  const timeoutMs = (code: string) => terms(code).answers_within_s * 1000 + graceMs;
  const shared = {
    base,
    caller,
    settingsOf: (accountId: string) => settingsOf(accountId, connector),
  };
  return {
    giveBack: createGiveBack({ ...shared, connector, timeoutMs: () => timeoutMs('') }),
    keeper: createKeeper({
      ...shared,
      timeoutMs: () => timeoutMs(''),
      alarm: (text) => raise({ connector, channel: '', kind: 'card', text, switchOff: false }),
    }),
    opener: createOpener({
      ...shared,
      timeoutMs: () => timeoutMs('wire_transfer'),
      alarm: (kind, text, switchOff) =>
        raise({ connector, channel: 'wire_transfer', kind, text, switchOff }),
    }),
  };
}

function channelOf(
  { name: connector }: ConnectorSettings,
  caller: Caller,
  offers: (code: string) => OfferedChannel | null,
  terms: TermsOf,
  parts: ConnectorParts,
): Channel {
  const { base, settingsOf } = parts;
  const { business, wall } = base.clocks;
  const heed = createHeed(connector, parts);
  const { giveBack, keeper, opener } = createDesks(connector, caller, terms, parts);

  return {
    name: connector,
    get answersWithinS() {
      return terms('').answers_within_s + graceMs / 1000;
    },
    form: (code) => formOf(offers(code)),
    cancels: (code) => offers(code)?.cancel ?? false,
    async charge(charge) {
      const startedAt = business.now();
      const { answers_within_s: seconds } = terms(charge.channel);
      const settings = await settingsOf(charge.accountId, connector);
      const timeoutMs = seconds * 1000 + graceMs;
      const deadline = wall.now().add({ milliseconds: timeoutMs });
      const captures = offers(charge.channel)?.captures ?? false;
      const body = orderOf(charge, { captures, businessTime: business.now(), deadline, settings });
      const path = `/charges/${attemptText(charge)}`;
      const answer = await caller.call({ method: 'PUT', path, body, timeoutMs });
      const since = { startedAt, now: business.now() };
      return heed(readCharge(answer, since), 'charge', charge);
    },
    async inquire(reference) {
      const settings = await settingsOf(reference.accountId, connector);
      const query = new URLSearchParams({
        account: reference.accountId,
        business_time: business.now().toString({ smallestUnit: 'millisecond' }),
        settings: Buffer.from(JSON.stringify(settings)).toString('base64url'),
      });
      const path = `/charges/${attemptText(reference)}?${query}`;
      const answer = await caller.call({ method: 'GET', path, timeoutMs: inquiryTimeoutMs });
      const settledAt = reference.startedAt.add({ seconds: terms('').settles_within_s });
      const settled = Temporal.Instant.compare(settledAt, business.now()) <= 0;
      const since = { startedAt: reference.startedAt, now: business.now() };
      return heed(readInquiry(answer, since, settled), 'inquiry', { ...reference, channel: '' });
    },
    async cancel(reference, code) {
      if (!offers(code)?.cancel) return { outcome: 'unknown' };
      const settings = await settingsOf(reference.accountId, connector);
      const body: CancelOrder = {
        attempt: attemptText(reference),
        business_time: business.now().toString({ smallestUnit: 'millisecond' }),
        account: { id: reference.accountId, settings },
      };
      const path = `/charges/${attemptText(reference)}/cancel`;
      const answer = await caller.call({ method: 'POST', path, body, timeoutMs: inquiryTimeoutMs });
      const since = { startedAt: reference.startedAt, now: business.now() };
      return heed(readInquiry(answer, since, false), 'cancel', { ...reference, channel: code });
    },
    async endHold(order) {
      const settings = await settingsOf(order.accountId, connector);
      const body = holdOrderOf(order, { businessTime: business.now(), settings });
      const timeoutMs = terms('').answers_within_s * 1000 + graceMs;
      const path = `/charges/${attemptText(order)}/${order.end}`;
      const answer = await caller.call({ method: 'PUT', path, body, timeoutMs });
      const since = { startedAt: order.startedAt, now: business.now() };
      return heed(readHoldEnd(answer, since), order.end, order);
    },
    keeper: (code) => (offers(code)?.keeps_cards === true ? keeper : null),
    opener: (code) => (offers(code)?.opens_accounts === true ? opener : null),
    giveBack(code) {
      const refunds = offers(code)?.refunds;
      if (refunds?.length === 0) return null;
      return { ...giveBack, wholeOnly: refunds !== undefined && !refunds.includes('part') };
    },
  };
}

/** Returns a channel's promised times, or the longest of all channels if `code` is ''. */
function termsIn(manifest: Manifest | null, code: string) {
  const channels = manifest?.channels ?? [];
  const own = channels.filter(({ channel }) => code === '' || channel === code);
  if (own.length === 0) return unknownTerms;
  return {
    answers_within_s: Math.max(...own.map((one) => one.answers_within_s)),
    settles_within_s: Math.max(...own.map((one) => one.settles_within_s)),
  };
}

/** Opens a connector without calling it. */
export const openConnector = (settings: ConnectorSettings, parts: ConnectorParts): Connector =>
  connectorOver(
    openCaller(settings, parts.base.clocks.wall, () =>
      parts.raise({
        connector: settings.name,
        channel: '',
        kind: 'protocol',
        text: 'an answer held a card number, which was masked: it must never leave the acquirer',
        switchOff: false,
      }),
    ),
    settings,
    parts,
  );

/** Creates a connector over a transport. `first` is its manifest, if known. */
export function connectorOver(
  caller: Caller,
  settings: ConnectorSettings,
  parts: ConnectorParts,
  first: Manifest | null = null,
): Connector {
  const manifest = createManifest(settings, caller, parts, first);
  const takes = (brands: readonly string[] | null | undefined, brand: CardBrand | null): boolean =>
    !brands || brand === null || brands.includes(brand);
  return {
    settings,
    channel: channelOf(
      settings,
      caller,
      (code) => manifest.known()?.channels.find(({ channel }) => channel === code) ?? null,
      (code) => termsIn(manifest.known(), code),
      parts,
    ),
    manifest: manifest.known,
    lastAnswer: manifest.last,
    offered(code, brand) {
      if (!settings.channels.some((one) => one === code)) return null;
      if (parts.isOff(settings.name, code)) return null;
      const found = manifest.known()?.channels.find(({ channel }) => channel === code);
      if (!found) return null;
      return takes(settings.brands, brand) && takes(found.brands, brand) ? found : null;
    },
    refresh: manifest.refresh,
    lists: createLists(caller, async () =>
      manifest.known()?.lists_by === 'account' ? await parts.accountsOf(settings.name) : [],
    ),
    close: caller.close,
  };
}
