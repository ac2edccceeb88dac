import { type MandateKind, signingLinks } from '../../../src/mandates/index.ts';
import { type TestService, testAccount } from '../service.ts';

/** A CBU of a made-up branch and account, with correct check digits. */
export const cbu = '0110599500000123456784';
export const card = '4507990000004905';

/** Returns the CBU of a made-up account whose number ends in these four digits. */
export function cbuEndingIn(last: string, no = 0): string {
  const account = `${String(no).padStart(9, '0')}${last}`;
  const weights = [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3];
  const sum = weights.reduce((total, weight, at) => total + weight * Number(account[at]), 0);
  return `01105995${account}${(10 - (sum % 10)) % 10}`;
}

const nextNumber = (() => {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
})();

export const adhesionBody = (fields: Record<string, unknown> = {}) => ({
  adhesion: {
    adhesion_holder_name: 'Ana Pérez',
    email: 'ana@example.com',
    description: 'Cuota social del club',
    short_description: 'Cuota social',
    cbu_number: cbu,
    cbu_holder_name: 'Ana María Pérez',
    cbu_holder_id_number: 20_055_361_682,
    external_reference: `socio-${nextNumber()}`,
    ...fields,
  },
});

export const cardAdhesionBody = (fields: Record<string, unknown> = {}) => ({
  card_adhesion: {
    adhesion_holder_name: 'Ana Pérez',
    email: 'ana@example.com',
    description: 'Cuota social del club',
    card_holder_name: 'ANA M PEREZ',
    card_number: card,
    external_reference: `socio-${nextNumber()}`,
    ...fields,
  },
});

/**
 * Returns a card mandate's body without a number, because the holder gives the card to a connector.
 */
export function keptCardBody() {
  const { card_number: _, ...fields } = cardAdhesionBody().card_adhesion;
  return { card_adhesion: fields };
}

/** Form of a card that a connector keeps. */
export const keptCard = {
  answer: 'accept',
  connector: 'acquirer',
  token: 'tok_1',
  brand: 'visa',
  bin: '450799',
  last_four: '4905',
};

/** Signs a card mandate at its address, as the signing page does. */
export const signKeptCard = (url: string, fields: Record<string, string> = keptCard) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });

export async function signedAdhesion(
  service: TestService,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await service.call('POST', '/adhesion', { body: adhesionBody(fields) });
  return body.id;
}

export async function signedCardAdhesion(
  service: TestService,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await service.call('POST', '/card-adhesion', { body: cardAdhesionBody(fields) });
  return body.id;
}

export const getAdhesion = async (service: TestService, id: number) =>
  (await service.call('GET', `/adhesion/${id}`)).body;

/** Returns the signing address of a mandate, as its e-mail shows it. */
export const signingUrl = (service: TestService, kind: MandateKind, id: number): string =>
  signingLinks(service.service.parts.links)({ accountId: testAccount, kind, id, no: 1 });
