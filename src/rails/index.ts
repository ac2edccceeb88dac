export { auditFiles } from './audit.ts';
export { type ExportOutcome, exportFile } from './export.ts';
export type { RailTerms } from './format.ts';
export { inboundRails, outboundRails } from './formats.ts';
export { type ImportOutcome, importFile } from './import.ts';
export { remarks } from './match.ts';
export { showFile } from './show.ts';
export { type ImportSummary, listFiles, type RailFile, type RailLine } from './store.ts';
export { type ReceiveTransfer, receiveTransfers } from './transfers.ts';
