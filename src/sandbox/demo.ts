import type { NewAccount } from '../accounts/index.ts';

/** The account that a new sandbox starts with. */
export const demoAccount = (id: string | null): NewAccount => ({
  id,
  name: 'Cooperativa de Demostración',
  cuit: '30999999995',
  city: 'Ciudad de Buenos Aires',
});
