/** Test files that measure time or memory. They run one after another, after all others. */
export const measuring = [
  'test/attacks/memory.test.ts',
  'test/payment-requests/mails/bounces.test.ts',
  'test/platform/postgres/garbage.test.ts',
  'test/platform/spreadsheets/write.test.ts',
  'test/qr/imports/spreadsheet.test.ts',
  'test/qr/imports/upload.test.ts',
];
