/** Sentences of verbs, by how they are known, and what forms say instead: `$1` is what they hold. */
export type Words = readonly (readonly [RegExp, string])[];
