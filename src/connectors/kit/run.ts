import { schemaFault } from '../../../connectors/protocol/settings.ts';
import { accountChecks } from './accounts.ts';
import { boundChecks, closingChecks } from './bounds.ts';
import { cardChangeChecks, cardChecks } from './cards.ts';
import { chargeChecks } from './charges.ts';
import type { Check } from './check.ts';
import { disputeChecks } from './disputes.ts';
import { holdChecks } from './holds.ts';
import { listChecks } from './lists.ts';
import { type Listener, noticeChecks, openListener } from './notices.ts';
import { qrChecks } from './qr.ts';
import { refundChecks } from './refunds.ts';
import { type Restart, restartChecks } from './restarts.ts';
import { Broken, must, NotOffered, openSession, type Session } from './session.ts';
import { settlementChecks } from './settlements.ts';
import { signatureChecks } from './signatures.ts';

export interface Result {
  group: string;
  guarantee: string;
  result: 'held' | 'broken' | 'not_offered';
  /** The observed fault, or the missing precondition. */
  detail: string | null;
  ms: number;
}

export interface Report {
  connector: { name: string; version: string };
  results: Result[];
  held: number;
  broken: number;
  not_offered: number;
}

export interface KitOptions {
  url: string;
  secrets: readonly string[];
  patienceMs: number;
  /** Address at which the kit listens for notices, or null. */
  listen: { host: string; port: number } | null;
  /** Restarts the connector. Null or absent if the kit cannot. */
  restart?: Restart | null;
  /** Returns the connector's log. Null or absent if the kit cannot read it. */
  logged?: (() => Promise<string>) | null;
  /** Groups of checks to run. Default: all. */
  groups?: readonly string[];
  onResult?: (result: Result) => void;
}

const manifestChecks: readonly Check[] = [
  {
    guarantee: 'the manifest offers an approved charge, which the kit needs',
    try: async ({ manifest }) =>
      must(Boolean(manifest.test?.approved), 'Its test section has no case `approved`.'),
  },
  {
    guarantee: 'the schema of account settings uses the supported subset',
    try: async ({ manifest: { settings } }) => {
      if (settings === undefined) throw new NotOffered('The manifest has no schema of settings.');
      const fault = schemaFault(settings);
      must(fault === null, `It does not: ${fault}.`);
    },
  },
  {
    guarantee: 'the manifest lists each channel once, with the origin of its frame',
    try: async ({ manifest: { channels } }) => {
      const names = channels.map(({ channel }) => channel);
      must(new Set(names).size === names.length, `It lists ${names.join(', ')}.`);
      for (const { browser } of channels) {
        if (browser?.kind !== 'frame') continue;
        const { origin } = new URL(browser.url);
        must(origin === browser.origin, `The origin of ${browser.url} is not ${browser.origin}.`);
      }
    },
  },
];

const groupsOf = (
  listener: Listener | null,
  { restart = null, logged = null }: KitOptions,
): Record<string, readonly Check[]> => ({
  manifest: manifestChecks,
  signatures: signatureChecks,
  charges: chargeChecks,
  holds: holdChecks(restart),
  refunds: refundChecks,
  cards: cardChecks,
  accounts: accountChecks,
  notices: noticeChecks(listener),
  disputes: disputeChecks(listener),
  'card changes': cardChangeChecks(listener),
  codes: qrChecks(listener),
  lists: listChecks,
  settlements: settlementChecks,
  bounds: boundChecks,
  restarts: restartChecks(restart),
  whole: closingChecks(logged),
});

async function tried(group: string, check: Check, session: Session): Promise<Result> {
  const began = performance.now();
  const ended = (result: Result['result'], detail: string | null): Result => ({
    group,
    guarantee: check.guarantee,
    result,
    detail,
    ms: Math.round(performance.now() - began),
  });
  try {
    await check.try(session);
    return ended('held', null);
  } catch (error) {
    if (error instanceof NotOffered) return ended('not_offered', error.message);
    if (error instanceof Broken) return ended('broken', error.message);
    return ended('broken', `The call failed: ${String(error).slice(0, 300)}`);
  }
}

/** Verifies the guarantees of the protocol with a connector in a test setup. */
export async function runKit(options: KitOptions): Promise<Report> {
  const { listen, secrets, onResult } = options;
  const listener = listen && (await openListener(listen, secrets));
  const session = await openSession(options).catch((error: unknown) => {
    listener?.close();
    throw error;
  });
  try {
    const results: Result[] = [];
    for (const [group, checks] of Object.entries(groupsOf(listener, options))) {
      if (options.groups && !options.groups.includes(group)) continue;
      for (const check of checks) {
        const result = await tried(group, check, session);
        results.push(result);
        onResult?.(result);
      }
    }
    const count = (counted: Result['result']): number =>
      results.filter(({ result }) => result === counted).length;
    const { name, version } = session.manifest;
    return {
      connector: { name, version },
      results,
      held: count('held'),
      broken: count('broken'),
      not_offered: count('not_offered'),
    };
  } finally {
    await session.close();
    listener?.close();
  }
}
