/** The daily reports (interface 2.9). */
export const reportNames = [
  'collection',
  'chargeback',
  'refund',
  'settlement',
  'retentions',
] as const;

export type ReportName = (typeof reportNames)[number];
