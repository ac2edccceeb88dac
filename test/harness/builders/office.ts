import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { auditAccount } from '../../../src/audit/index.ts';
import { createMoneyWing } from '../../../src/composition/money.ts';
import { doing } from '../../../src/platform/postgres/deadlines.ts';
import {
  type ImportOutcome,
  importFile,
  inboundRails,
  type RailTerms,
} from '../../../src/rails/index.ts';
import { testOperator } from '../actors.ts';
import { type TestService, testAccount } from '../service.ts';
import { paymentRequestBody } from './payment-requests.ts';

type Body = Record<string, unknown>;
export interface Made {
  id: number;
  barcode: string;
  /** Code that payers type at a bank. */
  code: string;
}

/** Returns 1, the id in 14 digits, and the Luhn check digit, computed independently. */
export function typedCode(id: number): string {
  const body = `1${String(id).padStart(14, '0')}`;
  const doubled = [...body].map(Number).map((digit, at) => (at % 2 === 0 ? digit * 2 : digit));
  const sum = doubled.reduce((all, one) => all + (one > 9 ? one - 9 : one), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** Creates requests, imports files into a running service, and audits. */
export async function openOffice(service: TestService) {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-rails-'));
  const { base, clocks } = service.service.parts;
  const today = clocks.business.today();
  const compact = (days = 0): string => today.add({ days }).toString().replaceAll('-', '');
  const { recordFacts: record, suspend } = createMoneyWing(base);
  const parts = { base, record, suspend };
  const terms: RailTerms = {
    pagoFacilClient: '000000515',
    rapipagoCompany: 'RECAUDO',
    pmcCompany: '0515',
    linkEntity: '515',
    takesCash: true,
    today,
  };
  let fileNo = 0;

  return {
    folder,
    parts,
    terms,
    today,
    /** Today, or a day before or after it, as YYYYMMDD. */
    compact,
    async request(fields: Body = {}): Promise<Made> {
      const body = paymentRequestBody(service, fields);
      const made = await service.call('POST', '/payment-request', { body });
      const { id, barcode } = made.body;
      return { id, barcode, code: typedCode(id) };
    },
    async write(content: string): Promise<string> {
      fileNo += 1;
      const file = path.join(folder, `file-${fileNo}.txt`);
      await writeFile(file, content, 'latin1');
      return file;
    },
    async import(
      name: string,
      file: string,
      { sameDay = true, over = {} }: { sameDay?: boolean; over?: Partial<typeof parts> } = {},
    ): Promise<ImportOutcome> {
      const rail = inboundRails.find((one) => one.name === name);
      if (!rail) throw new Error(`no rail ${name}`);
      return await doing('command', () =>
        importFile({ ...parts, ...over }, { rail, file, sameDay, actor: testOperator }, terms),
      );
    },
    async show(id: number): Promise<Body> {
      return (await service.call('GET', `/payment-request/${id}`)).body;
    },
    /** Counts the rows of the tables that imports write. */
    async counts() {
      const [row] = await service.sql`
        select (select count(*)::int from results) as results,
          (select count(*)::int from suspense) as suspense,
          (select count(*)::int from journals) as journals,
          (select count(*)::int from rail_files) as files,
          (select count(*)::int from rail_lines) as lines`;
      return row;
    },
    faults: () =>
      doing('command', async () => [
        ...(await auditAccount(service.sql, testAccount)),
        ...(await auditAccount(service.sql, '00000000')),
      ]),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export type Office = Awaited<ReturnType<typeof openOffice>>;
