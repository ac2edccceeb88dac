import { type TransferList, transferListSchema } from '../../../connectors/protocol/messages.ts';
import type { Check } from './check.ts';
import { must, NotOffered, readerOf, readList } from './session.ts';

const readTransfers = readerOf<TransferList>(transferListSchema, 'The list of transfers');

/** Before any connector existed. */
const longAgo = { from: '2001-01-01T03:00:00Z', until: '2001-01-02T03:00:00Z' };

export const listChecks: readonly Check[] = [
  {
    guarantee: 'the list of a day without charges is empty and ends',
    try: async ({ pages }) => {
      const found = (await pages('/charges', longAgo, readList)).flatMap(({ charges }) => charges);
      must(found.length === 0, `It has ${found.length} charges.`);
    },
  },
  {
    guarantee: 'a list without a range gets 400',
    try: async ({ call }) => {
      const { status } = await call('GET', '/charges');
      must(status === 400, `The connector answered with status ${status}.`);
    },
  },
  {
    guarantee: 'a connector that reports transfers lists them, page by page',
    try: async ({ pages, manifest }) => {
      if (!manifest.notices.includes('transfer.received')) {
        throw new NotOffered('The manifest does not list the notice transfer.received.');
      }
      const found = await pages('/transfers', longAgo, readTransfers);
      const transfers = found.flatMap((page) => page.transfers);
      must(transfers.length === 0, `It has ${transfers.length} transfers of another day.`);
    },
  },
];
