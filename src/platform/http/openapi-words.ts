/** Descriptions for shapes that declare none. */
export interface Words {
  /** By tag, in reading order. */
  tags: Readonly<Record<string, string>>;
  /** By the name of an operation. */
  operations: Readonly<Record<string, string>>;
  /** By member or parameter. `Shape.member` and `operation.parameter` take precedence. */
  members: Readonly<Record<string, string>>;
}

interface Operation {
  operationId?: string;
  description?: string;
  parameters?: object[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Describes members that lack a description. */
function describeMembers(value: unknown, shape: string, members: Words['members']): void {
  if (!isObject(value)) return;
  const { properties, ...rest } = value;
  for (const [name, inner] of Object.entries(rest)) {
    if (name !== 'example' && name !== 'examples') describeMembers(inner, shape, members);
  }
  if (!isObject(properties)) return;
  for (const [name, member] of Object.entries(properties)) {
    describeMembers(member, shape, members);
    const description = members[`${shape}.${name}`] ?? members[name];
    if (isObject(member) && member.description === undefined && description !== undefined) {
      // Copy, because shapes share their members' objects.
      properties[name] = { ...member, description };
    }
  }
}

/** Fills in the descriptions of members, parameters and operations. */
export function describe(
  document: { paths: object; components: { schemas: Record<string, object> } },
  operations: readonly Operation[],
  words: Words,
): void {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    describeMembers(schema, name, words.members);
  }
  describeMembers(document.paths, '', words.members);
  for (const operation of operations) {
    const { operationId = '', parameters = [] } = operation;
    const description = words.operations[operationId];
    if (description !== undefined) operation.description ??= description;
    for (const one of parameters) {
      if (!('name' in one) || 'description' in one) continue;
      const name = String(one.name);
      const text = words.members[`${operationId}.${name}`] ?? words.members[name];
      if (text !== undefined) Object.assign(one, { description: text });
    }
  }
}
