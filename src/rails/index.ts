export type { DebitBooks } from './debits/book.ts';
export { type Carriers, carriersOf } from './debits/carriers.ts';
export type {
  DebitIdentity,
  DebitRailTerms,
  InboundDebits,
  OutboundDebits,
} from './debits/debit.ts';
export { debitRemarks } from './debits/debit.ts';
export { type DebitExportOrder, type DebitExportOutcome, exportDebits } from './debits/export.ts';
export { inboundDebits, outboundDebits } from './debits/formats.ts';
export { type DebitImportOrder, type DebitImportOutcome, importDebits } from './debits/import.ts';
export { isPart, shredPart } from './debits/part-files.ts';
export type { DebitSummary } from './debits/summary.ts';
export { rejectWaiting, type WaitingDebit, waitingDebits } from './debits/waiting.ts';
export type { Arrivals } from './desk/calendar.ts';
export { createRailDesk, type DeskParts, type RailDesk } from './desk/desk.ts';
export type { DeskTerms } from './desk/inbound.ts';
export type { OutgoingFile, Sending, SendingResult } from './desk/outbound.ts';
export type { Preview } from './desk/preview.ts';
export { countUploadsUnderOtherKeys, rewrapUploads } from './desk/rewrap.ts';
export type { Upload } from './desk/uploads.ts';
export { auditFiles } from './files/audit.ts';
export { railFileEvidence } from './files/evidence.ts';
export type { LeftOut, RailTerms } from './files/format.ts';
export { type LateFile, lateFiles } from './files/late.ts';
export { linesAbout, readFileLines, readFiles } from './files/named.ts';
export { showFile } from './files/show.ts';
export { shredFile } from './files/shred.ts';
export {
  type ImportSummary,
  listFiles,
  type RailFile,
  type RailLine,
} from './files/store.ts';
export { filePreparing, filePreparingAgain } from './operations.ts';
export { type ExportOutcome, exportFile } from './payments/export.ts';
export { inboundRails, outboundRails } from './payments/formats.ts';
export { type ImportOutcome, importFile } from './payments/import.ts';
export { remarks } from './payments/match.ts';
export { type ReceiveTransfer, receiveTransfers } from './payments/transfers.ts';
