import { expect } from 'vitest';
import { type Made, typedCode } from '../harness/builders/office.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import type { Office, Shown } from '../harness/portal.ts';
import type { TestService } from '../harness/service.ts';
import type { Payment } from '../rails/files.ts';

export const filesAt = '/portal/operator/files';

/** Returns an operator's actions on the files page, and creates requests for files to pay. */
export function fileDesk(service: TestService, operator: Office) {
  const today = (): Temporal.PlainDate => service.service.parts.clocks.business.today();
  const compact = (days = 0): string => today().add({ days }).toString().replaceAll('-', '');

  /** Sends a form with a file, as the list page does. */
  const drop = (
    content: string,
    { name = 'PF.txt', rail = '', office = operator } = {},
  ): Promise<Shown> =>
    office.send(filesAt, { name, content: Buffer.from(content, 'latin1') }, { rail });

  return {
    compact,
    drop,
    async request(fields: Record<string, unknown> = {}): Promise<Made> {
      const { body } = await service.call('POST', '/payment-request', {
        body: paymentRequestBody(service, fields),
      });
      return { id: body.id, barcode: body.barcode, code: typedCode(body.id) };
    },
    /** Sends a valid file. Returns its preview's address and digest. */
    async dropped(content: string, name?: string): Promise<{ at: string; sha256: string }> {
      const { status, location, text } = await drop(content, name === undefined ? {} : { name });
      expect([status, text]).toEqual([303, '']);
      const at = location ?? '';
      const page = await operator.get(at);
      expect(page.status).toBe(200);
      return { at, sha256: /name="sha256" value="(\w+)"/.exec(page.text)?.[1] ?? '' };
    },
    paymentOf: ({ barcode }: Made, over: Partial<Payment> = {}): Payment => ({
      code: barcode,
      amount: 143_050,
      paidOn: compact(),
      ...over,
    }),
    async counts(): Promise<unknown> {
      const [row] = await service.sql`
        select (select count(*)::int from results) as results,
          (select count(*)::int from suspense) as suspense,
          (select count(*)::int from rail_files) as files,
          (select count(*)::int from rail_lines) as lines`;
      return row;
    },
    stateOf: async (id: number): Promise<string> =>
      (await service.call('GET', `/payment-request/${id}`)).body.state,
  };
}

export type FileDesk = ReturnType<typeof fileDesk>;
