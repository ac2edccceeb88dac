type Json = unknown;

const refPrefix = '#/';

/**
 * Resolves an OpenAPI document's references in place. A recursive shape, such as a refused form's
 * field, becomes an arbitrary object.
 */
export function withoutReferences<Document>(document: Document): Document {
  const targetOf = (ref: string): Json =>
    ref
      .slice(refPrefix.length)
      .split('/')
      .reduce<Json>((at, name) => (at as Record<string, Json>)[name], document);
  const resolved = (value: Json, inside: readonly string[]): Json => {
    if (Array.isArray(value)) return value.map((one) => resolved(one, inside));
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value && typeof value.$ref === 'string') {
      const { $ref, ...own } = value;
      if (inside.includes($ref)) return { type: 'object' };
      return { ...(resolved(targetOf($ref), [...inside, $ref]) as object), ...own };
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, resolved(one, inside)]),
    );
  };
  return resolved(document, []) as Document;
}
