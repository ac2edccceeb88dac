export { lifeJson } from './json.ts';
export type { Life } from './life.ts';
export { operatorReading, type Reader, type Section, type Story, tellLife } from './narrate.ts';
export { type ReadLife, readLife } from './read.ts';
