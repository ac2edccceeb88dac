import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';

interface Fault {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
  message: string;
}

/**
 * Returns the union branches whose discriminator does not match: the sender meant another branch.
 */
const notMeant = (faults: Fault[]): string[] =>
  faults
    .filter(({ keyword, schemaPath }) => keyword === 'const' && schemaPath.includes('/anyOf/'))
    .map(({ schemaPath }) => schemaPath.replace(/\/properties\/[^/]*$/, '/'));

function sentences(faults: Fault[]): string[] {
  const dropped = notMeant(faults);
  const meant = faults.filter(
    ({ schemaPath }) => !dropped.some((branch) => schemaPath.startsWith(branch)),
  );
  const deep = meant.filter(({ keyword }) => keyword !== 'anyOf');
  return (deep.length > 0 ? deep : meant).map(
    ({ instancePath, message, params }) =>
      `${instancePath === '' ? 'The body' : instancePath.slice(1).replaceAll('/', '.')} ${message}` +
      ('allowedValues' in params ? `: ${String(params.allowedValues)}` : ''),
  );
}

const mostSentences = 10;

/** Creates a reader of messages that drops unknown members and reports faults. */
export function reader<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => { value: Static<Schema> } | { fault: string } {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value))
      return { value: Value.Clean(schema, structuredClone(value)) as Static<Schema> };
    const said = sentences(compiled.Errors(value) as Fault[]).slice(0, mostSentences);
    return { fault: `${said.join('; ')}.` };
  };
}
