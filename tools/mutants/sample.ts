import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from '@swc/core';
import { entryOf, readMap } from '../inner-loop/select.ts';
import type { Fault } from './faults.ts';

/** The code behind money, requests and permissions. Declarations and texts are left out. */
const sampled = [
  'src/kernel/**/*.ts',
  'src/money/**/*.ts',
  'src/requests/**/*.ts',
  'src/users/**/*.ts',
  'src/platform/http/gate.ts',
];
const wider = [
  'test/money',
  'test/requests',
  'test/payment-requests',
  'test/operations',
  'test/audit',
  'test/scenarios',
];
const isDeclaration = (file: string): boolean => /(codes|texts|index|operations)\.ts$/.test(file);

/** A node of the syntax tree, with its place in bytes. */
interface Node {
  type: string;
  span: { start: number; end: number };
  [member: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'span' in value;

/** A replacement of a part of a file, by byte offsets. */
interface Change {
  start: number;
  end: number;
  text: string;
}

const otherOperator: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

/** Operators in SQL, which stand between spaces. `=` is left out, because it assigns too. */
const sqlOperators = / (<=|>=|<>|<|>|\+|-|and|or) /g;
const otherSqlOperator: Readonly<Record<string, string>> = {
  '<=': '<',
  '>=': '>',
  '<': '<=',
  '>': '>=',
  '<>': '=',
  '+': '-',
  '-': '+',
  and: 'or',
  or: 'and',
};

/** Returns true for a throw of a plain `Error`, which only a fault of the code can reach. */
function isAssertion(node: Node): boolean {
  const [only] = node.type === 'BlockStatement' ? (node.stmts as Node[]) : [node];
  const thrown = only?.type === 'ThrowStatement' ? (only.argument as Node) : undefined;
  const name = thrown?.type === 'NewExpression' ? (thrown.callee as Node).value : undefined;
  return name === 'Error' || name === 'TypeError';
}

/** Returns the plausible mistakes at one node. `bytes` is the file; spans are relative to it. */
function changesAt(node: Node, bytes: Buffer): Change[] {
  const { start, end } = node.span;
  const textOf = ({ span }: Node): string => bytes.toString('utf8', span.start, span.end);
  if (node.type === 'BinaryExpression') {
    const { left, right, operator } = node as Node & { left: Node; right: Node; operator: string };
    const other = otherOperator[operator];
    const place = bytes.indexOf(operator, left.span.end);
    if (other === undefined || place === -1 || place >= right.span.start) return [];
    return [{ start: place, end: place + operator.length, text: other }];
  }
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
    const test = node.test as Node;
    return ['true', 'false'].map((text) => ({ ...test.span, text }));
  }
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    return [{ start, end, text: textOf(node.argument as Node) }];
  }
  if (node.type === 'BooleanLiteral') return [{ start, end, text: String(node.value !== true) }];
  if (node.type === 'ExpressionStatement' && (node.expression as Node).type !== 'StringLiteral') {
    return [{ start, end, text: ';' }];
  }
  if (node.type === 'TemplateElement') {
    return [...textOf(node).matchAll(sqlOperators)].map(({ 1: operator = '', index }) => {
      const place = start + Buffer.byteLength(textOf(node).slice(0, index)) + 1;
      return { start: place, end: place + operator.length, text: otherSqlOperator[operator] ?? '' };
    });
  }
  return [];
}

/** Types and imports have no behavior. */
const without = /^(Ts|Import)/;

function walk(value: unknown, bytes: Buffer, changes: Change[]): void {
  if (Array.isArray(value)) {
    for (const one of value) walk(one, bytes, changes);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) {
    if (without.test(value.type) && !/^Ts(As|NonNull|Satisfies|Const)/.test(value.type)) return;
    if (value.type === 'IfStatement' && isAssertion(value.consequent as Node)) return;
    changes.push(...changesAt(value, bytes));
  }
  for (const [member, inner] of Object.entries(value)) {
    if (member !== 'span') walk(inner, bytes, changes);
  }
}

/** Makes the spans of a tree relative to the file. The parser counts from one, across files. */
function rebase(value: unknown, by: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) value.span = { start: value.span.start - by, end: value.span.end - by };
  for (const [member, inner] of Object.entries(value)) if (member !== 'span') rebase(inner, by);
}

/** Returns every plausible mistake in a TypeScript file, by place. */
export async function changesIn(code: string): Promise<Change[]> {
  // The module's span starts at its first token, so a semicolon gives the position of byte 0.
  const tree = await parse(`;${code}`, { syntax: 'typescript' });
  rebase(tree, tree.span.start + 1);
  const changes: Change[] = [];
  walk(tree.body.slice(1), Buffer.from(code), changes);
  return changes;
}

/** A generator of numbers in [0, 1) from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Draws mechanical faults from kernel, money, requests and permissions, the same for the same seed
 * and tree. Each is equally likely, and the first of a larger sample are those of a smaller one.
 */
export async function sampleFaults(root: string, count: number, seed: number): Promise<Fault[]> {
  const map = readMap(root);
  const files = (await Array.fromAsync(glob(sampled, { cwd: root }))).toSorted();
  const all: Fault[] = [];
  for (const file of files.filter((one) => !isDeclaration(one))) {
    const code = await readFile(path.join(root, file), 'utf8');
    const bytes = Buffer.from(code);
    const guards = [...(map[entryOf(map, file) ?? ''] ?? [])];
    for (const { start, end, text } of await changesIn(code)) {
      const before = bytes.toString('utf8', start, end);
      const offset = bytes.toString('utf8', 0, start).length;
      const line = bytes.toString('utf8', 0, start).split('\n').length;
      const [shown] = before.split('\n');
      const hurts = `Line ${line}: \`${shown}\` becomes \`${text}\`.`;
      const id = `${file}:${line}:${offset}`;
      all.push({ id, file, offset, before, after: text, hurts, guards, wider });
    }
  }
  const random = randomOf(seed);
  const drawn: Fault[] = [];
  while (drawn.length < count && all.length > 0) {
    const index = Math.floor(random() * all.length);
    const [one] = all.splice(index, 1);
    if (one) drawn.push(one);
  }
  return drawn;
}
