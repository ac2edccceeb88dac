import type { Account } from '../accounts/index.ts';
import type { Attempts } from '../money/charges/index.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import { createDynamicVerbs } from './dynamic/index.ts';
import { readPayloads } from './images/read.ts';
import { createQrNetwork } from './network.ts';
import { requestOf } from './request-of.ts';
import { type FindOrder, findOrders, type ResolveTerms, scanCodes } from './resolve/find.ts';
import { resolveQr } from './resolve/resolve.ts';
import { tokenCheck } from './resolve/token.ts';
import { createStaticVerbs } from './static/index.ts';

export { type Dynamics, type FoundQr, presentQr } from './dynamic/index.ts';
export { takenIds } from './dynamic/store.ts';
export { createFreeQrs } from './dynamic/together.ts';
export { BatchRefusal } from './errors/batch-refusal.ts';
export { allCodes } from './errors/codes.ts';
export type { ImageFormat } from './images/image.ts';
export {
  listPrintable,
  type Printable,
  type PrintSelection,
} from './images/printable.ts';
export { sheetEnd, sheetHead, sheetItem, sheetMore } from './images/sheet.ts';

export { qrImageUrls } from './images/urls.ts';
export {
  type Batch,
  type BatchResult,
  type BatchState,
  type Bulk,
  createBulkVerbs,
  type ListedBatch,
  type NotifyOnce,
  type OnceSecret,
  type StoredOutcome,
} from './imports/index.ts';
export { beginsLikeDocument, checkDocument, itemsFrom } from './imports/processing/document.ts';
export { type ImportedRow, importRows } from './imports/processing/import-rows.ts';
export { sheetOf } from './imports/sheet.ts';
export { type QrItem, type ReadItem, readItem, readQrId } from './item.ts';
export type { Intention, IntentionOutcome, QrNetwork } from './network.ts';
export type { QrTerms } from './payload/payload.ts';
export { refuseUnlessOffered } from './payload/payload.ts';
export { asDynamic, type QrRow, type QrState } from './row.ts';
export { qrSheetDefaults, qrSheetFields } from './sheet-fields.ts';
export { checkTransactions, type StaticRow, staticEvidence } from './static/index.ts';

export { hasStatics } from './static/store.ts';

/** Loads the drawing code on demand, for commands. */
export const loadDrawing = async () => (await import('./images/image.ts')).drawQr;

export interface QrParts {
  links: Links;
  terms: ResolveTerms;
  /** Tokens that authorize resolving codes. */
  resolveTokens: readonly string[];
  attempts: Attempts;
  readAccount(id: string): Promise<Account | null>;
  /** Finds payable codes of payment requests, which are not QRs of the service. */
  findBilled: FindOrder;
}

export function createQrVerbs(base: Base, parts: QrParts) {
  const { attempts, terms, readAccount } = parts;
  const dynamics = createDynamicVerbs(base, attempts, terms);
  const statics = createStaticVerbs(base, parts);
  const scanning = {
    terms,
    clocks: base.clocks,
    readAccount,
    findStatic: statics.find,
    findDynamic: dynamics.find,
    findBilled: parts.findBilled,
  };
  const scan = scanCodes(scanning);
  return {
    dynamics,
    statics,
    readPayload: readPayloads(base, terms),
    resolve: resolveQr(scan, terms),
    /** Receives payments of codes from wallet networks. */
    network: createQrNetwork(base, {
      network: attempts.network,
      terms,
      scan,
      findOrder: findOrders(scanning),
      findStatic: statics.find,
      transactions: statics.transactions,
      readAccount,
    }),
    checkResolveToken: tokenCheck(parts.resolveTokens),
    requestOf: requestOf(dynamics.find, statics.find),
  };
}

export type Qr = ReturnType<typeof createQrVerbs>;
