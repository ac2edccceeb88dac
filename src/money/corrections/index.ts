export { correct, listCorrections } from './corrections.ts';
