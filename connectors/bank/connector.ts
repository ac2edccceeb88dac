import type { Connector } from '../protocol/connector.ts';
import type { Manifest } from '../protocol/messages.ts';
import type { Build } from '../protocol/serve.ts';
import { createApi } from './api.ts';
import type { BankConfig } from './config.ts';
import { openCvu } from './cvu.ts';
import { cancel, charge, type Desk, find, list, outcomeOf } from './debin.ts';
import { listTransfers, noticePage, tellListed } from './notices.ts';

const testCase = (account: string) => ({
  channel: 'DEBIN' as const,
  instrument: { type: 'bank_account', account, id_number: '25123456' },
});

/** CBUs of the emulator, by what their holders do. */
const testSection: Manifest['test'] = {
  approved: testCase('2850590940090418100012'),
  rejected_other_instrument: testCase('2850590940090418100029'),
  pending: testCase('2850590940090418100036'),
  lost: testCase('2850590940090418100043'),
};

const manifestOf = ({ isTest }: BankConfig): Manifest => ({
  protocol: 1,
  name: 'bank',
  version: '1.0.0',
  channels: [
    {
      channel: 'DEBIN',
      // What a DEBIN brought is given back by a transfer to the payer, which the operator books.
      refunds: [],
      cancel: true,
      answers_within_s: 40,
      settles_within_s: 600,
    },
    {
      // Transfers come by themselves, and are told; so is what went back.
      channel: 'wire_transfer',
      refunds: [],
      cancel: false,
      opens_accounts: true,
      answers_within_s: 40,
      settles_within_s: 600,
    },
  ],
  notices: ['charge.changed', 'charge.charged_back', 'transfer.received', 'transfer.reversed'],
  ...(isTest && { test: testSection }),
});

/** DEBIN and transfers to CVUs, after the public API of one bank. */
export const bank =
  (config: BankConfig): Build =>
  ({ origin, tell }): Connector => {
    const desk: Desk = { config, api: createApi(config) };
    const noticesAt = `${config.publicUrl || origin}/bank?secret=${config.noticeSecret}`;
    let registered = false;
    return {
      manifest: manifestOf(config),
      charge: (order, call) => charge(desk, order, call),
      inquire: async (inquiry, { signal }) => {
        const debin = await find(desk, inquiry, signal);
        return debin && outcomeOf(debin);
      },
      cancel: ({ attempt }, known, call) => cancel(desk, { attempt, known }, call),
      accounts: { open: (order, _known, { signal }) => openCvu(desk, order, signal) },
      list: (query, call) => list(desk, query, call),
      listTransfers: (query, call) => listTransfers(desk, query, call),
      page: (request) => noticePage(desk, tell, request),
      background: {
        everyMs: config.listEveryMs,
        run: async () => {
          if (!registered) await desk.api.listenAt(noticesAt);
          registered = true;
          await tellListed(desk, tell);
        },
      },
    };
  };
