import { describe } from 'vitest';
import { testWith } from '../harness/programs.ts';
import { wooCommerce } from './kinds.ts';
import { scenarios } from './scenarios.ts';

describe('the plugin for WooCommerce', () => {
  scenarios(wooCommerce, testWith('php'));
});
