import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { sign, toleranceSeconds } from '../../connectors/protocol/signature.ts';
import { connectorOpenApi } from '../../tools/connector-openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document's shape is what these tests check
const document = connectorOpenApi() as any;

const page = (name: string): Promise<string> =>
  readFile(path.join(import.meta.dirname, '../../docs/reference/connectors', name), 'utf8');
const pages = [
  'README',
  'outcomes',
  'notices',
  'disputes',
  'cards',
  'codes-and-transfers',
  'frame',
];
const guide = (await Promise.all(pages.map((name) => page(`${name}.md`)))).join('\n');
const exampled = (name: string): string =>
  new RegExp(`^${name} +(.+)$`, 'm').exec(guide)?.[1]?.trim() ?? '';

test('verifies the worked example of a signature with our code and the standard’s library', () => {
  const secret = exampled('secret');
  const [id, seconds] = [exampled('webhook-id'), Number(exampled('webhook-timestamp'))];
  const text = exampled('request');
  expect(exampled('signed text')).toBe(`${id}.${seconds}.${text}`);
  const signature = exampled('webhook-signature');
  expect(sign([secret], text, { id, seconds })['webhook-signature']).toBe(signature);
  const other = new Webhook(secret).sign(id, new Date(seconds * 1000), text);
  expect(other).toBe(signature);
  expect(guide).toContain(`newer than ${toleranceSeconds / 60} minutes`);
});

test('has the structure of OpenAPI 3.1', () => {
  expect(document.openapi).toBe('3.1.0');
  const known = Object.keys(document.components.schemas);
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref);
  expect(refs.length).toBeGreaterThan(20);
  for (const ref of refs) {
    expect(known.map((name) => `#/components/schemas/${name}`)).toContain(ref);
  }
  const names: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  for (const [address, item] of Object.entries<any>({ ...document.paths, ...document.webhooks })) {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    for (const operation of Object.values<any>(item)) {
      const { operationId, summary, parameters = [], responses } = operation;
      names.push(operationId);
      expect(summary, address).toMatch(/^[A-Z]/);
      const inPath = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (parameters as { in: string; name: string }[])
        .filter((one) => one.in === 'path')
        .map((one) => one.name);
      expect(declared, address).toEqual(inPath);
      expect(Object.keys(responses), address).toEqual(
        expect.arrayContaining(['200', '400', '401']),
      );
    }
  }
  expect(new Set(names).size).toBe(names.length);
});

test('contains only JSON Schemas that a validator accepts', () => {
  for (const [name, schema] of Object.entries<object>(document.components.schemas)) {
    if (JSON.stringify(schema).includes('$ref')) continue;
    expect(() => Compile(schema), name).not.toThrow();
  }
});

test('names every call, outcome, notice and frame message in the guide', () => {
  for (const [address, item] of Object.entries<object>(document.paths)) {
    for (const method of Object.keys(item)) {
      expect(guide).toContain(`${method.toUpperCase()} ${address}`);
    }
  }
  const { Outcome, Notice, FrameMessage } = document.components.schemas;
  const marks = (schema: { anyOf: { properties: object }[] }, mark: string): string[] =>
    schema.anyOf.map(({ properties }) => Object(properties)[mark].const);
  for (const outcome of marks(Outcome, 'outcome')) expect(guide).toContain(`\`${outcome}\``);
  for (const type of marks(Notice, 'type')) expect(guide).toContain(type);
  for (const message of marks(FrameMessage, 'recaudo')) expect(guide).toContain(`\`${message}\``);
});
