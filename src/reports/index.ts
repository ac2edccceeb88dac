export { auditReports } from './audit.ts';
export { type ReportName, reportNames } from './names.ts';
export {
  type ReportRow,
  type RowPlace,
  readReportRows,
  reportPieces,
} from './periods/rows.ts';
export {
  type PeriodTotals,
  type ReportPart,
  readAllPeriodTotals,
  readPeriodTotals,
} from './periods/totals.ts';
export { createReportReader, type ReportLimits } from './read.ts';
export { type CellKind, type Cells, type Column, columnsOf } from './store.ts';
