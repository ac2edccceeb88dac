import { expect } from 'vitest';
import { allCodes } from '../../src/qr/index.ts';
import type { Answer } from './service.ts';

/** Extracts the errors of a body as an existing client does: from `"errors":[` to the first `]`. */
export function cutErrors(text: string): string {
  const start = text.indexOf('"errors":[');
  const end = text.indexOf(']');
  expect(start, text).toBeGreaterThan(0);
  expect(end, text).toBeGreaterThan(start);
  return text.slice(start + '"errors":['.length, end);
}

/** Checks the members that all error bodies share. `error_code` is required if `coded` is true. */
export function expectErrorText(text: string, { coded = true } = {}): void {
  const body = JSON.parse(text) as { message: string; errors: unknown[] };
  const members = Object.keys(body);
  const own = coded ? ['errors', 'error_code'] : ['errors'];
  expect(members).toEqual(expect.arrayContaining(own));
  if (members.includes('children')) expect(members.at(-1)).toBe('children');
  expect(body.errors.length).toBeGreaterThan(0);
  for (const told of body.errors) {
    const message = typeof told === 'string' ? told : (told as { message: unknown }).message;
    expect(message).toMatch(/\.$/);
  }
  expect(cutErrors(text)).not.toBe('');
  // Only lists may contain brackets; otherwise the cut would end inside a sentence.
  JSON.parse(text, (_name, value) => {
    if (typeof value === 'string') expect(value).not.toMatch(/[[\]]/);
    return value;
  });
}

/** Fields of a payment request's form, in order. */
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

type Node = { errors?: string[]; children?: Record<string, Node> };

function expectNode(node: Node): void {
  const members = Object.keys(node);
  for (const sentence of node.errors ?? []) expect(sentence).toMatch(/^[A-Z"].*\.$/s);
  if (node.errors) expect(node.errors.length).toBeGreaterThan(0);
  for (const child of Object.values(node.children ?? {})) expectNode(child);
  expect(['errors', 'codes', 'children'].filter((name) => members.includes(name))).toEqual(members);
}

/**
 * Checks the status, code and common shape of an error, and that it reveals no stack and no SQL.
 */
export function expectError(answer: Answer, status: number, code: number | string = status): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.body.code).toBe(code);
  // A form's first fault begins with its field, and may say how many more there are.
  expect(answer.body.message).toMatch(/^(?:[A-Z"]|\w[\w.]*: ).*\.(?: \(and \d+ more\))?$/s);
  expect(answer.text).not.toMatch(/ at .*\.[tj]s|node_modules|select |insert /);
  expectErrorText(answer.text);
  const { error_code: named, children } = answer.body;
  const members = ['code', 'message', 'errors', named && 'error_code', children && 'children'];
  expect(Object.keys(answer.body)).toEqual(members.filter(Boolean));
  for (const child of Object.values<Node>(children ?? {})) expectNode(child);
}

/** Expects a 400 whose tree lists every field in order, with faults at exactly these. */
export function expectFaults(answer: Answer, faulty: string[]): void {
  expectError(answer, 400);
  expect(Object.keys(answer.body.children)).toEqual(fieldsInOrder);
  const found = fieldsInOrder.filter((name) => Object.keys(answer.body.children[name]).length > 0);
  expect(found).toEqual(fieldsInOrder.filter((name) => faulty.includes(name)));
}

/** Returns the faulty fields that a 400 names. */
export const faultyFields = ({ body }: Answer): string[] =>
  Object.entries<object>(body.children ?? {})
    .filter(([, node]) => Object.keys(node).length > 0)
    .map(([name]) => name);

const codeTable = new Map(allCodes.map((one) => [one.code, one]));

interface QrFault {
  index?: number;
  id?: string;
  field?: string;
  message: string;
  error_code?: string;
}

/** Checks the common shape of the QR service's errors. Returns the listed faults. */
export function expectQrError(answer: Answer, status: number, code: string) {
  expect([answer.status, answer.body?.code], answer.text).toEqual([status, code]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(codeTable.get(code)?.status).toBe(status);
  const { errors: finer } = codeTable.get(code) ?? {};
  // An invalid form (H103) has a separate code for each field.
  if (finer && code !== 'H103') expect(finer).toContain(answer.body.error_code);
  expect(answer.body.message).toMatch(/^\S.*\.(?: \(and \d+ more\))?$/s);
  expect(answer.text).not.toMatch(/ at .*\.[tj]s|node_modules|select |insert /);
  expectErrorText(answer.text);
  const told: (QrFault | string)[] = answer.body.errors;
  const errors = told.filter((one) => typeof one !== 'string');
  if (errors.length === 0) expect(told).toEqual([answer.body.message]);
  for (const { message } of errors) expect(message).toMatch(/^[A-Z"].*\.$/s);
  return errors;
}
