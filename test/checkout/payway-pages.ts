import type { FrameLocator } from 'playwright-core';
import { freePort } from '../../src/platform/http/free-port.ts';
import { type Office, openOffice } from '../connectors/payway.ts';
import { startService, type TestService } from '../harness/service.ts';

/** A service whose pages show the frame of Payway's connector. */
export interface PaywayPages {
  service: TestService;
  stop(): Promise<void>;
}

export async function openPaywayPages(env: Record<string, string> = {}): Promise<PaywayPages> {
  const port = await freePort('127.0.0.1');
  const office: Office = await openOffice({
    env: { CONNECTOR_CHECKOUT_ORIGINS: `http://127.0.0.1:${port}`, ...env },
  });
  const service = await startService({
    PORT: String(port),
    ROLES: 'payments,web',
    CONNECTORS: JSON.stringify([
      {
        name: 'payway',
        url: office.origin(),
        secrets: [office.secret],
        channels: ['credit_card', 'debit_card'],
      },
    ]),
  });
  return {
    service,
    async stop() {
      await service.stop();
      await office.stop();
    },
  };
}

/** Types a card in the acquirer's frame. */
export async function typeCard(frame: FrameLocator, number: string): Promise<void> {
  await frame.locator('#number').fill(number);
  await frame.locator('#holder').fill('Ana Pérez');
  await frame.locator('#expiry').fill('08/30');
  await frame.locator('#code').fill('123');
  await frame.locator('#document').fill('25123456');
}
