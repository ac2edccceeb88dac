import type { Call } from '../protocol/connector.ts';
import type { Manifest, TestCase, TestCaseName } from '../protocol/messages.ts';
import { keepBrowser } from './browsers.ts';
import type { Desk } from './desk.ts';

interface TestCard {
  number: string;
  channel: 'credit_card' | 'debit_card';
  /** True if the acquirer's public sandbox knows it too; the emulator knows them all. */
  inSandbox: boolean;
}

const credit = (number: string, inSandbox = false): TestCard => ({
  number,
  channel: 'credit_card',
  inSandbox,
});

/** Public test cards, by outcome. */
const cards: Readonly<Partial<Record<TestCaseName, TestCard>>> = {
  approved: credit('4507990000004905', true),
  rejected_never: credit('4507990100430000'),
  rejected_other_instrument: credit('4000300011112220', true),
  rejected_same_later: credit('4258210000474094'),
  rejected_same_now: credit('4507990100140005'),
  rejected_call_issuer: credit('4507990100010000'),
  pending: credit('4507990206000004'),
  action_required: credit('4507990204000006'),
  lost: credit('4507990202000008'),
  whole_refunds_only: { number: '4517721004856075', channel: 'debit_card', inSandbox: true },
};

/** Returns the test cases that this set-up offers. */
export function testSection({ config }: Desk): Manifest['test'] {
  const offered = Object.entries(cards)
    .filter(([, { inSandbox }]) => inSandbox || config.testCases === 'emulator')
    .filter(([name]) => name !== 'action_required' || config.authenticates)
    .map(([name, { channel }]): [string, TestCase] => [name, { channel }]);
  return config.testCases === 'off' ? undefined : Object.fromEntries(offered);
}

/** Browser data as a frame would send it. */
const testBrowser = {
  accept_header: 'text/html',
  language: 'es-AR',
  java_enabled: false,
  color_depth: 24,
  screen_height: 768,
  screen_width: 1366,
  time_zone_offset: 180,
};

/** Creates a token for a case's card. The numbers are public test numbers. */
export async function testInstrument(
  { api, notes }: Desk,
  name: TestCaseName,
  { signal }: Call,
): Promise<TestCase['instrument']> {
  const { number } = cards[name] ?? {};
  if (number === undefined) throw new Error(`no test card produces ${name}`);
  const order = {
    card_number: number,
    card_expiration_month: '08',
    card_expiration_year: '30',
    security_code: '123',
    card_holder_name: 'John Doe',
    card_holder_identification: { type: 'dni', number: '25123456' },
  };
  const { status, body } = await api.post('/tokens', order, signal, 'public');
  const token = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  if (status !== 201 || typeof token !== 'string') {
    throw new Error(`Payway answered a test card with status ${status} and no token.`);
  }
  await keepBrowser(notes, token, testBrowser);
  return {
    type: 'token',
    token,
    brand: 'visa',
    bin: number.slice(0, 6),
    last_four: number.slice(-4),
    holder_name: 'John Doe',
  };
}
