export { type KitOptions, type Report, type Result, runKit } from './run.ts';
