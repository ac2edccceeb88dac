import type { TSchema } from 'typebox';
import { refusals } from '../connectors/payway/refusals.ts';
import {
  cancelSchema,
  chargeSchema,
  forgetSchema,
  frameMessageSchema,
  holdSchema,
  keepSchema,
  keptSchema,
  manifestSchema,
  noticeSchema,
  openedSchema,
  openSchema,
  outcomeSchema,
  refundOutcomeSchema,
  refundSchema,
} from '../connectors/protocol/messages.ts';

interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
}

const head = (columns: string[]): string[] => [
  `| ${columns.join(' | ')} |`,
  `| ${columns.map(() => '---').join(' | ')} |`,
];

const words = ({ const: constant, enum: choices, anyOf, items, type }: Shape): string => {
  if (constant !== undefined) return `\`${String(constant)}\``;
  if (choices) return choices.map((one) => `\`${String(one)}\``).join(', ');
  if (anyOf) return 'one of several';
  if (type === 'array') return `list${items?.enum ? ` of ${words(items)}` : ''}`;
  return type ?? 'any';
};

/** Returns the discriminators of one branch of a union. */
const markOf = ({ properties = {} }: Shape): string =>
  Object.entries(properties)
    .filter(([, member]) => member.const !== undefined)
    .map(([name, member]) => `${name} ${String(member.const)}`)
    .join(', ');

function rowsOf(shape: Shape, prefix: string): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, member]) => {
    const required = shape.required?.includes(name) ? 'yes' : '';
    const row = `| \`${prefix}${name}\` | ${words(member)} | ${required} | ${member.description ?? ''} |`;
    return [row, ...inner(member, `${prefix}${name}`)];
  });
}

function inner(member: Shape, name: string): string[] {
  if (member.anyOf) {
    return member.anyOf.flatMap((branch) => rowsOf(branch, `${name} (${markOf(branch)}).`));
  }
  if (member.type === 'array' && member.items) return inner(member.items, `${name}[]`);
  return rowsOf(member, `${name}.`);
}

const tableOf = (title: string, schema: TSchema): string => {
  const shape = schema as Shape;
  const rows = shape.anyOf
    ? shape.anyOf.flatMap((branch) => rowsOf(branch, `(${markOf(branch)}) `))
    : rowsOf(shape, '');
  return [`### ${title}`, '', ...head(['Member', 'Type', 'Required', 'Meaning']), ...rows].join(
    '\n',
  );
};

/** Renders every message of the protocol, with its schema's descriptions. */
export const connectorMessages = (): string =>
  [
    tableOf('Manifest', manifestSchema),
    tableOf('Charge', chargeSchema),
    tableOf('Outcome', outcomeSchema),
    tableOf('Cancel', cancelSchema),
    tableOf('Capture and void', holdSchema),
    tableOf('Refund', refundSchema),
    tableOf('Outcome of a refund', refundOutcomeSchema),
    tableOf('Card to store', keepSchema),
    tableOf('Outcome of a card', keptSchema),
    tableOf('Card to delete', forgetSchema),
    tableOf('Account for transfers', openSchema),
    tableOf('Outcome of an account', openedSchema),
    tableOf('Notices', noticeSchema),
    tableOf('Messages of the frame', frameMessageSchema),
  ].join('\n\n');

/** Renders the acquirer's refusal reasons, in the connector's words. */
export const paywayRefusals = (): string =>
  [
    ...head(['Reason', 'Meaning', 'Payer may try', 'Alarm']),
    ...[...refusals].map(
      ([id, { text, retry, alarm }]) =>
        `| ${id} | ${text} | \`${retry}\` | ${alarm ? 'yes' : ''} |`,
    ),
  ].join('\n');
