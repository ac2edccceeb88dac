import { expect, vi } from 'vitest';
import type { Import, KindName } from '../../src/imports/index.ts';
import { resultFile } from '../../src/imports/index.ts';
import type { Ctx } from '../../src/platform/base.ts';
import { inDays } from '../harness/builders/clock.ts';
import { type TestService, testAccount } from '../harness/service.ts';

/** A member of the account's staff, in a browser. */
export const staff: Ctx = {
  accountId: testAccount,
  actor: { kind: 'user', id: 7 },
};

/** Imports spreadsheets into a running service. */
export function openDesk(service: TestService) {
  const { imports } = service.service.parts;
  let files = 0;

  const until = async (id: number, ...states: Import['state'][]): Promise<Import> => {
    await vi.waitFor(async () => expect(states).toContain((await imports.get(staff, id)).state), {
      timeout: 60_000,
      interval: 20,
    });
    return await imports.get(staff, id);
  };

  return {
    imports,
    until,
    due: inDays(service, 20),
    async upload(
      content: string | Buffer,
      name = 'socios.csv',
      kind: KindName = 'payment_request',
    ) {
      const bytes = Buffer.from(content);
      return await imports.upload(staff, { kind, fileName: name, bytes });
    },
    /** Returns a spreadsheet of `count` members, different from every other one. */
    members(count: number, first = 1): string {
      files += 1;
      const rows = Array.from({ length: count }, (_, at) => {
        const no = first + at;
        return `Socio ${no};Cuota ${files};${inDays(service, 20)};${100 + no},50;F${files}-${no}`;
      });
      return ['Socio;Concepto;Vencimiento;Importe;Referencia', ...rows].join('\r\n');
    },
    confirm: async (one: Import, { repeatsToo = false, again = false } = {}) =>
      await imports.confirm(staff, one.id, { version: one.version, repeatsToo, again }),
    async result(id: number): Promise<string> {
      let text = '';
      const { file } = resultFile(await imports.result(staff, id), { format: 'csv' });
      for await (const piece of file) text += piece;
      return text;
    },
  };
}

export type ImportDesk = ReturnType<typeof openDesk>;
