type Json = unknown;

const refPrefix = '#/';

/** Returns an OpenAPI document with what its references name in their place. It has no cycles. */
export function withoutReferences<Document>(document: Document): Document {
  const targetOf = (ref: string): Json =>
    ref
      .slice(refPrefix.length)
      .split('/')
      .reduce<Json>((at, name) => (at as Record<string, Json>)[name], document);
  const resolved = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value && typeof value.$ref === 'string') return resolved(targetOf(value.$ref));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one)]));
  };
  return resolved(document) as Document;
}
