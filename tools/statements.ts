import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from '@swc/core';

/** The members of swc's nodes that this file reads. */
interface Node {
  type: string;
  [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Names a template's expression: for a fragment, the function that builds it. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return '…';
  switch (node.type) {
    case 'Identifier':
    case 'PrivateName':
      return String(node.value);
    case 'MemberExpression':
      return `${nameOf(node.object)}.${nameOf(node.property)}`;
    case 'CallExpression':
      return `${nameOf(node.callee)}(…)`;
    default:
      return '…';
  }
}

/** Removes the file's indentation and blank lines from a statement. */
function dedent(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const margins = lines.slice(1).map((line) => line.length - line.trimStart().length);
  const margin = margins.length > 0 ? Math.min(...margins) : 0;
  return lines
    .map((line, at) =>
      at === 0 && margin > 0 && !text.startsWith('\n')
        ? line
        : line.slice(Math.min(margin, line.length - line.trimStart().length)),
    )
    .join('\n')
    .trim();
}

function textOf(template: Node): string {
  const quasis = template.quasis as { raw: string }[];
  const expressions = template.expressions as unknown[];
  return dedent(
    quasis
      .map(({ raw }, at) => raw + (at < expressions.length ? `\${${nameOf(expressions[at])}}` : ''))
      .join(''),
  );
}

/** True for the tag of an SQL template: a connection, whatever its name. */
const isConnection = (tag: unknown): boolean =>
  isNode(tag) && /^(sql|tx|transaction|holder|query|db)$|\.sql$/.test(nameOf(tag));

function* statementsIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) {
    for (const one of node) yield* statementsIn(one);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if (isNode(node) && node.type === 'TaggedTemplateExpression' && isConnection(node.tag)) {
    const text = textOf(node.template as Node);
    // Single words, such as an omitted condition, appear where they are used.
    if (text.includes(' ')) yield text;
  }
  for (const value of Object.values(node)) yield* statementsIn(value);
}

/** Returns every SQL statement and fragment by file, so that reviews see their changes. */
export async function statementListing(root: string): Promise<string> {
  const files = await Array.fromAsync(glob('src/**/*.{ts,tsx}', { cwd: root }));
  const parts = await Promise.all(
    files.toSorted().map(async (file) => {
      const source = await readFile(path.join(root, file), 'utf8');
      const tree = await parse(source, { syntax: 'typescript', tsx: file.endsWith('x') });
      const statements = [...statementsIn(tree)];
      return statements.length === 0 ? [] : [`-- ${file}\n\n${statements.join('\n\n')}`];
    }),
  );
  return `-- Every statement of the source, by file; written by \`npm run docs\`.\n\n${parts.flat().join('\n\n')}\n`;
}
