import type { Connector } from '../protocol/connector.ts';
import type { Manifest } from '../protocol/messages.ts';
import type { Build } from '../protocol/serve.ts';
import { createApi } from './api.ts';
import type { BankConfig } from './config.ts';
import { openCvu } from './cvu.ts';
import { cancel, charge, type Desk, enableSeller, find, list, outcomeOf } from './debin.ts';
import { lastDays, windowOf } from './lists.ts';
import { noticePage, tellListed } from './notices.ts';
import { listTransfers } from './transfers.ts';

const testCase = (account: string) => ({
  channel: 'DEBIN' as const,
  instrument: { type: 'bank_account', account, id_number: '25123456' },
});

/** Test CBUs of the emulator, by the behavior of their holders. */
const testSection: Manifest['test'] = {
  approved: testCase('2850590940090418100012'),
  rejected_same_now: testCase('2850590940090418100029'),
  pending: testCase('2850590940090418100036'),
  lost: testCase('2850590940090418100043'),
};

const manifestOf = ({ isTest }: BankConfig): Manifest => ({
  protocol: 1,
  name: 'bank',
  version: '2.0.0',
  channels: [
    {
      channel: 'DEBIN',
      // The operator refunds a DEBIN by transferring to the payer, and records it.
      refunds: [],
      cancel: true,
      answers_within_s: 40,
      settles_within_s: 600,
    },
    {
      // Payers make transfers on their own, and the bank announces each by a notice.
      channel: 'wire_transfer',
      refunds: [],
      cancel: false,
      opens_accounts: true,
      answers_within_s: 40,
      settles_within_s: 600,
    },
  ],
  notices: ['charge.changed', 'charge.charged_back', 'transfer.received'],
  ...(isTest && { test: testSection }),
});

type Given = Parameters<Build>[0];

/** Payers may disown a DEBIN weeks later, so a daily poll goes back this far. */
const farDays = 35;
const farEveryMs = 86_400_000;

/** Returns the periodic steps. A failing step does not block the others. */
function rounds(desk: Desk, noticesAt: string, { tell, log }: Given) {
  let farAt = 0;
  let readUntil = 0;
  const once = (what: string, work: () => Promise<void>) => {
    let done = false;
    return async (): Promise<void> => {
      if (done) return;
      await work().then(
        () => {
          done = true;
        },
        (error: unknown) => log({ level: 'error', what, error: String(error) }),
      );
    };
  };
  const enable = once('the account was not enabled to collect by DEBIN', () =>
    enableSeller(desk, AbortSignal.timeout(30_000)),
  );
  const register = once('the address of notices was not registered', () =>
    desk.api.listenAt(noticesAt),
  );
  const run = async (): Promise<void> => {
    await enable();
    await register();
    const now = Date.now();
    const isFar = now - farAt >= farEveryMs;
    await tellListed(desk, tell, isFar ? lastDays(farDays) : windowOf(readUntil, now));
    readUntil = now;
    if (isFar) farAt = now;
  };
  return { enable, run };
}

/** DEBIN and transfers to CVUs, modeled on one bank's public API. */
export const bank =
  (config: BankConfig): Build =>
  (given): Connector => {
    const { origin, tell, attemptOf, log } = given;
    const desk: Desk = { config, api: createApi(config), attemptOf, log };
    const noticesAt = `${config.publicUrl || origin}/bank?secret=${config.noticeSecret}`;
    const { enable, run } = rounds(desk, noticesAt, given);
    return {
      manifest: manifestOf(config),
      charge: async (order, call) => {
        await enable();
        return await charge(desk, order, call);
      },
      inquire: async (inquiry, { signal }) => {
        const debin = await find(desk, inquiry, signal);
        return debin && outcomeOf(debin);
      },
      cancel: ({ attempt }, known, call) => cancel(desk, { attempt, known }, call),
      accounts: { open: (order, _known, { signal }) => openCvu(desk, order, signal) },
      list: (query, call) => list(desk, query, call),
      listTransfers: (query, call) => listTransfers(desk, query, call),
      page: (request) => noticePage(desk, tell, request),
      background: { everyMs: config.listEveryMs, run },
    };
  };
