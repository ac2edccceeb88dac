import { describe } from 'vitest';
import { testWith } from '../harness/programs.ts';
import { odoo } from './kinds.ts';
import { scenarios } from './scenarios.ts';

describe('the module for Odoo', () => {
  scenarios(odoo, testWith('python3'));
});
