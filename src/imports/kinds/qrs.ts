import type { BusinessClock } from '../../platform/clocks.ts';
import type { FoundFault } from '../../platform/errors.ts';
import type { Links } from '../../platform/links.ts';
import {
  type Dynamics,
  type QrItem,
  type QrTerms,
  qrImageUrls,
  qrSheetDefaults,
  qrSheetFields,
  type ReadItem,
  readItem,
  refuseUnlessOffered,
  takenIds,
} from '../../qr/index.ts';
import { sheetFields } from '../../requests/index.ts';
import type { ImportKind, ImportMaker } from './kind.ts';

const faultsOf = ({ faults }: Extract<ReadItem<QrItem>, { ok: false }>): FoundFault[] =>
  faults.map(({ field, message, localized = null }) => ({
    path: field === undefined ? [] : [field],
    message,
    localized,
  }));

export interface QrImportTerms {
  business: BusinessClock;
  links: Links;
  terms: Pick<QrTerms, 'offered'>;
}

export const qrKind = ({ business, links, terms }: QrImportTerms): ImportKind<QrItem> => ({
  name: 'qr',
  fields: qrSheetFields,
  amount: sheetFields.firstTotal.name,
  refuseUnlessOffered: () => refuseUnlessOffered(terms),
  async checker(accountId) {
    const context = { accountId, today: business.today() };
    return (body) => {
      const read = readItem({ ...qrSheetDefaults, ...body }, context);
      return read.ok ? { ok: true, input: read.item } : { ok: false, faults: faultsOf(read) };
    };
  },
  referenceOf: (item) => item.id,
  existing: (sql, accountId, ids) =>
    takenIds(
      sql,
      ids.map((id) => ({ accountId, id })),
    ),
  links: (accountId, id) => qrImageUrls(links, { accountId, id }),
});

export const qrMaker = ({
  createFree,
  withdraw,
}: Pick<Dynamics, 'createFree' | 'withdraw'>): ImportMaker<QrItem> => ({
  create: createFree,
  withdraw,
});
