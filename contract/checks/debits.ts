import { expectEqual, expectMembers, expectStatus, type Kind, Skip } from '../api.ts';
import { section, type World } from '../check.ts';

const state = { id: 'integer', state: 'text' } as const;

const bank = {
  path: '/adhesion',
  debits: '/debit-request',
  mandate: () => ({
    adhesion: {
      adhesion_holder_name: 'Ana Pérez',
      email: 'ana@example.com',
      description: 'Contract: cuota social',
      short_description: 'Cuota',
      cbu_number: '0110599500000123456784',
      cbu_holder_name: 'Ana Pérez',
      cbu_holder_id_number: 20055361682,
    },
  }),
  debit: (world: World, id: unknown) => ({
    debit_request: {
      adhesion_id: id,
      description: 'Contract: cuota',
      first_due_date: world.day(40),
      first_total: 100.5,
    },
  }),
};

const card = {
  path: '/card-adhesion',
  debits: '/card-debit-request',
  mandate: () => ({
    card_adhesion: {
      adhesion_holder_name: 'Ana Pérez',
      external_reference: 'contract',
      email: 'ana@example.com',
      card_holder_name: 'ANA PEREZ',
      card_number: '4507990000004905',
      description: 'Contract: cuota social',
    },
  }),
  debit: (world: World, id: unknown) => {
    const [, month, year] = world.day(70).split('-').map(Number);
    const fields = { card_adhesion_id: id, month, year, amount: 100.5, description: 'Contract' };
    return { card_debit_request: fields };
  },
};
type Way = typeof bank | typeof card;

async function enrolled(world: World, way: Way) {
  const answer = await world.call('POST', way.path, { body: way.mandate() });
  expectStatus(answer, 201);
  return expectMembers(answer.body, state);
}

async function read(world: World, path: string, members: Record<string, Kind> = state) {
  const answer = await world.call('GET', path);
  expectStatus(answer, 200);
  return expectMembers(answer.body, members);
}

async function cancelled(world: World, path: string, members: Record<string, Kind> = state) {
  const answer = await world.call('PUT', `${path}/cancel`);
  expectStatus(answer, 200);
  return expectMembers(answer.body, members);
}

async function mandateLives(world: World, way: Way): Promise<void> {
  const { id } = await enrolled(world, way);
  expectEqual((await read(world, `${way.path}/${id}`)).id, id, 'id');
  const ended = await cancelled(world, `${way.path}/${id}`);
  expectEqual((await read(world, `${way.path}/${id}`)).state, ended.state, 'state after cancel');
}

async function debitLives(world: World, way: Way): Promise<void> {
  const mandate = await enrolled(world, way);
  const now = await read(world, `${way.path}/${mandate.id}`);
  if (now.state !== 'signed') {
    await cancelled(world, `${way.path}/${mandate.id}`);
    throw new Skip(`the mandate is ${now.state}: its holder must sign before a debit`);
  }
  const answer = await world.call('POST', way.debits, { body: way.debit(world, mandate.id) });
  expectStatus(answer, 201);
  const { id } = expectMembers(answer.body, state);
  await read(world, `${way.debits}/${id}?detail_retentions=true`);
  const ended = await cancelled(world, `${way.debits}/${id}`);
  expectEqual((await read(world, `${way.debits}/${id}`)).state, ended.state, 'state after cancel');
  await cancelled(world, `${way.path}/${mandate.id}`);
}

export const debits = section('Debits', 'interface', {
  'a mandate on an account is created, read and canceled': (world) => mandateLives(world, bank),
  'GET of a mandate shows cbu_number, and its cancellation state_comment': async (world) => {
    const { id } = await enrolled(world, bank);
    const found = await read(world, `/adhesion/${id}`, { ...state, cbu_number: 'text' });
    expectEqual(found.cbu_number, '0110599500000123456784', 'cbu_number');
    await cancelled(world, `/adhesion/${id}`, { ...state, state_comment: 'text' });
  },
  'a debit on an account is created, read and canceled': (world) => debitLives(world, bank),
  'a mandate on a card is created, read and canceled': (world) => mandateLives(world, card),
  'a debit on a card is created, read and canceled': (world) => debitLives(world, card),
  'the next business day is a JSON string': async (world) => {
    const body = { next_business_day: { date: world.day(5), days: 2 } };
    const answer = await world.call('POST', '/validator/next-business-day', { body });
    expectStatus(answer, 200);
    expectEqual(typeof answer.body, 'string', 'the kind of the body');
  },
});
