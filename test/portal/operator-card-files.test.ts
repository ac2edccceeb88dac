import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCardDebit, handOver } from '../harness/builders/debits.ts';
import { signedCardAdhesion } from '../harness/builders/mandates.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService } from '../harness/service.ts';

vi.setConfig({ testTimeout: 60_000 });

/**
 * Issued to O=Banco de Prueba, CN=debitos, valid from 2020 to 2120. Its private key was discarded.
 */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBQjCB6aADAgECAgEBMAoGCCqGSM49BAMCMCoxKDAWBgNVBAoMD0JhbmNvIGRl
IFBydWViYTAOBgNVBAMMB2RlYml0b3MwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAx
MDEwMDAwMDBaMCoxKDAWBgNVBAoMD0JhbmNvIGRlIFBydWViYTAOBgNVBAMMB2Rl
Yml0b3MwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASIdGFbnXWtpdSPR7gqFUxo
C4twIYypjA+fSWUSLslqjB7TOK+BIhBvOuzmwv5IcsbOtAE9p5a8SoZeiW3iXQ+k
MAoGCCqGSM49BAMCA0gAMEUCIDM73irK9kxRKAdcz/x99X0BEoCh3KdfPiCwSeto
rVk6AiEA1sBtM6h2H7r/KDMPgxuLy/10Igbte9mcpu34KGN45kw=
-----END CERTIFICATE-----
`;
const fingerprint =
  'FF:05:5F:3B:B2:A8:BA:AC:42:CE:E7:5B:F0:B8:C8:EA:1E:C7:C6:86:05:F0:11:51:CD:E4:1F:5E:EF:0F:9E:BD';
const visa = '4507990000004905';
const home = '/portal/operator/files';

let service: TestService;
let operator: Office;
let file: { id: number; name: string };

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', VISA_ESTABLISHMENT: '0000000515' });
  const mandate = await signedCardAdhesion(service, { card_number: visa });
  await handOver(service, (await createCardDebit(service, mandate)).body.id);
  operator = await signIn(service, 'operator');
  await operator.post(`${home}/send`, { rail: 'debliqc' });
  const [sent] = await service.sql<{ id: number; name: string }[]>`
    select id, name from rail_files where rail = 'debliqc' and direction = 'out'`;
  if (!sent) throw new Error('no file of card debits');
  file = sent;
});
afterAll(() => service?.stop());

const taken = () => service.sql`
  select actor, data from operator_events
  where type = 'rail_file.handed_over' and entity_id = ${String(file.id)}`;

/** Sends the form with a certificate, as the file's page does. */
async function take(content = certificate): Promise<Response> {
  const to = `${home}/${file.id}/download`;
  const body = new FormData();
  body.set('token', operator.token(to));
  body.set('back', `${home}/${file.id}`);
  body.set('file', new Blob([content]), 'banco.pem');
  const headers = { origin: service.origin, cookie: operator.cookie };
  return await fetch(service.origin + to, { method: 'POST', redirect: 'manual', headers, body });
}

test('exports card numbers encrypted, and logs operator and recipient', async () => {
  expect((await operator.get(`${home}/${file.id}/download`)).status).toBe(400);
  expect((await take('no certificate')).status).toBe(400);
  expect(await taken()).toEqual([]);
  const answer = await take();
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([bytes.length > 0, bytes.includes(visa)]).toEqual([true, false]);
  expect(await taken()).toEqual([
    {
      actor: `user:${operator.userId}`,
      data: {
        rail: 'debliqc',
        file: `${file.name}.cms`,
        subject: expect.stringContaining('Banco de Prueba'),
        fingerprint,
      },
    },
  ]);
});

test('requires a fresh proof to download card numbers, then returns to the file', async () => {
  const before = await taken();
  await service.sql`
    update user_sessions set proved_at = proved_at - interval '11 minutes'
    where user_id = ${operator.userId}`;
  const answer = await take();
  const next = encodeURIComponent(`${home}/${file.id}`);
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    `/portal/confirm?next=${next}`,
  ]);
  expect(await taken()).toEqual(before);
});
