import type { Answer, TestService } from '../harness/service.ts';

/** A CBU of a made-up branch and account whose check digits are right. */
export const cbu = '0110599500000123456784';
export const card = '4507990000004905';

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

const dayText = (day: Temporal.PlainDate): string => {
  const [year, month, date] = day.toString().split('-');
  return `${date}-${month}-${year}`;
};

/** A day so many days from the service's today, as bodies write it. */
export const inDays = (service: TestService, days: number): string =>
  dayText(service.service.parts.clocks.business.today().add({ days }));

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

export function createDebit(
  service: TestService,
  adhesionId: number,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return service.call('POST', '/debit-request', {
    body: {
      debit_request: {
        adhesion_id: adhesionId,
        description: 'Cuota de diciembre',
        first_due_date: inDays(service, 20),
        first_total: 1430.5,
        ...fields,
      },
    },
    headers,
  });
}

export function createCardDebit(
  service: TestService,
  adhesionId: number,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  const period = service.service.parts.clocks.business.today().add({ months: 2 });
  return service.call('POST', '/card-debit-request', {
    body: {
      card_debit_request: {
        card_adhesion_id: adhesionId,
        month: period.month,
        year: period.year,
        amount: 1430.5,
        description: 'Cuota de diciembre',
        ...fields,
      },
    },
  });
}

export const advance = (service: TestService, body: Record<string, unknown>): Promise<Answer> =>
  service.call('POST', '/sandbox/clock', { body });
