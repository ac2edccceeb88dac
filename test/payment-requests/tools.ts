import { expect } from 'vitest';
import { formatDay } from '../../src/kernel/dates.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { expectErrorText } from '../harness/errors.ts';
import type { Answer, TestService } from '../harness/service.ts';

/** The fields of the form, in the order of interface 2.1. */
export const fieldsInOrder = [
  'description',
  'first_due_date',
  'first_total',
  'payer_name',
  'external_reference',
  'second_due_date',
  'second_total',
  'payer_email',
  'back_url_success',
  'back_url_pending',
  'back_url_rejected',
  'excluded_channels',
  'excluded_card_brands',
  'excluded_installments',
  'metadata',
  'items',
];

/** The day so many days from the service's today, as clients write it. */
export const inDays = (service: TestService, days: number): string =>
  formatDay(service.service.parts.clocks.business.today().add({ days }));

/** How many rows creating calls have left. */
export async function stored(
  sql: Sql,
): Promise<{ requests: number; events: number; keys: number }> {
  const [row] = await sql<{ requests: number; events: number; keys: number }[]>`
    select (select count(*) from requests) as requests,
      (select count(*) from events where entity = 'payment_request') as events,
      (select count(*) from idempotency_keys) as keys`;
  return row ?? { requests: -1, events: -1, keys: -1 };
}

type Node = { errors?: string[]; children?: Record<string, Node> };

function expectNode(node: Node): void {
  const members = Object.keys(node);
  for (const sentence of node.errors ?? []) expect(sentence).toMatch(/^[A-Z].*\.$/s);
  if (node.errors) expect(node.errors.length).toBeGreaterThan(0);
  for (const child of Object.values(node.children ?? {})) expectNode(child);
  expect(members.every((name) => name === 'errors' || name === 'children')).toBe(true);
}

/** An error as every one must be: JSON, its code, one complete sentence. */
export function expectError(answer: Answer, status: number, code: number | string = status): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.body.code).toBe(code);
  expect(answer.body.message).toMatch(/^[A-Z].*\.$/);
  expect(answer.text).not.toMatch(/ at .*\.[tj]s|node_modules|select |insert /);
  expectErrorText(answer.text);
  if (answer.body.children === undefined) {
    expect(Object.keys(answer.body)).toEqual(['code', 'message', 'errors']);
    return;
  }
  expect(Object.keys(answer.body)).toEqual(['code', 'message', 'children', 'errors']);
  for (const child of Object.values<Node>(answer.body.children)) expectNode(child);
}

/** A 400 whose tree names every field in order, with exactly these faulty. */
export function expectFaults(answer: Answer, faulty: string[]): void {
  expectError(answer, 400);
  expect(Object.keys(answer.body.children)).toEqual(fieldsInOrder);
  const found = fieldsInOrder.filter((name) => Object.keys(answer.body.children[name]).length > 0);
  expect(found).toEqual(fieldsInOrder.filter((name) => faulty.includes(name)));
}
