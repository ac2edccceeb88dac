export { lifeJson } from './json.ts';
export type { Life } from './life.ts';
export { type ReadLife, readLife } from './read.ts';
export { operatorReading, type Reader, type Section, type Story, tellLife } from './tell.ts';
